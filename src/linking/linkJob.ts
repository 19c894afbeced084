// The job of a link session: its last step queues an import or a reconnect, and the worker runs it. When the job ends,
// the session is finished or failed; otherwise the job is retried.
import type { CallContext, Reading, Renewal } from '../../connectors/kit/contract.ts';
import { accountDetails } from '../codec/account.ts';
import { failedRow, failWaitingSession } from '../connections/jobStore.ts';
import { recordConnectionEvent } from '../connections/store.ts';
import type { DbTransaction } from '../db/open.ts';
import type { LinkSessionRow } from '../db/tables.ts';
import { BankRefused, BankUnreachable, Conflict, CorruptData } from '../errors.ts';
import { makeIdNear } from '../ids.ts';
import {
  type FetchedAccounts,
  fetchAccounts,
  laggingAccountIds,
  type MatchedAccount,
} from '../refresh/fetchAccounts.ts';
import {
  type ClaimedJob,
  completeJob,
  type Job,
  LeaseLost,
  putJob,
  writeWithLease,
} from '../refresh/jobs.ts';
import { readConnection } from '../refresh/readConnection.ts';
import type { RefreshDeps } from '../refresh/refreshConnection.ts';
import { nextRefreshAt, retryAt, toReplacedRefresh } from '../refresh/schedule.ts';
import { findResourceOwner } from '../users/store.ts';
import { derivePublicKey, makeSecret, type PublicKey } from '../vault/keys.ts';
import { type BankCredentials, sealForWorker } from '../vault/seal.ts';
import { unsealForWorker } from '../vault/workerBoxes.ts';
import type { LinkingDeps } from './linkSession.ts';
import {
  type ImportRequest,
  type LinkSessionState,
  lastingState,
  linkSessionExpiry,
  type OpenLinkSession,
  type SealedLinkResult,
  sealLinkResult,
  statisticsOf,
  toLinkFailureReason,
} from './linkSession.ts';
import {
  findLinkSession,
  recordProgress,
  saveImportRequest,
  saveStep,
  transitionLinkSession,
} from './store.ts';

/**
 * Queues the import of the selected accounts, or the reconnect. What the worker needs is sealed to it; the session
 * keeps only the secret of the end user that may become new. Throws Conflict when the session has changed meanwhile.
 */
export const queueImport = async (
  deps: LinkingDeps,
  session: OpenLinkSession,
  state: LinkSessionState,
): Promise<void> => {
  const { row, application } = session;
  const userSecret = makeSecret();
  const { reconnectConnectionId } = row;
  const owner =
    reconnectConnectionId === null ? undefined : await findResourceOwner(deps.db.read, reconnectConnectionId);
  const request: ImportRequest = {
    connectionId: reconnectConnectionId ?? makeIdNear('con', row.id),
    endUserId: owner?.endUserId ?? makeIdNear('usr', row.id),
    applicationId: application.id,
    organizationId: application.organizationId,
    environment: application.environment,
    kind: reconnectConnectionId === null ? 'import' : 'reconnect',
    externalUserId: row.externalUserId,
    consent: session.savedState.consent,
    pagePublicKey: session.derivePublicKey().toString('base64url'),
    institution: state.institution!,
    values: state.values!,
    deviceToken: state.deviceToken,
    access: state.access!,
    accountIds: state.accounts!.map((account) => account.id),
    publicKey: derivePublicKey(userSecret).toString('base64url'),
  };
  const job: Job = {
    connectionId: request.connectionId,
    endUserId: request.endUserId,
    applicationId: request.applicationId,
    organizationId: request.organizationId,
    environment: request.environment,
    institutionId: request.institution.id,
    kind: request.kind,
    linkSessionId: row.id,
    dueAt: deps.clock.real().toISOString(),
    attempts: 0,
  };
  const change = (workerKey: PublicKey) => ({
    state: 'importing' as const,
    stateSealed: session.sealState({
      ...lastingState(session),
      institution: request.institution,
      userSecret: userSecret.toString('base64url'),
    }),
    importRequestSealed: sealForWorker(request, ['importRequest', row.id], workerKey),
    connectionId: job.connectionId,
    endUserId: job.endUserId,
    progress: null,
    expiresAt: linkSessionExpiry(deps),
    ...statisticsOf(row, 'importing', state),
  });
  await deps.workerPublicKeys.withCurrent(({ key }) =>
    deps.db.transaction(async (trx) => {
      await putJob(trx, job);
      if (!(await saveStep(trx, { id: row.id, version: row.version }, change(key)))) throw new Conflict();
    }),
  );
  deps.wakeWorker();
};

