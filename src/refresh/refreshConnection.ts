// One refresh, read top to bottom: sign in unattended, find our accounts again, ask, stage, merge, publish.
import type { AccountRow } from '../accounts/account.ts';
import { findAccountRows } from '../accounts/store.ts';
import type { BankAccount, CallContext } from '../connectors/connector.ts';
import type { Registry } from '../connectors/registry.ts';
import { addMilliseconds, type Clock, toIsoDate, days } from '../clock.ts';
import type { Limits } from '../config.ts';
import { type Connection, isExpired } from '../connections/connection.ts';
import { recordConnectionEvent } from '../connections/events.ts';
import { findConnectionRow, markConnectionRefreshed, markNeedsReconnect } from '../connections/store.ts';
import type { Database } from '../db/open.ts';
import { BankRefused, BankUnreachable } from '../errors.ts';
import { findEndUser } from '../users/store.ts';
import { type BankCredentials, unsealForWorker, sealForWorker } from '../vault/workerSeal.ts';
import type { KeyPair } from '../vault/keys.ts';
import { type ClaimedJob, completeJob, LeaseLost } from './jobs.ts';
import { clearStaged } from './clearStaged.ts';
import { nextRefreshAt } from './schedule.ts';
import { type FetchedAccounts, fetchAccounts, type MatchedAccount } from './fetchAccounts.ts';
import { accountFingerprints, publish } from './publish.ts';

/** What the refresh side holds. No Reader can be made from it. */
export type RefreshDeps = {
  db: Database;
  clock: Clock;
  limits: Limits;
  registry: Registry;
  workerKeys: KeyPair;
  fingerprintKey: Buffer;
};

/** How it ended: nothing is what there is to do for a connection that was revoked or is gone. */
export type RefreshOutcome = 'refreshed' | 'refused' | 'nothing';

/**
 * Refreshes a connection that was claimed. Throws BankUnreachable where it should be tried again and LeaseLost
 * where nothing may be published; a refusal of the bank stops the schedule until the user reconnects.
 */
export const refreshConnection = async (
  tools: RefreshDeps,
  work: ClaimedJob,
  signal: AbortSignal,
): Promise<RefreshOutcome> => {
  const { db, clock, limits } = tools;
  const connection = await findConnectionRow(db.read, { endUserId: work.endUserId, id: work.connectionId });
  const now = clock.now(work.environment);
  const time = { now, real: clock.real(), retentionDays: limits.retentionDays };
  if (!connection?.credentials || connection.revokedAt || isExpired(connection, time)) {
    await db.transaction((trx) => completeJob(trx, work, undefined));
    return 'nothing';
  }
  try {
    const gathered = await fetchConnection(tools, work, connection, { signal, now });
    await publishRefresh(tools, work, connection, gathered);
    await clearStaged(tools, gathered);
    return 'refreshed';
  } catch (error) {
    if (!(error instanceof BankRefused)) throw error;
    await stopSchedule(tools, work, error.reason);
    return 'refused';
  }
};

type FetchedConnection = FetchedAccounts & { full: boolean; credentials: BankCredentials };

const fetchConnection = async (
  tools: RefreshDeps,
  work: ClaimedJob,
  connection: Connection,
  call: CallContext,
): Promise<FetchedConnection> => {
  const connector = tools.registry.find(work.environment, connection.institutionId)?.connector;
  if (!connector) throw new BankUnreachable('down');
  const credentials = unsealForWorker<BankCredentials>(
    connection.credentials!,
    connection.id,
    tools.workerKeys,
  );
  const signedIn = await connector.signIn(
    {
      institutionId: connection.institutionId,
      credentials: credentials.values,
      deviceToken: credentials.deviceToken,
      attended: false,
    },
    call,
  );
  if (signedIn.kind === 'challenge') throw new BankRefused('user_action_required');
  const accounts = await matchAccounts(tools, connection, await connector.accounts(signedIn.access, call));
  const full = isFullRefreshDue(connection, call.now, tools.limits);
  const gathered = await fetchAccounts(tools, {
    endUserId: connection.endUserId,
    connector,
    access: signedIn.access,
    accounts,
    since: full ? undefined : overlapStart(connection, tools.limits),
    call,
  });
  const deviceToken = signedIn.deviceToken ?? credentials.deviceToken;
  return { ...gathered, full, credentials: { ...credentials, deviceToken } };
};

