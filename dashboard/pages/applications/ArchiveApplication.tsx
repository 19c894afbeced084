// Archives an application after a confirmation, or restores it.
import { useState } from 'react';
import { errorMessage } from '../../api/apiClient.ts';
import { type Application, archiveApplication, restoreApplication } from '../../api/applications.ts';
import { useApiMutation } from '../../api/queryClient.ts';
import { Button } from '../../components/Button.tsx';
import { Card } from '../../components/Card.tsx';
import { ConfirmModal } from '../../components/Modal.tsx';
import { Notice } from '../../components/Notice.tsx';

const archiveNote = 'For an application that is no longer used. Its data is kept, and it can be restored.';

const invalidatedBy = ({ id, organizationId }: Application) => [
  ['application', id],
  ['applications', organizationId],
];

export const ArchiveApplication = ({ application }: { application: Application }) => {
  const [isConfirming, setConfirming] = useState(false);
  const archiving = useApiMutation(() => archiveApplication(application.id), {
    invalidates: invalidatedBy(application),
    onSuccess: () => setConfirming(false),
  });
  return (
    <Card title="Archive" description={archiveNote}>
      <div className="actions">
        <Button compact danger onPress={() => setConfirming(true)}>
          Archive
        </Button>
      </div>
      <ConfirmModal
        title={`Archive ${application.name}?`}
        action="Archive"
        isOpen={isConfirming}
        isPending={archiving.isPending}
        error={archiving.error}
        onConfirm={() => archiving.mutate(undefined)}
        onClose={() => setConfirming(false)}
      >
        <p>
          Its API keys and SimpleFIN access stop working. Nobody can connect a bank, connections are not
          refreshed, and webhooks are not sent.
        </p>
        <p>
          Nothing is deleted. Everything works again once an owner restores the application, but webhooks from
          the time in between are not sent.
        </p>
      </ConfirmModal>
    </Card>
  );
};

/** `label` identifies the application for screen readers if there are several. */
export const RestoreApplication = ({ application, label }: { application: Application; label?: string }) => {
  const restoring = useApiMutation(() => restoreApplication(application.id), {
    invalidates: invalidatedBy(application),
  });
  return (
    <>
      <Button
        compact
        aria-label={label}
        isPending={restoring.isPending}
        onPress={() => restoring.mutate(undefined)}
      >
        Restore
      </Button>
      {restoring.error && <Notice tone="bad">{errorMessage(restoring.error)}</Notice>}
    </>
  );
};
