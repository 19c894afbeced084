// State that this browser keeps in localStorage: the last organization, and each organization's last environment and application.
import type { Schemas } from '../api/apiClient.ts';

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
    // Without storage, the next visit starts with the defaults.
  }
};

export const lastOrganizationId = () => read('dashboard-organization');
export const saveLastOrganizationId = (id: string) => write('dashboard-organization', id);

const environmentKey = (organizationId: string) => `dashboard-environment-${organizationId}`;

export const lastEnvironment = (organizationId: string): Schemas['Environment'] | undefined => {
  const environment = read(environmentKey(organizationId));
  return environment === 'sandbox' || environment === 'production' ? environment : undefined;
};
export const saveLastEnvironment = (organizationId: string, environment: Schemas['Environment']) =>
  write(environmentKey(organizationId), environment);

const applicationKey = (organizationId: string) => `dashboard-application-${organizationId}`;

export const lastApplicationId = (organizationId: string) => read(applicationKey(organizationId));
export const saveLastApplicationId = (organizationId: string, id: string) =>
  write(applicationKey(organizationId), id);
