// What one can do to a connection. What its state does not allow is not offered.

import { useState } from 'react';
import { errorMessage } from '../../api/apiClient.ts';
import type { Application } from '../../api/applications.ts';
import {
  breakConnection,
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
  const asking = useApiMutation(() => refreshConnection(props.application.id, props.connection.id), {
    invalidates: affectedQueries(props),
  });
  return (
    <>
      <Button isPending={asking.isPending} onPress={() => asking.mutate(undefined)}>
        <RefreshCw size={16} aria-hidden="true" />
        Refresh now
      </Button>
      {asking.error && <Notice tone="bad">{errorMessage(asking.error)}</Notice>}
    </>
  );
};

const BreakCredentialsButton = (props: ActionsProps) => {
  const [isAsking, setAsking] = useState(false);
  const breaking = useApiMutation(() => breakConnection(props.application.id, props.connection.id), {
    invalidates: affectedQueries(props),
    onSuccess: () => setAsking(false),
  });
  return (
    <>
      <Button onPress={() => setAsking(true)}>
        <Hammer size={16} aria-hidden="true" />
        Break credentials
      </Button>
      <ConfirmModal
        title="Break the credentials?"
        action="Break them"
        isOpen={isAsking}
        isPending={breaking.isPending}
        error={breaking.error}
        onConfirm={() => breaking.mutate(undefined)}
        onClose={() => setAsking(false)}
      >
        <p>
          As if the user had changed their password at the sandbox bank: the next refresh is refused, and the
          connection needs reconnecting. Choose “Refresh now” afterwards to see it at once.
        </p>
      </ConfirmModal>
    </>
  );
};

const RevokeButton = (props: ActionsProps) => {
  const [isAsking, setAsking] = useState(false);
  const revoking = useApiMutation(() => revokeConnection(props.application.id, props.connection.id), {
    invalidates: affectedQueries(props),
    onSuccess: () => setAsking(false),
  });
  return (
    <>
      <Button danger onPress={() => setAsking(true)}>
        Revoke
      </Button>
      <ConfirmModal
        title="Revoke this connection?"
        action="Revoke the connection"
        isOpen={isAsking}
        isPending={revoking.isPending}
        error={revoking.error}
        onConfirm={() => revoking.mutate(undefined)}
        onClose={() => setAsking(false)}
      >
        <p>
          The bank credentials are forgotten at once and nothing is refreshed any more. Your application can
          read what is there for 30 more days; then it is deleted. This cannot be taken back: the user would
          have to connect anew.
        </p>
      </ConfirmModal>
    </>
  );
};
