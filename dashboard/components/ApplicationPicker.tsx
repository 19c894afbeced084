// Which application a page is about: from the address, else the one that was looked at last, else the first.
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import { type Application, applicationsQuery } from '../api/applications.ts';
import { useOrgContext } from '../shell/orgContext.ts';
import { lastApplicationId, saveLastApplicationId } from '../shell/persistedState.ts';
import { Choose } from './Select.tsx';

export type SelectedApplication = {
  applications: Application[] | undefined;
  application: Application | undefined;
  error: Error | null;
  retry: () => void;
  select: (id: string) => void;
};

export const useSelectedApplication = (): SelectedApplication => {
  const { organization } = useOrgContext();
  const found = useQuery(applicationsQuery(organization.id));
  const [search, setSearch] = useSearchParams();
  const wanted = search.get('application') ?? lastApplicationId(organization.id);
  const application = found.data?.find(({ id }) => id === wanted) ?? found.data?.[0];
  return {
    applications: found.data,
    application,
    error: found.error,
    retry: () => void found.refetch(),
    select: (id) => {
      saveLastApplicationId(organization.id, id);
      // What was filtered by belongs to the application before.
      setSearch({ application: id });
    },
  };
};

export const ApplicationPicker = ({ applications, application, select }: SelectedApplication) =>
  applications && application && applications.length > 1 ? (
    <div className="picker">
      <Choose
        label="Application"
        hideLabel
        value={application.id}
        options={applications.map(({ id, name, environment }) => ({
          value: id,
          label: `${name} (${environment === 'sandbox' ? 'Sandbox' : 'Production'})`,
        }))}
        onChange={select}
      />
    </div>
  ) : null;
