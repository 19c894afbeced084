// The first import: what the worker does with an order. Everything that makes a connection (the user, the
// owners of ids, accounts, transactions, the result for the page) appears in one transaction, or not at all.
import type { Call } from '../banks/bank.ts';
import { after, seconds } from '../clock.ts';
import { recordConnectionEvent } from '../connections/events.ts';
import {
  findConnectionRows,
  findLinkSessionId,
  discardConnection,
  insertConnection,
} from '../connections/store.ts';
import type { Transaction } from '../db/open.ts';
import { BankUnreachable } from '../errors.ts';
import { type ClaimedWork, completeWork } from '../refresh/claims.ts';
import { clearStaged } from '../refresh/clearStaged.ts';
import { nextRefreshAt } from '../refresh/due.ts';
import { type Gathered, gather } from '../refresh/gather.ts';
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
  finishSession,
  type ImportTools,
  progressNoter,
  resultFor,
  UserUndecided,
  underOrder,
} from './follow.ts';
import type { ImportOrder, SessionRow } from './session.ts';
import { findSession, supersede } from './store.ts';

type Order = { session: SessionRow; order: ImportOrder };

/**
 * Imports what a session ordered. Throws where it should be tried again; a refusal, or too many tries, fails
 * the session instead.
 */
export const importConnection = async (
  tools: ImportTools,
  work: ClaimedWork,
  signal: AbortSignal,
): Promise<void> => {
  await underOrder(tools, work, signal, async (session, order, call) => {
    const gathered = await ask(tools, work, { order, call });
    await publishImport(tools, work, { session, order, gathered });
    await clearStaged(tools, gathered);
  });
};

const ask = async (
  tools: ImportTools,
  work: ClaimedWork,
  { order, call }: { order: ImportOrder; call: Call },
): Promise<Gathered> => {
  const bank = tools.registry.find(work.environment, order.institution.id)?.bank;
  if (!bank) throw new BankUnreachable('down');
  const shown = await bank.accounts(order.access, call);
  const accounts = shown.filter((account) => order.accountIds.includes(account.id)).map((bank) => ({ bank }));
  if (accounts.length !== order.accountIds.length) throw new BankUnreachable('incomplete');
  return gather(tools, {
    endUserId: work.endUserId,
    bank,
    access: order.access,
    accounts,
    call,
    onProgress: progressNoter(tools, work.sessionId!),
  });
};

const publishImport = async (
  tools: ImportTools,
  work: ClaimedWork,
  { session, order, gathered }: Order & { gathered: Gathered },
): Promise<void> => {
  const { clock, limits, fingerprintKey } = tools;
  await tools.db.transaction(async (trx) => {
    // One time for all of it: whoever gives another session's result up has not itself run out by then.
    const [now, real] = [clock.now(work.environment), clock.real()];
    const deliveryExpiresAt = after(real, seconds(limits.deliveryMinutes * 60)).toISOString();
    const user = await chooseUser(trx, work, { session, order, now, real });
    const dueAt = nextRefreshAt(now, limits, Math.random()).toISOString();
    const endUserId = user.endUserId;
    await completeWork(trx, work, {
      ...work,
      endUserId,
      kind: 'refresh',
      sessionId: null,
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
      institutionId: order.institution.id,
      institutionName: order.institution.name,
      createdAt: now.toISOString(),
      revokedAt: null,
      deliveryExpiresAt,
      reconnectReason: null,
      credentials: sealForWorker(
        { values: order.values, deviceToken: order.deviceToken },
        work.connectionId,
        tools.worker.publicKey,
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
    await finishSession(trx, session, {
      endUserId,
      expiresAt: deliveryExpiresAt,
      result: resultFor(session, order, gathered, { connectionId: work.connectionId, ...user }),
    });
  });
};

type ChosenUser = { endUserId: string; publicKey: Buffer; isNew: boolean };

// Whose the connection is: the current end user of the external id, as long as one of its connections is
// neither revoked nor given up; else a new one, whose token this session carries.
const chooseUser = async (
  trx: Transaction,
  work: ClaimedWork,
  { session, order, now, real }: Order & { now: Date; real: Date },
): Promise<ChosenUser> => {
  const { applicationId, endUserId } = work;
  const { externalUserId } = session;
  const publicKey = Buffer.from(order.publicKey, 'base64url');
  if (externalUserId !== null) {
    const current = await findCurrentEndUserId(trx, applicationId, externalUserId);
    const kept = current === undefined ? undefined : await keepUser(trx, current, real);
    if (kept) return kept;
    const claim = { applicationId, externalUserId, endUserId, replaces: current };
    if (!(await setCurrentEndUser(trx, claim))) throw new UserUndecided();
  }
  const user = { endUserId, publicKey, applicationId, externalUserId };
  await insertEndUser(trx, { ...user, createdAt: now.toISOString() });
  return { endUserId, publicKey, isNew: true };
};

const keepUser = async (trx: Transaction, endUserId: string, real: Date): Promise<ChosenUser | undefined> => {
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
    const session = sessionId && (await findSession(trx, sessionId));
    // One that has just been acknowledged has ended: the connection that was read above is delivered by now.
    const shows = session && (session.state === 'finished' || session.state === 'ended');
    if (shows && !(await supersede(trx, session.id))) throw new UserUndecided();
    await discardConnection(trx, { endUserId, id }, real);
  }
  return undefined;
};
