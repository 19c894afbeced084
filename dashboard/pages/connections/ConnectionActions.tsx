// What one can do to a connection. What its state does not allow is not offered.
import { Hammer, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../parts/Button.tsx';
import { Notice } from '../../parts/Notice.tsx';
import { Confirm } from '../../parts/Window.tsx';
import type { Application } from '../../service/applications.ts';
import {
  breakConnection,
  type Connection,
  refreshConnection,
  revokeConnection,
} from '../../service/connections.ts';
import { inWords } from '../../service/conversation.ts';
import { useChange } from '../../service/queries.ts';
import { usePlace } from '../../shell/place.ts';

type ActionsProps = { application: Application; connection: Connection };

export const ConnectionActions = ({ application, connection }: ActionsProps) => {
  const { may } = usePlace();
  if (!may('developer') || connection.state === 'revoked') return null;
  return (
    <>
      {connection.state === 'active' && <Refresh application={application} connection={connection} />}
      {application.environment === 'sandbox' && connection.state === 'active' && (
        <Break application={application} connection={connection} />
      )}
      <Revoke application={application} connection={connection} />
    </>
  );
};

const outdated = ({ application, connection }: ActionsProps) => [
  ['connection', application.id, connection.id],
  ['connections', application.id],
];

const Refresh = (props: ActionsProps) => {
  const asking = useChange(() => refreshConnection(props.application.id, props.connection.id), {
    refreshes: outdated(props),
  });
  return (
    <>
      <Button isPending={asking.isPending} onPress={() => asking.mutate(undefined)}>
        <RefreshCw size={16} aria-hidden="true" />
        Refresh now
      </Button>
      {asking.error && <Notice tone="bad">{inWords(asking.error)}</Notice>}
    </>
  );
};

const Break = (props: ActionsProps) => {
  const [isAsking, setAsking] = useState(false);
  const breaking = useChange(() => breakConnection(props.application.id, props.connection.id), {
    refreshes: outdated(props),
    onDone: () => setAsking(false),
  });
  return (
    <>
      <Button onPress={() => setAsking(true)}>
        <Hammer size={16} aria-hidden="true" />
        Break credentials
      </Button>
      <Confirm
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
      </Confirm>
    </>
  );
};

const Revoke = (props: ActionsProps) => {
  const [isAsking, setAsking] = useState(false);
  const revoking = useChange(() => revokeConnection(props.application.id, props.connection.id), {
    refreshes: outdated(props),
    onDone: () => setAsking(false),
  });
  return (
    <>
      <Button danger onPress={() => setAsking(true)}>
        Revoke
      </Button>
      <Confirm
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
      </Confirm>
    </>
  );
};
