// The worker's side of a link: opens the import request, queries the bank, and finishes or fails the session. Otherwise, the
// job is retried.
import type { CallContext, Reading, Renewal } from '../../../connectors/kit/contract.ts';
import { findActiveApplication } from '../../domain/applications/store.ts';
import { accountDetails } from '../../domain/codec/account.ts';
import { storeConsent } from '../../domain/connections/consents.ts';
import {
  failedRow,
  failWaitingSession,
  type NextRefresh,
  refreshReplacedBy,
} from '../../domain/connections/jobs.ts';
import { linkRevocation } from '../../domain/connections/revocationStore.ts';
import { recordConnectionEvent } from '../../domain/connections/store.ts';
import type { DbTransaction } from '../../platform/db/open.ts';
import type { LinkSessionRow } from '../../platform/db/tables.ts';
import { addMilliseconds, seconds } from '../../platform/values/clock.ts';
import { BankRefused, BankUnreachable, CorruptData } from '../../platform/values/errors.ts';
import { type BankCredentials, sealForWorker } from '../../platform/vault/seal.ts';
import type { SigningKeys } from '../../platform/vault/sign.ts';
import { unsealForWorker } from '../../platform/vault/workerBoxes.ts';
import {
  type ImportRequest,
  type In,
  importRequestVersion,
  type LinkingDeps,
  linkSessionExpiry,
  type SealedLinkResult,
  type SignedIn,
  toLinkFailureReason,
} from '../link/linkSession.ts';
import { sealForPage } from '../link/sealedSession.ts';
import * as store from '../link/store.ts';
import { keepRenewed, readBank, requireInstitution } from '../refresh/bankSession.ts';
import { type AccountsToFetch, type FetchedAccounts, fetchAccounts } from '../refresh/fetchAccounts.ts';
import { type ClaimedJob, completeJob, type JobDeps, LeaseLost, requeueJob } from '../refresh/jobs.ts';
import { refreshAfter } from '../refresh/schedule.ts';

export type LinkJobDeps = JobDeps & Pick<LinkingDeps, 'reportError'>;

/** A session with a running job, its import request with everything the bank has renewed, and the context for bank calls. */
export type RunningLink = { session: LinkSessionRow; request: ImportRequest; call: CallContext };

/**
 * The job cannot run now, because a page has not yet acknowledged the result of this end user's first link, or because a newer
 * version queued the job and must run it.
 */
export class JobMustWait extends Error {}

/** On a reconnect, the bank listed none of the connection's accounts. */
export class AccountsMismatch extends Error {}

/**
 * Unseals the import request of a job's session and runs the job. Returns `skipped` if the job must wait, its session is closed
 * or its application is archived, and `refused` if the bank refused, which fails the session. Throws every other error. On the
 * last of `importAttemptsMax` attempts, such an error also fails the session.
 */
