// The actions that a connection's state allows.
import { useState } from 'react';
import { errorMessage } from '../../api/apiClient.ts';
import type { Application } from '../../api/applications.ts';
import {
  breakSandboxCredentials,
  type Connection,
  refreshConnection,
  revokeConnection,
} from '../../api/connections.ts';
import { useApiMutation } from '../../api/queryClient.ts';
import { Button } from '../../components/Button.tsx';
import { Hammer, RefreshCw } from '../../components/icons.tsx';
import { ConfirmModal } from '../../components/Modal.tsx';
import { Notice } from '../../components/Notice.tsx';
import { useOrgContext } from '../../shell/orgContext.ts';

type ActionsProps = { application: Application; connection: Connection };

export const ConnectionActions = ({ application, connection }: ActionsProps) => {
  const { hasRole } = useOrgContext();
  if (!hasRole('developer') || connection.state === 'revoked') return null;
  return (
    <>
      {connection.state === 'active' && <RefreshButton application={application} connection={connection} />}
      {application.environment === 'sandbox' && connection.state === 'active' && (
        <BreakCredentialsButton application={application} connection={connection} />
      )}
      <RevokeButton application={application} connection={connection} />
    </>
  );
};

const affectedQueries = ({ application, connection }: ActionsProps) => [
  ['connection', application.id, connection.id],
  ['connections', application.id],
];

const RefreshButton = (props: ActionsProps) => {
  const requesting = useApiMutation(() => refreshConnection(props.application.id, props.connection.id), {
    invalidates: affectedQueries(props),
  });
  return (
    <>
      <Button isPending={requesting.isPending} onPress={() => requesting.mutate(undefined)}>
        <RefreshCw size={16} aria-hidden="true" />
        Refresh now
      </Button>
      {requesting.error && <Notice tone="bad">{errorMessage(requesting.error)}</Notice>}
    </>
  );
};

const BreakCredentialsButton = (props: ActionsProps) => {
  const [isConfirming, setConfirming] = useState(false);
  const breaking = useApiMutation(() => breakSandboxCredentials(props.application.id, props.connection.id), {
    invalidates: affectedQueries(props),
    onSuccess: () => setConfirming(false),
  });
  return (
    <>
      <Button onPress={() => setConfirming(true)}>
        <Hammer size={16} aria-hidden="true" />
        Break credentials
      </Button>
      <ConfirmModal
        title="Break the credentials?"
        action="Break them"
        isOpen={isConfirming}
        isPending={breaking.isPending}
        error={breaking.error}
        onConfirm={() => breaking.mutate(undefined)}
        onClose={() => setConfirming(false)}
      >
        <p>
          This simulates a changed password at the sandbox bank. The next refresh is refused, and the user
          must reconnect. To see this immediately, choose “Refresh now” afterwards.
        </p>
      </ConfirmModal>
    </>
  );
};

const RevokeButton = (props: ActionsProps) => {
  const [isConfirming, setConfirming] = useState(false);
  const revoking = useApiMutation(() => revokeConnection(props.application.id, props.connection.id), {
    invalidates: affectedQueries(props),
    onSuccess: () => setConfirming(false),
  });
  return (
    <>
      <Button danger onPress={() => setConfirming(true)}>
        Revoke
      </Button>
      <ConfirmModal
        title="Revoke this connection?"
        action="Revoke connection"
        isOpen={isConfirming}
        isPending={revoking.isPending}
        error={revoking.error}
        onConfirm={() => revoking.mutate(undefined)}
        onClose={() => setConfirming(false)}
      >
        <p>
          The bank credentials are deleted immediately, and refreshes stop. Your application can read the
          existing data for 30 more days; then it is deleted. This cannot be undone. The user would have to
          connect again.
        </p>
      </ConfirmModal>
    </>
  );
};
