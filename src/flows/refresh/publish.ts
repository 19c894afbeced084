// Publishes a refresh. In one short database transaction, transactions, balances and the new refresh time become visible,
// sealed under a data key that only the end user's scoped token unseals. The database transaction also checks the lease.

import type { Balance } from '../../../connectors/kit/contract.ts';
import { sealAccount } from '../../domain/codec/account.ts';
import { rowsAhead } from '../../domain/codec/block.ts';
import type { NextRefresh } from '../../domain/connections/jobs.ts';
import { recordConnectionEvent } from '../../domain/connections/store.ts';
import { queueConnectionWebhook, type WebhookSubject } from '../../domain/connections/webhooks.ts';
import { insertDataKey, insertResourceOwners } from '../../domain/users/store.ts';
import type { DbTransaction } from '../../platform/db/open.ts';
import type { AccountRow } from '../../platform/db/tables.ts';
import { inBatches } from '../../platform/loops/fairScheduler.ts';
import { addMilliseconds, fromDayNumber, seconds, toMinutes } from '../../platform/values/clock.ts';
import { formatRefreshCursor, nextRefreshTime } from '../../platform/values/ids.ts';
import { makeKey, sealDataKey } from '../../platform/vault/seal.ts';
import { insertAccount, markRefreshed, type RefreshedConnection, updateAccount } from './accountStore.ts';
import { contentOf, insertAdded } from './addedRows.ts';
import { type FetchedAccount, type FetchedAccounts, laggingAccountIds } from './fetchAccounts.ts';
import { type ClaimedJob, completeJob, LeaseLost, type QueueDeps } from './jobs.ts';
import type { MergedAccount } from './mergeAccount.ts';
import type { Publication, TransactionKey } from './store.ts';
import * as store from './store.ts';

type PublishTarget = {
  applicationId: string;
  endUserId: string;
  publicKey: Buffer;
  connectionId: string;
  /** The application's time. */
  now: Date;
};

type UpdatedAccount = { id: string; lastTransactionRefresh: string };

/** Publishes the fetched data and returns the changed accounts. Without changes, stores no data key and no refresh time. */
export const publish = async (
  deps: QueueDeps,
  trx: DbTransaction,
  fetched: FetchedAccounts,
  target: PublishTarget,
): Promise<UpdatedAccount[]> => {
  const needsDataKey = fetched.accounts.some(
    ({ history }) => history && history.merged.blocks.length + history.merged.storedBlocks.length > 0,
  );
  if (needsDataKey) {
    await insertDataKey(trx, {
      endUserId: target.endUserId,
      id: fetched.dataKey.id,
      connectionId: target.connectionId,
      sealed: sealDataKey(fetched.dataKey.key, target.publicKey),
      createdAt: target.now.toISOString(),
    });
  }
  const added = fetched.accounts.filter(({ existing }) => !existing);
  const { applicationId, endUserId } = target;
  if (added.length > 0)
    await insertResourceOwners(
      trx,
      added.map(({ id }) => ({ id, applicationId, endUserId })),
    );
  const updated: UpdatedAccount[] = [];
  for (const [position, account] of fetched.accounts.entries()) {
    const refreshTime = await publishAccount(deps, trx, fetched, { account, position }, target);
    if (!hasChanges(account)) continue;
    updated.push({ id: account.id, lastTransactionRefresh: formatRefreshCursor(refreshTime) });
  }
  return updated;
};

const hasChanges = ({ history }: FetchedAccount): boolean => {
  if (!history) return false;
  const { added, changed, voided } = history.merged.plan;
  return added.length + changed.length + voided.length > 0;
};

/** Uses the signed application, because a job's may have been changed. */
export const subjectOf = ({ id, endUserId, applicationId }: RefreshedConnection): WebhookSubject => ({
  applicationId,
  endUserId,
  connectionId: id,
});

type RefreshResult = {
  connection: RefreshedConnection;
  publicKey: Buffer;
  /** The application's time. */
  now: Date;
  kind: 'refreshed' | 'reconnected';
  /** True if the end user has seen the bank's accounts and chosen. */
  isChosen?: boolean;
  /** The job that this completes, and its successor. */
  job: ClaimedJob;
  next: NextRefresh;
};

/**
 * Publishes the fetched data of an existing connection, with its event and webhooks, and completes the job. Throws LeaseLost if
 * the lease was lost, or the connection was revoked meanwhile or is being deleted.
 */
