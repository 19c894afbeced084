// The first import: what the worker does with an order. Everything that makes a connection (the user, the
// owners of ids, accounts, transactions, the result for the page) appears in one transaction, or not at all.
import type { CallContext } from '../connectors/connector.ts';
import { addMilliseconds, seconds } from '../clock.ts';
import { recordConnectionEvent } from '../connections/events.ts';
import {
  findConnectionRows,
  findLinkSessionId,
  discardConnection,
  insertConnection,
} from '../connections/store.ts';
import type { DbTransaction } from '../db/open.ts';
import { BankUnreachable } from '../errors.ts';
import { type ClaimedJob, completeJob } from '../refresh/jobs.ts';
import { clearStaged } from '../refresh/staging.ts';
import { nextRefreshAt } from '../refresh/schedule.ts';
import { type FetchedAccounts, fetchAccounts } from '../refresh/fetchAccounts.ts';
import { publish } from '../refresh/publish.ts';
import {
  setCurrentEndUser,
  findCurrentEndUserId,
  findEndUser,
  insertEndUser,
  insertResourceOwners,
} from '../users/store.ts';
import { sealForWorker } from '../vault/workerSeal.ts';
import {
  finishLinkSession,
  type LinkJobDeps,
  progressRecorder,
  toLinkResult,
  ConcurrentFirstLink,
  runLinkJob,
} from './linkJob.ts';
import type { ImportRequest, LinkSessionRow } from './linkSession.ts';
import { findLinkSession, supersedeLinkSession } from './store.ts';

type ImportContext = { session: LinkSessionRow; request: ImportRequest };

/**
 * Imports what a session ordered. Throws where it should be tried again; a refusal, or too many tries, fails
 * the session instead.
 */
export const importConnection = async (
  tools: LinkJobDeps,
  work: ClaimedJob,
  signal: AbortSignal,
): Promise<void> => {
  await runLinkJob(tools, work, signal, async (session, request, call) => {
    const gathered = await fetchChosenAccounts(tools, work, { order: request, call });
    await publishImport(tools, work, { session, request, gathered });
    await clearStaged(tools, gathered);
  });
};

const fetchChosenAccounts = async (
  tools: LinkJobDeps,
  work: ClaimedJob,
  { order, call }: { order: ImportRequest; call: CallContext },
): Promise<FetchedAccounts> => {
  const connector = tools.registry.find(work.environment, order.institution.id)?.connector;
  if (!connector) throw new BankUnreachable('down');
  const shown = await connector.accounts(order.access, call);
  const accounts = shown
    .filter((account) => order.accountIds.includes(account.id))
    .map((incoming) => ({ incoming }));
  if (accounts.length !== order.accountIds.length) throw new BankUnreachable('incomplete');
  return fetchAccounts(tools, {
    endUserId: work.endUserId,
    connector,
    access: order.access,
    accounts,
    call,
    onProgress: progressRecorder(tools, work.linkSessionId!),
  });
};

