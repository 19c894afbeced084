// The connections of an application: found by user, bank, state and last refresh, however many there are.

import { ApplicationPicker, usePickedApplication } from '../../parts/ApplicationPicker.tsx';
import { Bones } from '../../parts/Bones.tsx';
import { Card } from '../../parts/Card.tsx';
import { Failure } from '../../parts/Failure.tsx';
import { NoApplication } from '../../parts/NoApplication.tsx';
import { Page } from '../../parts/Page.tsx';
import { ConnectionList } from './ConnectionList.tsx';

export const Connections = () => {
  const picked = usePickedApplication();
  return (
    <Page
      title="Connections"
      note="Which users have connected which bank, and whether it works. What is in their accounts is sealed to them."
      actions={<ApplicationPicker {...picked} />}
    >
      {picked.error && <Failure error={picked.error} onRetry={picked.retry} />}
      {!picked.applications && !picked.error && (
        <Card>
          <Bones lines={8} />
        </Card>
      )}
      {picked.applications?.length === 0 && <NoApplication />}
      {picked.application && <ConnectionList key={picked.application.id} application={picked.application} />}
    </Page>
  );
};