export const runLinkJob = async (
  deps: LinkJobDeps,
  job: ClaimedJob,
  signal: AbortSignal,
  run: (link: RunningLink) => Promise<void>,
): Promise<'skipped' | 'refused' | undefined> => {
  const session = await store.findLinkSession(deps.db.read, job.linkSessionId!);
  const isActive = await findActiveApplication(deps.db.read, job.applicationId);
  if (session?.state !== 'importing' || !session.importRequestSealed || !isActive) {
    await deps.db.transaction(async (trx) => {
      await completeJob(trx, job, refreshReplacedBy(job));
      await failWaitingSession(trx, job.linkSessionId!);
    });
    return 'skipped';
  }
  let link: RunningLink | undefined;
  try {
    const request = unsealForWorker<ImportRequest>(
      session.importRequestSealed,
      ['importRequest', session.id],
      deps.workerKeys,
    );
    checkJob(job, request);
    if (request.v > importRequestVersion) throw new JobMustWait();
    const { organizationId, user } = request;
    const call = { signal, now: deps.clock.now(request), organizationId, user };
    link = { session, request, call };
    await run(link);
  } catch (error) {
    if (signal.aborted || error instanceof LeaseLost) throw error;
    if (error instanceof JobMustWait) {
      const dueAt = addMilliseconds(deps.clock.real(), seconds(deps.limits.importRetrySeconds));
      await requeueJob(deps.db.write, job, { dueAt });
      return 'skipped';
    }
    const isRefusal = error instanceof BankRefused || error instanceof AccountsMismatch;
    const isPaused = error instanceof BankUnreachable && error.rateLimit !== undefined;
    const isLast = isPaused || job.attempts >= deps.limits.importAttemptsMax;
    if (isRefusal || isLast || error instanceof CorruptData)
      await failLinkJob(deps, job, { session, request: link?.request }, error);
    if (!isRefusal) throw error;
    return 'refused';
  }
  return undefined;
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
  { session, request }: { session: LinkSessionRow; request: ImportRequest | undefined },
  error: unknown,
): Promise<void> => {
  const reason = error instanceof AccountsMismatch ? 'accounts_mismatch' : toLinkFailureReason(error);
  if (reason === 'internal') deps.reportError(session.id, error);
  const change = {
    ...failedRow(reason),
    expiresAt: linkSessionExpiry(deps),
    // The page continues with the same sign-in, because a code works only once.
    ...(error instanceof BankUnreachable &&
      request && { resultSealed: sealForPage(signedInOf(request), request) }),
  };
  await deps.db.transaction(async (trx) => {
    await completeJob(trx, job, refreshReplacedBy(job));
    await store.moveLinkSession(trx, session.id, 'fail', change);
    if (job.kind !== 'reconnect') return;
    const time = { at: deps.clock.now(job), real: deps.clock.real() };
    const event = { kind: 'reconnect_failed', reason, ...time } as const;
    await recordConnectionEvent(trx, job, event, deps.limits.connectionEventsMax);
  });
};

/** Returns a session to account selection and completes its job. Nothing has been shared. */
export const askAgain = async (
  deps: LinkJobDeps,
  job: ClaimedJob,
  { session, request }: RunningLink,
  about: Pick<In<'accounts'>, 'asked' | 'sharedIds'>,
): Promise<void> => {
  const signedIn = { ...signedInOf(request), accounts: request.accounts, ...about };
  const change = {
    ...{ importRequestSealed: null, progress: null, expiresAt: linkSessionExpiry(deps) },
    resultSealed: sealForPage(signedIn, request),
  };
  await deps.db.transaction(async (trx) => {
    await completeJob(trx, job, refreshReplacedBy(job));
    if (!(await store.moveLinkSession(trx, session.id, 'askAgain', change))) throw new LeaseLost();
  });
};

const signedInOf = (request: ImportRequest): SignedIn => {
  const { institution, values, access, deviceToken, expiresAt, historyUntil, revocationId } = request;
  return { institution, values, access, deviceToken, expiresAt, historyUntil, revocationId };
};

type LinkReading = {
  /** The probable end user of the accounts; by default the job's end user. */
  endUserId?: string;
  fingerprintKey: Buffer;
  /** The bank's ids of the accounts to read; all if absent. */
  accountIds?: readonly string[];
  /** Selects the accounts to fetch. */
  choose(reading: Reading): AccountsToFetch | Promise<AccountsToFetch>;
};

export type FetchedForLink = FetchedAccounts & { credentials: BankCredentials };

/**
 * Fetches the full history of accounts, and returns it with the connection's credentials. The last attempt may omit accounts;
 * the next refresh fetches them. Each attempt starts with the credentials renewed by the previous one.
 */