export const publishRefreshed = async (
  deps: QueueDeps,
  trx: DbTransaction,
  fetched: FetchedAccounts,
  { connection, publicKey, now, kind, isChosen, job, next }: RefreshResult,
): Promise<void> => {
  const about = subjectOf(connection);
  const real = deps.clock.real();
  const lagging = [...laggingAccountIds(fetched), ...fetched.unlistedIds];
  const offered = addOffered(connection.offeredFingerprints, fetched);
  const change = {
    ...{ now, full: fetched.full, laggingAccountIds: lagging, ...fetched.absences },
    offeredFingerprints: offered,
  };
  if (!(await markRefreshed(trx, about, change))) throw new LeaseLost();
  await completeJob(trx, job, next);
  const accounts = await publish(deps, trx, fetched, { ...about, publicKey, now });
  if (connection.reconnectReason !== null)
    await queueConnectionWebhook(trx, about, { type: 'connection.restored' }, real);
  if (accounts.length > 0)
    await queueConnectionWebhook(trx, about, { type: 'transactions.updated', accounts }, real);
  if (offered !== connection.offeredFingerprints && !isChosen)
    await queueConnectionWebhook(trx, about, { type: 'connection.accounts_available' }, real);
  await recordConnectionEvent(trx, about, { kind, at: now, real }, deps.limits.connectionEventsMax);
};

/** Returns the account's newest refresh that changed transactions. */
const publishAccount = async (
  deps: QueueDeps,
  trx: DbTransaction,
  fetched: FetchedAccounts,
  { account, position }: { account: FetchedAccount; position: number },
  target: PublishTarget,
): Promise<number> => {
  const { existing, id, shortId, history, fingerprints, startsOn, replacedBy } = account;
  const refreshTime =
    existing && !hasChanges(account)
      ? existing.lastRefreshTime
      : (history?.merged.storedAt ?? nextRefreshTime(existing?.lastRefreshTime, target.now));
  const publication: Publication = { endUserId: target.endUserId, accountShortId: shortId, refreshTime };
  const { endUserId, connectionId, now } = target;
  if (history)
    await publishTransactions(deps, trx, publication, history.merged, { storedFor: fetched.endUserId, now });
  if (replacedBy !== undefined) {
    await updateAccount(trx, { endUserId, id }, { lastRefreshTime: refreshTime, replacedBy });
    return refreshTime;
  }
  const row = {
    ...fingerprints,
    ...{ lastRefreshTime: refreshTime, replacedBy: null, deselectedAt: null },
    lastSeenAt: now.toISOString(),
    ...(history && readingColumns(history, existing, now)),
  };
  const balance = newBalance(account, now);
  const seal = () => sealUnderNewKey(account, balance, target.publicKey);
  if (existing) await updateAccount(trx, { endUserId, id }, { ...row, ...(balance && seal()) });
  else {
    const unread = { nextSeq: 0, readAt: null, readTo: null, missingFrom: null, historyFrom: null };
    const added = { endUserId, id, connectionId, shortId, startsOn: startsOn ?? null, ...unread };
    const at = { position: account.position ?? account.replaced?.position ?? position };
    await insertAccount(trx, { ...added, ...at, ...row, ...seal() });
  }
  return refreshTime;
};

/** A doubted response does not count as a read. */
const readingColumns = (
  { merged, completeFrom, readTo }: NonNullable<FetchedAccount['history']>,
  existing: FetchedAccount['existing'],
  now: Date,
) => {
  const { missingFrom, isDoubted } = merged.plan;
  return {
    nextSeq: merged.nextSeq,
    ...(missingFrom !== undefined && {
      missingFrom: missingFrom === null ? null : fromDayNumber(missingFrom),
    }),
    ...(!isDoubted && { readAt: now.toISOString(), readTo }),
    ...(!isDoubted && completeFrom && { historyFrom: historyFrom(completeFrom, existing) }),
  };
};

/** The first known day: the earlier history's if this response continues that history, else this response's. */
const historyFrom = (completeFrom: string, existing: FetchedAccount['existing']): string => {
  const { historyFrom: before, readTo } = existing ?? {};
  return before && readTo && before < completeFrom && completeFrom <= readTo ? before : completeFrom;
};

