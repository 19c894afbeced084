// One connection: how it is, what happened to it, and what one can do. What is in it, the service cannot read.
import { useQuery } from '@tanstack/react-query';
import { useApplicationNow } from '../../parts/applicationTime.ts';
import { Bones } from '../../parts/Bones.tsx';
import { Card } from '../../parts/Card.tsx';
import { Copyable } from '../../parts/Copy.tsx';
import { Failure } from '../../parts/Failure.tsx';
import { Notice } from '../../parts/Notice.tsx';
import { Page } from '../../parts/Page.tsx';
import { When } from '../../parts/When.tsx';
import { type Application, applicationQuery } from '../../service/applications.ts';
import { connectionQuery } from '../../service/connections.ts';
import { Refusal, type Shape } from '../../service/conversation.ts';
import { usePlace } from '../../shell/place.ts';
import { attentionWords } from '../../texts/connections.ts';
import { NotThere } from '../NotThere.tsx';
import { ConnectionActions } from './ConnectionActions.tsx';
import { StateBadge } from './ConnectionList.tsx';
import { Timeline } from './Timeline.tsx';

type Detail = Shape['ConnectionDetail'];

type ConnectionProps = { applicationId: string; connectionId: string };

export const Connection = ({ applicationId, connectionId }: ConnectionProps) => {
  const { root } = usePlace();
  const application = useQuery(applicationQuery(applicationId));
  const found = useQuery(connectionQuery(applicationId, connectionId));
  const failed = found.error ?? application.error;
  if (failed instanceof Refusal && failed.code === 'not_found') return <NotThere />;
  const connection = found.data?.connection;
  return (
    <Page
      title={connection ? (connection.externalUserId ?? 'Anonymous user') : 'Connection'}
      beside={connection && <StateBadge state={connection.state} />}
      note={
        connection &&
        `At ${connection.institution.name}${application.data ? `, for ${application.data.name}` : ''}`
      }
      back={{ to: `${root}/connections?application=${applicationId}`, label: 'Connections' }}
      actions={
        connection &&
        application.data && <ConnectionActions application={application.data} connection={connection} />
      }
    >
      {failed && !found.data && (
        <Failure
          error={failed}
          onRetry={() => {
            void found.refetch();
            void application.refetch();
          }}
        />
      )}
      {!failed && !(found.data && application.data) && (
        <Card>
          <Bones lines={8} />
        </Card>
      )}
      {found.data && application.data && <Body detail={found.data} application={application.data} />}
    </Page>
  );
};

const Body = ({ detail, application }: { detail: Detail; application: Application }) => {
  const now = useApplicationNow(application);
  const { connection, events } = detail;
  return (
    <>
      {connection.state === 'needs_reconnect' && (
        <Notice tone="warn">
          <strong>The user must reconnect.</strong>
          <p>
            {connection.attention ? attentionWords[connection.attention] : 'The bank no longer lets us in.'}
          </p>
          <p>
            Open the widget for them with this connection’s id as <code>connectionId</code>. Until then it is
            not refreshed; what was read before stays readable.
          </p>
        </Notice>
      )}
      <div className="columns">
        <Card title="What happened" note="The last hundred events, the newest first.">
          <Timeline events={events} now={now} />
        </Card>
        <div className="stack">
          <Facts detail={detail} now={now} />
          <Sealed accounts={detail.accounts} />
        </div>
      </div>
    </>
  );
};

const Facts = ({ detail: { connection, nextRefreshAt }, now }: { detail: Detail; now: number }) => (
  <Card title="Connection">
    <Copyable text={connection.id} what="connection id" />
    <dl className="facts">
      <dt>Institution</dt>
      <dd>{connection.institution.name}</dd>
      <dt>Your user id</dt>
      <dd>{connection.externalUserId ?? <span className="soft">None: an anonymous user</span>}</dd>
      <dt>Linked</dt>
      <dd>
        <When at={connection.createdAt} full />
      </dd>
      <dt>Last refresh</dt>
      <dd>
        <When at={connection.refreshedAt} now={now} />
      </dd>
      <dt>Next refresh</dt>
      <dd>
        <When at={nextRefreshAt} now={now} never="None" />
      </dd>
      {connection.revokedAt && (
        <>
          <dt>Revoked</dt>
          <dd>
            <When at={connection.revokedAt} full />
          </dd>
        </>
      )}
    </dl>
  </Card>
);

/** Where one would look for balances. */
const Sealed = ({ accounts }: { accounts: number }) => (
  <Card title="Accounts">
    <p>{accounts === 1 ? 'One account is' : `${accounts} accounts are`} connected.</p>
    <Notice>
      <p>
        Balances, transactions, account numbers and names are not shown here, because this service cannot read
        them. They are encrypted for the user, and only your backend can open them, with the user’s scoped
        token.
      </p>
    </Notice>
  </Card>
);
