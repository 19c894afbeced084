// What this browser remembers in localStorage: the last organization, and the last application of each organization.
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
    // Without storage the next visit starts with the first one.
  }
};

export const lastOrganizationId = () => read('dashboard-organization');
export const saveLastOrganizationId = (id: string) => write('dashboard-organization', id);

const applicationKey = (organizationId: string) => `dashboard-application-${organizationId}`;

export const lastApplicationId = (organizationId: string) => read(applicationKey(organizationId));
export const saveLastApplicationId = (organizationId: string, id: string) =>
  write(applicationKey(organizationId), id);