export type LinkJobDeps = RefreshDeps & Pick<LinkingDeps, 'reportError'>;

/** Another session of the same new end user has delivered its result but was not acknowledged yet: retry later. */
export class ConcurrentFirstLink extends Error {}

/** On a reconnect, the bank listed other accounts than those of the connection. */
export class AccountsMismatch extends Error {}

/**
 * Unseals the import request of a job's session and runs the job. Throws when the job should be retried; a refusal, or
 * the last of `importAttemptsMax` failures, fails the session instead.
 */
export const runLinkJob = async (
  deps: LinkJobDeps,
  job: ClaimedJob,
  signal: AbortSignal,
  run: (session: LinkSessionRow, request: ImportRequest, call: CallContext) => Promise<void>,
): Promise<void> => {
  const session = await findLinkSession(deps.db.read, job.linkSessionId!);
  if (session?.state !== 'importing' || !session.importRequestSealed) {
    await deps.db.transaction(async (trx) => {
      await completeJob(trx, job, toReplacedRefresh(job));
      await failWaitingSession(trx, job.linkSessionId!);
    });
    return;
  }
  try {
    const request = unsealForWorker<ImportRequest>(
      session.importRequestSealed,
      ['importRequest', session.id],
      deps.workerKeys,
    );
    checkJob(job, request);
    const { organizationId } = request;
    await run(session, request, { signal, now: deps.clock.now(request), organizationId });
  } catch (error) {
    if (signal.aborted || error instanceof LeaseLost || error instanceof ConcurrentFirstLink) throw error;
    const isFinal =
      error instanceof BankRefused || error instanceof AccountsMismatch || error instanceof CorruptData;
    if (!isFinal && job.attempts < deps.limits.importAttemptsMax) throw error;
    await failLinkJob(deps, job, session, error);
  }
};

const checkJob = (job: ClaimedJob, request: ImportRequest): void => {
  const names = [
    'connectionId',
    'endUserId',
    'applicationId',
    'organizationId',
    'environment',
    'kind',
  ] as const;
  for (const name of names) {
    if (job[name] !== request[name]) throw new CorruptData(`The ${name} of a job was changed.`);
  }
};

const failLinkJob = async (
  deps: LinkJobDeps,
  job: ClaimedJob,
  session: LinkSessionRow,
  error: unknown,
): Promise<void> => {
  const reason = error instanceof AccountsMismatch ? 'accounts_mismatch' : toLinkFailureReason(error);
  if (reason === 'internal') deps.reportError(session.id, error);
  const change = { ...failedRow(reason), expiresAt: linkSessionExpiry(deps) };
  await deps.db.transaction(async (trx) => {
    await completeJob(trx, job, toReplacedRefresh(job));
    await transitionLinkSession(trx, { id: session.id, from: ['importing'] }, change);
    if (job.kind !== 'reconnect') return;
    const time = { at: deps.clock.now(job), real: deps.clock.real() };
    const event = { kind: 'reconnect_failed', reason, ...time } as const;
    await recordConnectionEvent(trx, job, event, deps.limits.connectionEventsMax);
  });
};

/**
 * Reads the accounts that `choose` makes of those that the bank tells, all of them from their beginning. At the last attempt
 * accounts may be missing; the next refresh asks for them again. What the bank renews is kept also where this throws.
 */
