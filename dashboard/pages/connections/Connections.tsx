// The connections of an application: found by user, bank, state and last refresh, however many there are.

import { ApplicationPicker, useSelectedApplication } from '../../components/ApplicationPicker.tsx';
import { Card } from '../../components/Card.tsx';
import { ErrorNotice } from '../../components/ErrorNotice.tsx';
import { NoApplication } from '../../components/NoApplication.tsx';
import { Page } from '../../components/Page.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { ConnectionList } from './ConnectionList.tsx';

export const Connections = () => {
  const picked = useSelectedApplication();
  return (
    <Page
      title="Connections"
      description="Which users have connected which bank, and whether it works. What is in their accounts is sealed to them."
      actions={<ApplicationPicker {...picked} />}
    >
      {picked.error && <ErrorNotice error={picked.error} onRetry={picked.retry} />}
      {!picked.applications && !picked.error && (
        <Card>
          <Skeleton lines={8} />
        </Card>
      )}
      {picked.applications?.length === 0 && <NoApplication />}
      {picked.application && <ConnectionList key={picked.application.id} application={picked.application} />}
    </Page>
  );
};
