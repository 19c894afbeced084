// The page with the selected application's webhook endpoints.
import { ApplicationPicker, useSelectedApplication } from '../../components/ApplicationPicker.tsx';
import { OfApplication } from '../../components/OfApplication.tsx';
import { Page } from '../../components/Page.tsx';
import { EndpointList } from './EndpointList.tsx';

export const Webhooks = () => {
  const selected = useSelectedApplication();
  return (
    <Page
      title="Webhooks"
      description="The service notifies your backend when a connection breaks or its transactions change. Events contain no bank data."
      actions={<ApplicationPicker {...selected} />}
    >
      <OfApplication selected={selected} skeletonLines={5}>
        {(application) => <EndpointList key={application.id} application={application} />}
      </OfApplication>
    </Page>
  );
};
