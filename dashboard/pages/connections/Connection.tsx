// One connection: how it is, what happened to it, and what one can do. What is in it, the service cannot read.
import { useQuery } from '@tanstack/react-query';
import { ApiError, type Schemas } from '../../api/apiClient.ts';
import { type Application, applicationQuery } from '../../api/applications.ts';
import { connectionQuery } from '../../api/connections.ts';
import { Card } from '../../components/Card.tsx';
import { Copyable } from '../../components/CopyButton.tsx';
import { ErrorNotice } from '../../components/ErrorNotice.tsx';
import { Notice } from '../../components/Notice.tsx';
import { Page } from '../../components/Page.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { Timestamp } from '../../components/Timestamp.tsx';
import { useApplicationNow } from '../../components/useApplicationNow.ts';
import { reconnectReasonLabels } from '../../labels/connections.ts';
import { useOrgContext } from '../../shell/orgContext.ts';
import { NotFound } from '../NotFound.tsx';
import { ConnectionActions } from './ConnectionActions.tsx';
import { StateBadge } from './ConnectionList.tsx';
import { Timeline } from './Timeline.tsx';

type Detail = Schemas['ConnectionDetail'];

type ConnectionProps = { applicationId: string; connectionId: string };

export const Connection = ({ applicationId, connectionId }: ConnectionProps) => {
  const { root } = useOrgContext();
  const application = useQuery(applicationQuery(applicationId));
  const found = useQuery(connectionQuery(applicationId, connectionId));
  const failed = found.error ?? application.error;
  if (failed instanceof ApiError && failed.code === 'not_found') return <NotFound />;
  const connection = found.data?.connection;
  return (
    <Page
      title={connection ? (connection.externalUserId ?? 'Anonymous user') : 'Connection'}
      titleSuffix={connection && <StateBadge state={connection.state} />}
      description={
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
        <ErrorNotice
          error={failed}
          onRetry={() => {
            void found.refetch();
            void application.refetch();
          }}
        />
      )}
      {!failed && !(found.data && application.data) && (
        <Card>
          <Skeleton lines={8} />
        </Card>
      )}
      {found.data && application.data && (
        <ConnectionContent detail={found.data} application={application.data} />
      )}
    </Page>
  );
};

const ConnectionContent = ({ detail, application }: { detail: Detail; application: Application }) => {
  const now = useApplicationNow(application);
  const { connection, events } = detail;
  return (
    <>
      {connection.state === 'needs_reconnect' && (
        <Notice tone="warn">
          <strong>The user must reconnect.</strong>
          <p>
            {connection.reconnectReason
              ? reconnectReasonLabels[connection.reconnectReason]
              : 'The bank no longer lets us in.'}
          </p>
          <p>
            Open the widget for them with this connection’s id as <code>connectionId</code>. Until then it is
            not refreshed; what was read before stays readable.
          </p>
        </Notice>
      )}
      <div className="columns">
        <Card title="What happened" description="The last hundred events, the newest first.">
          <Timeline events={events} now={now} />
        </Card>
        <div className="stack">
          <ConnectionFacts detail={detail} now={now} />
          <AccountCount accounts={detail.accountCount} />
        </div>
      </div>
    </>
  );
};

const ConnectionFacts = ({ detail: { connection, nextRefreshAt }, now }: { detail: Detail; now: number }) => (
  <Card title="Connection">
    <Copyable text={connection.id} label="connection id" />
    <dl className="facts">
      <dt>Institution</dt>
      <dd>{connection.institution.name}</dd>
      <dt>Your user id</dt>
      <dd>{connection.externalUserId ?? <span className="soft">None: an anonymous user</span>}</dd>
      <dt>Linked</dt>
      <dd>
        <Timestamp at={connection.createdAt} absolute />
      </dd>
      <dt>Last refresh</dt>
      <dd>
        <Timestamp at={connection.refreshedAt} now={now} />
      </dd>
      <dt>Next refresh</dt>
      <dd>
        <Timestamp at={nextRefreshAt} now={now} fallback="None" />
      </dd>
      {connection.revokedAt && (
        <>
          <dt>Revoked</dt>
          <dd>
            <Timestamp at={connection.revokedAt} absolute />
          </dd>
        </>
      )}
    </dl>
  </Card>
);

/** Where one would look for balances. */
const AccountCount = ({ accounts }: { accounts: number }) => (
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
