// The webhook endpoints of an application.
import { ApplicationPicker, useSelectedApplication } from '../../components/ApplicationPicker.tsx';
import { Card } from '../../components/Card.tsx';
import { ErrorNotice } from '../../components/ErrorNotice.tsx';
import { NoApplication } from '../../components/NoApplication.tsx';
import { Page } from '../../components/Page.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { EndpointList } from './EndpointList.tsx';

export const Webhooks = () => {
  const selected = useSelectedApplication();
  return (
    <Page
      title="Webhooks"
      description="The service tells your backend when a connection breaks or its transactions change. Events contain ids only."
      actions={<ApplicationPicker {...selected} />}
    >
      {selected.error && <ErrorNotice error={selected.error} onRetry={selected.retry} />}
      {!selected.applications && !selected.error && (
        <Card>
          <Skeleton lines={5} />
        </Card>
      )}
      {selected.applications?.length === 0 && <NoApplication />}
      {selected.application && (
        <EndpointList key={selected.application.id} application={selected.application} />
      )}
    </Page>
  );
};