export const readForLink = async (
  deps: LinkJobDeps,
  job: ClaimedJob,
  {
    session,
    request,
    accountIds,
    fingerprintKey,
    call,
  }: {
    session: LinkSessionRow;
    request: ImportRequest;
    accountIds?: readonly string[];
    fingerprintKey: Buffer;
    call: CallContext;
  },
  choose: (reading: Reading) => MatchedAccount[] | Promise<MatchedAccount[]>,
): Promise<FetchedAccounts & { renewal: Renewal }> => {
  const connector = deps.registry.find(job.environment, request.institution.id)?.connector;
  if (!connector) throw new BankUnreachable('down');
  const { access } = request;
  const read = {
    ...{ connector, access, accountIds, call },
    keepRenewal: (renewal: Renewal) => keepRenewal(deps, job, session, { ...request, ...renewal }),
  };
  return readConnection(read, async (reading) =>
    fetchAccounts(deps, {
      endUserId: job.endUserId,
      connectionId: job.connectionId,
      fingerprintKey,
      reading,
      accounts: await choose(reading),
      mayFail: job.attempts >= deps.limits.importAttemptsMax,
      call,
      onProgress: progressRecorder(deps, session.id),
    }),
  );
};

/** The next attempt begins with what the bank renewed in this one. Throws LeaseLost when another process runs the job. */
const keepRenewal = async (
  deps: LinkJobDeps,
  job: ClaimedJob,
  { id }: LinkSessionRow,
  renewed: ImportRequest,
): Promise<void> => {
  await deps.workerKeys.withCurrent(({ key }) =>
    writeWithLease(deps, job, (trx) =>
      saveImportRequest(trx, { id, importRequestSealed: sealForWorker(renewed, ['importRequest', id], key) }),
    ),
  );
};

/** The credentials of a new or reconnected connection, sealed to the worker. */
export const sealCredentials = (
  { connectionId, values, deviceToken }: ImportRequest,
  renewal: Renewal,
  workerKey: PublicKey,
): Buffer => {
  const credentials: BankCredentials = { values, deviceToken: renewal.deviceToken ?? deviceToken };
  return sealForWorker(credentials, ['credentials', connectionId], workerKey);
};

/** The first refresh after an import or a reconnect: soon, if the bank did not answer for an account. */
export const firstRefreshAt = (now: Date, fetched: FetchedAccounts, limits: LinkJobDeps['limits']): Date =>
  laggingAccountIds(fetched).length > 0
    ? retryAt(now, 1, limits, Math.random())
    : nextRefreshAt(now, limits, Math.random());

// The page polls about once a second.
const progressIntervalMs = 500;

/** Saves an import's progress to its session, at most once per interval. */
export const progressRecorder = (deps: Pick<LinkJobDeps, 'db' | 'clock'>, sessionId: string) => {
  let recordedAt = 0;
  return async (progress: { done: number; total?: number }): Promise<void> => {
    const now = deps.clock.real().getTime();
    if (now - recordedAt < progressIntervalMs) return;
    recordedAt = now;
    await recordProgress(deps.db.write, sessionId, progress);
  };
};

/** Finishes a session with a result that only its page can unseal. Throws LeaseLost when the session was cancelled. */
export const finishLinkSession = async (
  trx: DbTransaction,
  session: LinkSessionRow,
  request: ImportRequest,
  finished: { endUserId: string; expiresAt: string; result: SealedLinkResult },
): Promise<void> => {
  const changed = await transitionLinkSession(
    trx,
    { id: session.id, from: ['importing'] },
    {
      state: 'finished',
      reached: 'finished',
      endUserId: finished.endUserId,
      importRequestSealed: null,
      progress: null,
      resultSealed: sealLinkResult(finished.result, request),
      expiresAt: finished.expiresAt,
    },
  );
  if (!changed) throw new LeaseLost();
};

/** The result for `onSuccess`, without the scoped token. */
export const toLinkResult = (
  { institution, externalUserId }: ImportRequest,
  fetched: FetchedAccounts,
  connection: { connectionId: string; endUserId: string; isNew: boolean },
): SealedLinkResult => ({
  connectionId: connection.connectionId,
  accounts: fetched.accounts.map(({ id, incoming }) => ({ id, ...accountDetails(incoming) })),
  institution,
  ...(externalUserId !== null && { user: { id: connection.endUserId, externalUserId } }),
  ...(connection.isNew && { newEndUserId: connection.endUserId }),
});