export const fetchForLink = async (
  deps: LinkJobDeps,
  job: ClaimedJob,
  link: RunningLink,
  { endUserId = job.endUserId, fingerprintKey, accountIds, choose }: LinkReading,
): Promise<FetchedForLink> => {
  const { session, call } = link;
  const { connector } = requireInstitution(deps, job, link.request.institution.id);
  const keep = async (renewal: Renewal): Promise<void> => {
    const { request } = link;
    const {
      access = request.access,
      deviceToken = request.deviceToken,
      expiresAt = request.expiresAt,
    } = renewal;
    const isSame = access === request.access && deviceToken === request.deviceToken;
    if (isSame && expiresAt === request.expiresAt) return;
    link.request = { ...request, access, deviceToken, expiresAt };
    await keepRenewed(deps, job, async (trx, worker, requireLease) => {
      await requireLease();
      const importRequestSealed = sealForWorker(link.request, ['importRequest', session.id], worker);
      await store.saveImportRequest(trx, { id: session.id, importRequestSealed });
    });
  };
  const bank = { connector, access: link.request.access, call, keep };
  const fetched = await readBank(bank, { accountIds }, async (reading) =>
    fetchAccounts(deps, {
      ...{ endUserId, connectionId: job.connectionId, fingerprintKey, reading, call },
      ...(await choose(reading)),
      ...{ mayFail: job.attempts >= deps.limits.importAttemptsMax, attempts: job.attempts },
      onProgress: progressRecorder(deps, session.id),
    }),
  );
  const { values, deviceToken } = link.request;
  return { ...fetched, credentials: { values, deviceToken } };
};

/** The first refresh after an import or a reconnect. */
export const firstRefresh = (
  now: Date,
  fetched: FetchedAccounts,
  { environment, institutionId }: ClaimedJob,
  { limits, registry }: LinkJobDeps,
): NextRefresh => {
  const bank = registry.limitsOf(environment, institutionId);
  const polls = { conversations: [], pauses: fetched.pauses };
  return { ...refreshAfter(now, fetched, { attempts: 1, polls, bank }, limits), attempts: 0 };
};

// The page polls about once a second.
const progressIntervalMs = 500;

/** Saves an import's progress to its session, at most once per interval. */
const progressRecorder = (deps: Pick<LinkJobDeps, 'db' | 'clock'>, sessionId: string) => {
  let recordedAt = 0;
  return async (progress: { done: number; total?: number }): Promise<void> => {
    const now = deps.clock.real().getTime();
    if (now - recordedAt < progressIntervalMs) return;
    recordedAt = now;
    await store.recordProgress(deps.db.write, sessionId, progress);
  };
};

type FinishedLink = {
  connectionId: string;
  endUserId: string;
  isNew: boolean;
  expiresAt: string;
  missingAccountIds?: string[];
  duplicateOf?: string;
};

/**
 * Finishes a session with a result that only its page can unseal, and stores the consent. Throws LeaseLost if the session was
 * cancelled.
 */
export const finishLink = async (
  trx: DbTransaction,
  { session, request }: RunningLink,
  fetched: FetchedAccounts,
  { connectionId, endUserId, isNew, expiresAt, missingAccountIds = [], duplicateOf }: FinishedLink,
  signing: SigningKeys,
): Promise<void> => {
  const { institution, externalUserId, consent } = request;
  if (consent) {
    await storeConsent(trx, { ...consent, endUserId, connectionId, linkSessionId: session.id }, signing);
  }
  if (request.revocationId !== undefined) await linkRevocation(trx, request.revocationId, connectionId);
  const result: SealedLinkResult = {
    connectionId,
    accounts: fetched.accounts
      .filter(({ replacedBy }) => replacedBy === undefined)
      .map(({ id, incoming }) => ({ id, ...accountDetails(incoming) })),
    ...(missingAccountIds.length > 0 && { missingAccountIds }),
    institution,
    ...(duplicateOf !== undefined && { duplicateOf }),
    ...(externalUserId !== null && { user: { id: endUserId, externalUserId } }),
    ...(request.expiresAt && { consentExpiresAt: request.expiresAt }),
    ...(isNew && { newEndUserId: endUserId }),
  };
  const change = {
    reached: 'finished' as const,
    ...{ endUserId, expiresAt, importRequestSealed: null, progress: null },
    resultSealed: sealForPage(result, request),
  };
  if (!(await store.moveLinkSession(trx, session.id, 'finish', change))) throw new LeaseLost();
};
