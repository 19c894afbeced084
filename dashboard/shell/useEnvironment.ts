// The environment to show: that of the application in the URL, else the last choice in this browser, else that of the
// application used last, or of the first one.
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLocation, useSearch } from 'wouter';
import { type Application, applicationsQuery } from '../api/applications.ts';
import { useOrgContext } from './orgContext.ts';
import { lastApplicationId } from './persistedState.ts';

export type Environment = Application['environment'];

export const environmentLabels: Record<Environment, string> = {
  sandbox: 'Sandbox',
  production: 'Production',
};

/** The id of the application in the URL. */
const useIdInUrl = (): string | undefined => {
  const [path] = useLocation();
  const search = new URLSearchParams(useSearch());
  return /\/applications\/(app_\w+)/.exec(path)?.[1] ?? search.get('application') ?? undefined;
};

/** Undefined until it is known. */
export const useEnvironment = (): Environment | undefined => {
  const { organization, chosenEnvironment, chooseEnvironment } = useOrgContext();
  const { data: applications } = useQuery(applicationsQuery(organization.id));
  const find = (id: string | undefined) => applications?.find((one) => one.id === id);
  const inUrl = find(useIdInUrl())?.environment;
  // Later pages stay in the opened application's environment.
  useEffect(() => {
    if (inUrl) chooseEnvironment(inUrl);
  }, [inUrl]);
  if (inUrl) return inUrl;
  if (chosenEnvironment || !applications) return chosenEnvironment;
  const active = applications.find(({ archivedAt }) => archivedAt === null);
  return (find(lastApplicationId(organization.id)) ?? active)?.environment ?? 'sandbox';
};
