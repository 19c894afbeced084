// What this browser remembers about where its reader was: the organization, and the application in each of them.
const read = (key: string): string | undefined => {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
};

const write = (key: string, value: string): void => {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Then it begins with the first one next time.
  }
};

export const lastOrganizationId = () => read('dashboard-organization');
export const saveLastOrganizationId = (id: string) => write('dashboard-organization', id);

const applicationKey = (organizationId: string) => `dashboard-application-${organizationId}`;

export const lastApplicationId = (organizationId: string) => read(applicationKey(organizationId));
export const saveLastApplicationId = (organizationId: string, id: string) =>
  write(applicationKey(organizationId), id);
