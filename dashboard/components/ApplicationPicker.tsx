// Selects the application to show, within the selected environment: the one in the URL, else the last one used, else the first.
// Archived applications cannot be selected.
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import { type Application, applicationsQuery } from '../api/applications.ts';
import { useOrgContext } from '../shell/orgContext.ts';
import { lastApplicationId, saveLastApplicationId } from '../shell/persistedState.ts';
import { type Environment, useEnvironment } from '../shell/useEnvironment.ts';
import { Select } from './Select.tsx';

export type SelectedApplication = {
  /** The environment's applications that are not archived. */
  applications: Application[] | undefined;
  environment: Environment | undefined;
  /** `hasArchived`: the environment has archived applications. `hasAny`: the organization has any application. */
  hasArchived: boolean;
  hasAny: boolean;
  application: Application | undefined;
  error: Error | null;
  retry: () => void;
  select: (id: string) => void;
};

export const useSelectedApplication = (): SelectedApplication => {
  const { organization } = useOrgContext();
  const environment = useEnvironment();
  const query = useQuery(applicationsQuery(organization.id));
  const [search, setSearch] = useSearchParams();
  const requestedId = search.get('application') ?? lastApplicationId(organization.id);
  const inEnvironment = query.data?.filter((one) => one.environment === environment);
  const applications = inEnvironment?.filter(({ archivedAt }) => archivedAt === null);
  const application = applications?.find(({ id }) => id === requestedId) ?? applications?.[0];
  return {
    applications,
    environment,
    hasArchived: inEnvironment?.some(({ archivedAt }) => archivedAt !== null) ?? false,
    hasAny: (query.data?.length ?? 0) > 0,
    application,
    error: query.error,
    retry: () => void query.refetch(),
    select: (id) => {
      saveLastApplicationId(organization.id, id);
      // Drops all filters, because they belong to the previous application.
      setSearch({ application: id });
    },
  };
};

export const ApplicationPicker = ({ applications, application, select }: SelectedApplication) =>
  applications && application && applications.length > 1 ? (
    <div className="application-picker">
      <Select
        label="Application"
        hideLabel
        value={application.id}
        options={applications.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={select}
      />
    </div>
  ) : null;