/**
 * The balance to store; undefined if the bank sent none, or one older than the stored one. A future time counts as now, and a
 * stored future time, from a clock that was ahead, blocks no balance. A balance with the same time replaces the stored one,
 * because some banks report only the day.
 */
const newBalance = ({ incoming, existing }: FetchedAccount, now: Date): Balance | undefined => {
  if (!incoming.balance) return undefined;
  const latest = now.toISOString();
  const asOf = incoming.balance.asOf < latest ? incoming.balance.asOf : latest;
  if (existing && existing.balanceAsOf <= latest && asOf < existing.balanceAsOf) return undefined;
  return { ...incoming.balance, asOf };
};

/** Seals the details and balance under a new key. */
const sealUnderNewKey = (
  { incoming, id }: FetchedAccount,
  balance: Balance | undefined,
  publicKey: Buffer,
): Pick<AccountRow, 'sealed' | 'keySealed' | 'keyWrapped' | 'balanceAsOf'> => {
  const key = makeKey();
  return {
    sealed: sealAccount(incoming, balance, { accountId: id, key }),
    keySealed: sealDataKey(key, publicKey),
    keyWrapped: null,
    balanceAsOf: balance?.asOf ?? '',
  };
};

const publishTransactions = async (
  { clock, limits }: QueueDeps,
  trx: DbTransaction,
  publication: Publication,
  { plan, stored, incoming, blocks, storedBlocks: allStored, storedAt }: MergedAccount,
  { storedFor, now }: { storedFor: string; now: Date },
): Promise<void> => {
  // Rows stored for another end user are stored again, and the sweep deletes the old ones.
  const isAhead = storedAt !== undefined && storedFor === publication.endUserId;
  const storedBlocks = isAhead ? allStored : allStored.filter((block) => block !== rowsAhead);
  const keyOf = (other: number): TransactionKey => ({ date: stored.date(other), seq: stored.seq(other) });
  const incomingOf = (other: number): number => plan.incomingOf[other]!;
  await store.insertBlocks(trx, publication, blocks);
  await inBatches(storedBlocks, async (batch) => {
    const kept = await store.keepStoredBlocks(trx, publication, storedFor, batch);
    if (kept < batch.length) throw new LeaseLost();
  });
  if (!isAhead) await insertAdded(trx, publication, incoming, plan.added);
  const moved = new Map<number, number>();
  await inBatches(plan.changed, (batch) => {
    for (const block of batch.map((other) => stored.block(other)))
      moved.set(block, (moved.get(block) ?? 0) + 1);
    const rows = batch.map((other) => ({
      key: keyOf(other),
      content: contentOf(incoming, incomingOf(other)),
    }));
    return store.updateChanged(trx, publication, rows);
  });
  const deleteAfter = addMilliseconds(clock.real(), seconds(limits.unusedBlockSeconds)).toISOString();
  await inBatches([...moved], (batch) => store.reduceTransactionCounts(trx, publication, batch, deleteAfter));
  await inBatches(plan.renumbered, (batch) => {
    const bankIdOf = (other: number) => incoming.fingerprint(incomingOf(other), 'bankIdFingerprint');
    const rows = batch.map((other) => ({ ...keyOf(other), bankIdFingerprint: bankIdOf(other) }));
    return store.updateBankIds(trx, publication, rows);
  });
  const setMissing = (rows: readonly number[], since: number | null) =>
    inBatches(rows, (batch) => store.updateMissingSince(trx, publication, batch.map(keyOf), since));
  await setMissing(plan.missing, toMinutes(now));
  await setMissing(plan.found, null);
  await inBatches(plan.voided, (batch) => store.updateVoided(trx, publication, batch.map(keyOf)));
};

/** Bounds the list for a bank whose ids change each time. */
const offeredBytesMax = 16_000;

/** Adds the accounts that the bank now lists to those that were reported to the application, so that each is reported once. */
export const addOffered = (
  known: Buffer | null,
  { unsharedFingerprints }: Pick<FetchedAccounts, 'unsharedFingerprints'>,
): Buffer | null => {
  const added = unsharedFingerprints.filter((one) => !isOffered(known, one));
  return added.length > 0
    ? Buffer.concat([...(known ? [known] : []), ...added]).subarray(-offeredBytesMax)
    : known;
};

const isOffered = (known: Buffer | null, one: Buffer): boolean => {
  for (let at = 0; known && at < known.length; at += one.length)
    if (known.subarray(at, at + one.length).equals(one)) return true;
  return false;
};
