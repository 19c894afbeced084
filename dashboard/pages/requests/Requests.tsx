// The log of an application's requests to the API.
import { ApplicationPicker, useSelectedApplication } from '../../components/ApplicationPicker.tsx';
import { Card } from '../../components/Card.tsx';
import { ErrorNotice } from '../../components/ErrorNotice.tsx';
import { NoApplication } from '../../components/NoApplication.tsx';
import { Page } from '../../components/Page.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { RequestList } from './RequestList.tsx';

export const Requests = () => {
  const selected = useSelectedApplication();
  return (
    <Page
      title="Requests"
      description="Requests of your backend to the API, with their results. Of wrong parameters only the names are kept, never a value."
      actions={<ApplicationPicker {...selected} />}
    >
      {selected.error && <ErrorNotice error={selected.error} onRetry={selected.retry} />}
      {!selected.applications && !selected.error && (
        <Card>
          <Skeleton lines={8} />
        </Card>
      )}
      {selected.applications?.length === 0 && <NoApplication />}
      {selected.application && (
        <RequestList key={selected.application.id} application={selected.application} />
      )}
    </Page>
  );
};
