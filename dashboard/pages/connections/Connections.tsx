// The connections of an application, with filters.

import { ApplicationPicker, useSelectedApplication } from '../../components/ApplicationPicker.tsx';
import { Card } from '../../components/Card.tsx';
import { ErrorNotice } from '../../components/ErrorNotice.tsx';
import { NoApplication } from '../../components/NoApplication.tsx';
import { Page } from '../../components/Page.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { ConnectionList } from './ConnectionList.tsx';

export const Connections = () => {
  const selected = useSelectedApplication();
  return (
    <Page
      title="Connections"
      description="Which users have connected which institution, and whether it works. Account data is not shown: it is encrypted for the user."
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
        <ConnectionList key={selected.application.id} application={selected.application} />
      )}
    </Page>
  );
};