const publishImport = async (
  tools: LinkJobDeps,
  work: ClaimedJob,
  { session, request, gathered }: ImportContext & { gathered: FetchedAccounts },
): Promise<void> => {
  const { clock, limits, fingerprintKey } = tools;
  await tools.db.transaction(async (trx) => {
    // One time for all of it: whoever gives another session's result up has not itself run out by then.
    const [now, real] = [clock.now(work.environment), clock.real()];
    const deliveryExpiresAt = addMilliseconds(real, seconds(limits.deliveryMinutes * 60)).toISOString();
    const user = await resolveEndUser(trx, work, { session, request, now, real });
    const dueAt = nextRefreshAt(now, limits, Math.random()).toISOString();
    const endUserId = user.endUserId;
    await completeJob(trx, work, {
      ...work,
      endUserId,
      kind: 'refresh',
      linkSessionId: null,
      dueAt,
      attempts: 0,
    });
    const ids = [work.connectionId, ...gathered.accounts.map((account) => account.id)];
    await insertResourceOwners(
      trx,
      ids.map((id) => ({ id, applicationId: work.applicationId, endUserId })),
    );
    await insertConnection(trx, {
      id: work.connectionId,
      endUserId,
      applicationId: work.applicationId,
      institutionId: request.institution.id,
      institutionName: request.institution.name,
      createdAt: now.toISOString(),
      revokedAt: null,
      deliveryExpiresAt,
      reconnectReason: null,
      credentials: sealForWorker(
        { values: request.values, deviceToken: request.deviceToken },
        work.connectionId,
        tools.workerKeys.publicKey,
      ),
      refreshedAt: now.toISOString(),
      refreshedFullyAt: now.toISOString(),
      externalUserId: session.externalUserId,
      sessionId: session.id,
    });
    const event = { kind: 'linked', at: now, real } as const;
    const { connectionId } = work;
    await recordConnectionEvent(trx, { endUserId, connectionId }, event, limits.connectionEventsMax);
    const { publicKey } = user;
    await publish(trx, gathered, {
      endUserId,
      publicKey,
      connectionId: work.connectionId,
      now,
      fingerprintKey,
    });
    await finishLinkSession(trx, session, {
      endUserId,
      expiresAt: deliveryExpiresAt,
      result: toLinkResult(session, request, gathered, { connectionId: work.connectionId, ...user }),
    });
  });
};

type ChosenUser = { endUserId: string; publicKey: Buffer; isNew: boolean };

// Whose the connection is: the current end user of the external id, as long as one of its connections is
// neither revoked nor given up; else a new one, whose token this session carries.
const resolveEndUser = async (
  trx: DbTransaction,
  work: ClaimedJob,
  { session, request, now, real }: ImportContext & { now: Date; real: Date },
): Promise<ChosenUser> => {
  const { applicationId, endUserId } = work;
  const { externalUserId } = session;
  const publicKey = Buffer.from(request.publicKey, 'base64url');
  if (externalUserId !== null) {
    const current = await findCurrentEndUserId(trx, applicationId, externalUserId);
    const kept = current === undefined ? undefined : await reuseEndUser(trx, current, real);
    if (kept) return kept;
    const claim = { applicationId, externalUserId, endUserId, replaces: current };
    if (!(await setCurrentEndUser(trx, claim))) throw new ConcurrentFirstLink();
  }
  const user = { endUserId, publicKey, applicationId, externalUserId };
  await insertEndUser(trx, { ...user, createdAt: now.toISOString() });
  return { endUserId, publicKey, isNew: true };
};

const reuseEndUser = async (
  trx: DbTransaction,
  endUserId: string,
  real: Date,
): Promise<ChosenUser | undefined> => {
  const user = await findEndUser(trx, endUserId);
  const connections = await findConnectionRows(trx, { endUserId });
  const live = connections.filter(
    ({ revokedAt, deliveryExpiresAt, purgeStartedAt }) =>
      !revokedAt && !purgeStartedAt && (!deliveryExpiresAt || deliveryExpiresAt > real.toISOString()),
  );
  if (!user || live.length === 0) return undefined;
  if (live.some((connection) => connection.deliveryExpiresAt === null)) {
    return { endUserId, publicKey: user.publicKey, isNew: false };
  }
  // Nobody holds this user's token yet. Where no page has seen it either, this session takes its place.
  for (const { id } of live) {
    const sessionId = await findLinkSessionId(trx, { endUserId, id });
    const session = sessionId && (await findLinkSession(trx, sessionId));
    // One that has just been acknowledged has ended: the connection that was read above is delivered by now.
    const shows = session && (session.state === 'finished' || session.state === 'ended');
    if (shows && !(await supersedeLinkSession(trx, session.id))) throw new ConcurrentFirstLink();
    await discardConnection(trx, { endUserId, id }, real);
  }
  return undefined;
};
