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

export const rememberedOrganization = () => read('dashboard-organization');
export const rememberOrganization = (id: string) => write('dashboard-organization', id);

const keyOf = (organizationId: string) => `dashboard-application-${organizationId}`;

export const rememberedApplication = (organizationId: string) => read(keyOf(organizationId));
export const rememberApplication = (organizationId: string, id: string) => write(keyOf(organizationId), id);