const isFullRefreshDue = (connection: Connection, now: Date, limits: Limits): boolean => {
  const last = connection.refreshedFullyAt;
  return last === null || Date.parse(last) + days(limits.fullRefreshDays) <= now.getTime();
};

const overlapStart = (connection: Connection, limits: Limits): string =>
  toIsoDate(addMilliseconds(new Date(connection.refreshedAt!), -days(limits.overlapDays)));

/** Our accounts of a connection among the bank's; those that the bank does not show now are left as they are. */
export const matchAccounts = async (
  tools: Pick<RefreshDeps, 'db' | 'fingerprintKey'>,
  connection: Pick<Connection, 'endUserId' | 'id'>,
  shown: readonly BankAccount[],
): Promise<MatchedAccount[]> => {
  const rows = await findAccountRows(tools.db.read, {
    endUserId: connection.endUserId,
    connectionId: connection.id,
  });
  const left = new Set(
    shown.map((bank) => ({ bank, prints: accountFingerprints(bank, connection.id, tools.fingerprintKey) })),
  );
  const found = new Map<string, BankAccount>();
  // By the bank's id first: only an account whose id is gone is looked for by its number.
  for (const same of [sameBankId, sameNumber]) {
    for (const held of rows) {
      const match = found.has(held.id) ? undefined : [...left].find(({ prints }) => same(prints, held));
      if (!match) continue;
      left.delete(match);
      found.set(held.id, match.bank);
    }
  }
  return rows.flatMap((held) => {
    const bank = found.get(held.id);
    return bank ? [{ incoming: bank, existing: held }] : [];
  });
};

type AccountFingerprints = ReturnType<typeof accountFingerprints>;
const sameBankId = (prints: AccountFingerprints, held: AccountRow): boolean =>
  prints.bankId.equals(held.bankIdFingerprint);
const sameNumber = (prints: AccountFingerprints, held: AccountRow): boolean =>
  prints.number.equals(held.numberFingerprint);

const publishRefresh = async (
  tools: RefreshDeps,
  work: ClaimedJob,
  connection: Connection,
  gathered: FetchedConnection,
): Promise<void> => {
  const { db, clock, limits } = tools;
  const user = await findEndUser(db.read, connection.endUserId);
  if (!user) throw new LeaseLost();
  const now = clock.now(work.environment);
  const credentials = await updatedCredentials(tools, connection, gathered.credentials);
  await db.transaction(async (trx) => {
    const dueAt = nextRefreshAt(now, limits, Math.random()).toISOString();
    await completeJob(trx, work, { ...work, dueAt, attempts: 0 });
    const key = { endUserId: connection.endUserId, id: connection.id };
    if (!(await markConnectionRefreshed(trx, key, { now, full: gathered.full, credentials })))
      throw new LeaseLost();
    const { publicKey } = user;
    const { fingerprintKey } = tools;
    const of = { endUserId: key.endUserId, connectionId: key.id };
    await publish(trx, gathered, { ...of, publicKey, now, fingerprintKey });
    const event = { kind: 'refreshed', at: now, real: clock.real() } as const;
    await recordConnectionEvent(trx, of, event, limits.connectionEventsMax);
  });
};

// A sealed box is another one each time it is made; the old one stays while the device token does.
const updatedCredentials = async (
  tools: RefreshDeps,
  connection: Connection,
  credentials: BankCredentials,
): Promise<Buffer> => {
  const known = unsealForWorker<BankCredentials>(connection.credentials!, connection.id, tools.workerKeys);
  if (known.deviceToken === credentials.deviceToken) return connection.credentials!;
  return sealForWorker(credentials, connection.id, tools.workerKeys.publicKey);
};

const stopSchedule = async (tools: RefreshDeps, work: ClaimedJob, reason: string): Promise<void> => {
  const { db, clock, limits } = tools;
  const event = { kind: 'refused', reason, at: clock.now(work.environment), real: clock.real() } as const;
  await db.transaction(async (trx) => {
    await completeJob(trx, work, undefined);
    await markNeedsReconnect(trx, { endUserId: work.endUserId, id: work.connectionId }, reason);
    await recordConnectionEvent(trx, work, event, limits.connectionEventsMax);
  });
};
