// The worker's reconnect: new credentials for an existing connection, which must have the same accounts. History, ids,
// refresh cursors and the scoped token stay.
import type { Renewal } from '../../connectors/kit/contract.ts';
import { queueRestored } from '../connections/connectionWebhooks.ts';
import { storeConsent } from '../connections/consents.ts';
import {
  type Connection,
  findConnectionRow,
  markConnectionRefreshed,
  recordConnectionEvent,
} from '../connections/store.ts';
import type { DbTransaction } from '../db/open.ts';
import type { LinkSessionRow } from '../db/tables.ts';
import { openFingerprintKey } from '../merge/fingerprints.ts';
import { type FetchedAccounts, laggingAccountIds, type MatchedAccount } from '../refresh/fetchAccounts.ts';
import { type ClaimedJob, completeJob, LeaseLost } from '../refresh/jobs.ts';
import { matchAccounts } from '../refresh/matchAccounts.ts';
import { publish, queueTransactionsUpdated } from '../refresh/publish.ts';
import { findSignedUser } from '../refresh/refreshConnection.ts';
import { toRefreshJob } from '../refresh/schedule.ts';
import { clearStaged } from '../refresh/staging.ts';
import { findAccountRows, type StoredAccountRow } from '../refresh/store.ts';
import type { PublicKey } from '../vault/keys.ts';
import type { SigningKeys } from '../vault/sign.ts';
import {
  AccountsMismatch,
  finishLinkSession,
  firstRefreshAt,
  type LinkJobDeps,
  readForLink,
  runLinkJob,
  sealCredentials,
  toLinkResult,
} from './linkJob.ts';
import { type ImportRequest, linkSessionExpiry } from './linkSession.ts';

/** Reconnects the connection of a session. Throws when the job should be retried. */
export const reconnectConnection = async (
  deps: LinkJobDeps,
  job: ClaimedJob,
  signal: AbortSignal,
): Promise<void> => {
  await runLinkJob(deps, job, signal, async (session, request, call) => {
    const connection = await findConnectionRow(deps.db.read, {
      endUserId: job.endUserId,
      id: job.connectionId,
    });
    if (!connection || connection.revokedAt) throw new AccountsMismatch();
    const user = await findSignedUser(deps, connection, request);
    if (connection.institutionId !== request.institution.id) throw new AccountsMismatch();
    const { endUserId, connectionId } = job;
    const fingerprintKey = openFingerprintKey(connection, deps.workerKeys);
    const link = { session, request, fingerprintKey, call };
    const fetched = await readForLink(deps, job, link, async (reading) => {
      const rows = await findAccountRows(deps.db.read, { endUserId, connectionId });
      const accounts = matchAccounts({ connectionId, fingerprintKey }, rows, reading.accounts);
      checkAccounts(connection, rows, accounts);
      return accounts;
    });
    await publishReconnect(deps, job, { session, request, fetched, publicKey: user.publicKey });
    await clearStaged(deps, fetched);
  });
};

// Every account that the bank listed at the last refresh must be listed again. Accounts that it stopped listing before
// may be closed.
const checkAccounts = (
  connection: Connection,
  existing: readonly StoredAccountRow[],
  matched: readonly MatchedAccount[],
): void => {
  const matchedIds = new Set(matched.map((account) => account.existing?.id));
  const isMissing = existing.some(
    (account) => account.lastSeenAt === connection.refreshedAt && !matchedIds.has(account.id),
  );
  if (isMissing || matched.length === 0) throw new AccountsMismatch();
};

const publishReconnect = async (
  deps: LinkJobDeps,
  job: ClaimedJob,
  {
    session,
    request,
    fetched,
    publicKey,
  }: {
    session: LinkSessionRow;
    request: ImportRequest;
    fetched: FetchedAccounts & { renewal: Renewal };
    publicKey: Buffer;
  },
): Promise<void> => {
  const { clock, limits, signingKeys } = deps;
  const now = clock.now(job);
  const real = clock.real();
  const { connectionId, endUserId } = job;
  const store = (workerKey: PublicKey, signingKey: SigningKeys) => async (trx: DbTransaction) => {
    const credentials = sealCredentials(request, fetched.renewal, workerKey);
    await completeJob(trx, job, toRefreshJob(job, firstRefreshAt(now, fetched, limits).toISOString()));
    const before = await findConnectionRow(trx, { endUserId, id: connectionId });
    const updated = await markConnectionRefreshed(
      trx,
      { endUserId, id: connectionId },
      { now, full: true, credentials, laggingAccountIds: laggingAccountIds(fetched) },
    );
    if (!updated) throw new LeaseLost();
    const updatedAccounts = await publish(deps, trx, fetched, { endUserId, publicKey, connectionId, now });
    if (before?.reconnectReason) await queueRestored(trx, request, real);
    await queueTransactionsUpdated(trx, request, updatedAccounts, real);
    if (request.consent) {
      const consent = { ...request.consent, endUserId, connectionId, linkSessionId: session.id };
      await storeConsent(trx, consent, signingKey);
    }
    const event = { kind: 'reconnected', at: now, real } as const;
    await recordConnectionEvent(trx, job, event, limits.connectionEventsMax);
    await finishLinkSession(trx, session, request, {
      endUserId,
      expiresAt: linkSessionExpiry(deps),
      result: toLinkResult(request, fetched, { connectionId, endUserId, isNew: false }),
    });
  };
  await deps.workerKeys.withCurrent(({ key: workerKey }) =>
    signingKeys.withCurrent(({ key: signingKey }) => deps.db.transaction(store(workerKey, signingKey))),
  );
};
