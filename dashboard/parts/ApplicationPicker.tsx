// Which application a page is about: from the address, else the one that was looked at last, else the first.
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import { type Application, applicationsQuery } from '../service/applications.ts';
import { usePlace } from '../shell/place.ts';
import { rememberApplication, rememberedApplication } from '../shell/remembered.ts';
import { Choose } from './Choose.tsx';

export type Picked = {
  applications: Application[] | undefined;
  application: Application | undefined;
  error: Error | null;
  retry: () => void;
  pick: (id: string) => void;
};

export const usePickedApplication = (): Picked => {
  const { organization } = usePlace();
  const found = useQuery(applicationsQuery(organization.id));
  const [search, setSearch] = useSearchParams();
  const wanted = search.get('application') ?? rememberedApplication(organization.id);
  const application = found.data?.find(({ id }) => id === wanted) ?? found.data?.[0];
  return {
    applications: found.data,
    application,
    error: found.error,
    retry: () => void found.refetch(),
    pick: (id) => {
      rememberApplication(organization.id, id);
      // What was filtered by belongs to the application before.
      setSearch({ application: id });
    },
  };
};

export const ApplicationPicker = ({ applications, application, pick }: Picked) =>
  applications && application && applications.length > 1 ? (
    <div className="picker">
      <Choose
        label="Application"
        quietLabel
        value={application.id}
        options={applications.map(({ id, name, environment }) => ({
          value: id,
          label: `${name} (${environment === 'sandbox' ? 'Sandbox' : 'Production'})`,
        }))}
        onChange={pick}
      />
    </div>
  ) : null;
