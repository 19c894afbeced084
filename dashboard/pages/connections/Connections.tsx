// The page with the selected application's connections.
import { ApplicationPicker, useSelectedApplication } from '../../components/ApplicationPicker.tsx';
import { OfApplication } from '../../components/OfApplication.tsx';
import { Page } from '../../components/Page.tsx';
import { ConnectionList } from './ConnectionList.tsx';

export const Connections = () => {
  const selected = useSelectedApplication();
  return (
    <Page
      title="Connections"
      description="The banks your users have connected, and their state. Account data is encrypted and can’t be viewed here."
      actions={<ApplicationPicker {...selected} />}
    >
      <OfApplication selected={selected}>
        {(application) => <ConnectionList key={application.id} application={application} />}
      </OfApplication>
    </Page>
  );
};
