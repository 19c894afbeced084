// The page of a connection: state, history and actions. It has no account data, which the service cannot read.
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
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
import { Consents } from './Consents.tsx';
import { Timeline } from './Timeline.tsx';

type ConnectionDetails = Schemas['ConnectionDetail'];

type ConnectionProps = { applicationId: string; connectionId: string };

export const Connection = ({ applicationId, connectionId }: ConnectionProps) => {
  const { root } = useOrgContext();
  const application = useQuery(applicationQuery(applicationId));
  const query = useQuery(connectionQuery(applicationId, connectionId));
  const error = query.error ?? application.error;
  if (error instanceof ApiError && error.code === 'not_found') return <NotFound />;
  const connection = query.data?.connection;
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
      {error && !query.data && (
        <ErrorNotice
          error={error}
          onRetry={() => {
            void query.refetch();
            void application.refetch();
          }}
        />
      )}
      {!error && !(query.data && application.data) && (
        <Card>
          <Skeleton lines={8} />
        </Card>
      )}
      {query.data && application.data && (
        <ConnectionContent details={query.data} application={application.data} />
      )}
    </Page>
  );
};

const ConnectionContent = ({
  details,
  application,
}: {
  details: ConnectionDetails;
  application: Application;
}) => {
  const now = useApplicationNow(application);
  const { connection, events } = details;
  return (
    <>
      {connection.state === 'needs_reconnect' && (
        <Notice tone="warn">
          <strong>
            {details.nextRefreshAt ? 'The user must act at the bank.' : 'The user must reconnect.'}
          </strong>
          <p>
            {connection.reconnectReason
              ? reconnectReasonLabels[connection.reconnectReason]
              : 'The bank no longer grants access.'}
          </p>
          {details.nextRefreshAt ? (
            <p>
              They must resolve this with the bank, not in the widget. The service retries daily, and existing
              data stays readable.
            </p>
          ) : (
            <p>
              Reopen the widget for them with this connection’s id as <code>connectionId</code>. Until they
              reconnect, it is not refreshed, but existing data stays readable.
            </p>
          )}
        </Notice>
      )}
      <div className="columns">
        <Card title="History" description="The last 100 events, newest first.">
          <Timeline events={events} now={now} />
        </Card>
        <div className="stack">
          <ConnectionFacts details={details} applicationId={application.id} now={now} />
          <Accounts details={details} now={now} />
          <Consents applicationId={application.id} connectionId={connection.id} />
        </div>
      </div>
    </>
  );
};

const ConnectionFacts = ({
  details: { connection, nextRefreshAt, pausedUntil },
  applicationId,
  now,
}: {
  details: ConnectionDetails;
  applicationId: string;
  now: number;
}) => {
  const { root } = useOrgContext();
  return (
    <Card title="Connection">
      <Copyable text={connection.id} label="connection id" />
      <dl className="definition-list">
        <dt>Bank</dt>
        <dd>{connection.institution.name}</dd>
        <dt>Your user id</dt>
        <dd>{connection.externalUserId ?? <span className="muted">None (anonymous user)</span>}</dd>
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
          {pausedUntil && pausedUntil > new Date(now).toISOString() ? (
            <>
              Paused by the bank until <Timestamp at={pausedUntil} absolute />
            </>
          ) : (
            <Timestamp at={nextRefreshAt} now={now} fallback="None" />
          )}
        </dd>
        {connection.consentExpiresAt && (
          <>
            <dt>Consent ends</dt>
            <dd>
              <Timestamp at={connection.consentExpiresAt} now={now} />
            </dd>
          </>
        )}
        {connection.duplicateOf && (
          <>
            <dt>Same accounts as</dt>
            <dd>
              <Link to={`${root}/applications/${applicationId}/connections/${connection.duplicateOf}`}>
                <code>{connection.duplicateOf}</code>
              </Link>
            </dd>
          </>
        )}
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
};

/** The number of accounts, those that lag, and the reason why no more is shown. */
const Accounts = ({
  details: { accountCount, laggingAccounts, withdrawnTransactions: withdrawn, doubtedReadings: doubted },
  now,
}: {
  details: ConnectionDetails;
  now: number;
}) => (
  <Card title="Accounts">
    <p>{accountCount === 1 ? 'One account is' : `${accountCount} accounts are`} connected.</p>
    {laggingAccounts.length > 0 && (
      <>
        <p>
          The last refresh could not read{' '}
          {laggingAccounts.length === 1 ? 'one of them' : `${laggingAccounts.length} of them`}: the bank did
          not answer, or no longer lists it.
        </p>
        <ul>
          {laggingAccounts.map(({ id, readAt }) => (
            <li key={id}>
              <code>{id}</code>, last read <Timestamp at={readAt} now={now} fallback="never" />
            </li>
          ))}
        </ul>
      </>
    )}
    {doubted > 0 && (
      <p>
        {doubted === 1 ? 'One response' : `${doubted} responses`} from the bank left out more than half of the
        posted transactions and changed nothing.
      </p>
    )}
    {withdrawn > 0 && (
      <p>
        The bank has withdrawn{' '}
        {withdrawn === 1 ? 'one posted transaction' : `${withdrawn} posted transactions`}.
      </p>
    )}
    <Notice>
      <p>
        Balances, transactions, account numbers and names are not shown here, because they are encrypted. Only
        the user’s scoped token, or SimpleFIN access created with it, decrypts them.
      </p>
    </Notice>
  </Card>
);
