// Publishes a refresh: in one short database transaction, transactions, balances and the new refresh time become
// visible, sealed under a data key that only the end user's scoped token unseals. The database transaction must check
// lease and revocation first.
import { randomInt } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { sealAccount } from '../accounts/account.ts';
import { insertAccount, updateAccount } from '../accounts/store.ts';
import { inChunks } from '../chunks.ts';
import type { DbTransaction } from '../db/open.ts';
import { nextRefreshTime } from '../ids.ts';
import { sealDataKey } from '../users/dataKeys.ts';
import { insertDataKey } from '../users/store.ts';
import { makeDataKey } from '../vault/seal.ts';
import type { FetchedAccount, FetchedAccounts } from './fetchAccounts.ts';
import type { MergedAccount } from './mergeAccount.ts';
import {
  insertBlocks,
  insertStagedNewBlocks,
  insertTransactions,
  type Publication,
  reduceTransactionCounts,
  updateChanged,
  updateRenumbered,
  updateVoided,
} from './store.ts';

export type PublishTarget = {
  endUserId: string;
  publicKey: Buffer;
  connectionId: string;
  /** The application's time, and real time. */
  now: Date;
  real: Date;
};

// Few enough that other requests run in between.
const rowsPerTurn = 500;
const blocksPerTurn = 50;
const accountShortIdMax = 2 ** 31 - 1;

/** Publishes what was fetched. A refresh without changes stores no row of a data key and no new refresh time. */
export const publish = async (
  trx: DbTransaction,
  fetched: FetchedAccounts,
  target: PublishTarget,
): Promise<void> => {
  const needsDataKey = fetched.accounts.some(({ merged }) => merged.blockCount > 0);
  if (needsDataKey) {
    await insertDataKey(trx, {
      endUserId: target.endUserId,
      id: fetched.dataKey.id,
      connectionId: target.connectionId,
      sealed: sealDataKey(fetched.dataKey.key, target.publicKey),
      createdAt: target.now.toISOString(),
    });
  }
  for (const [position, account] of fetched.accounts.entries()) {
    await publishAccount(trx, fetched, { account, position }, target);
  }
};

const publishAccount = async (
  trx: DbTransaction,
  fetched: FetchedAccounts,
  { account, position }: { account: FetchedAccount; position: number },
  target: PublishTarget,
): Promise<void> => {
  const { incoming, existing, id, merged, fingerprints } = account;
  const { added, changed, voided } = merged.result.counts;
  const shortId = existing?.shortId ?? randomInt(accountShortIdMax);
  const refreshTime =
    existing && added + changed + voided === 0
      ? existing.lastRefreshTime
      : nextRefreshTime(existing?.lastRefreshTime, target.now);
  const publication: Publication = {
    endUserId: target.endUserId,
    accountShortId: shortId,
    staged: { endUserId: fetched.endUserId, refreshId: fetched.refreshId, accountId: account.id },
    refreshTime,
    dataKeyId: fetched.dataKey.id,
    firstBlock: existing?.nextBlock ?? 0,
  };
  await publishTransactions(trx, publication, merged, target.real.toISOString());
  const key = makeDataKey();
  const row = {
    ...fingerprints,
    sealed: sealAccount(incoming, id, key),
    keySealed: sealDataKey(key, target.publicKey),
    keyWrapped: null,
    lastRefreshTime: refreshTime,
    nextSeq: merged.nextSeq,
    nextBlock: publication.firstBlock + merged.blockCount,
    lastSeenAt: target.now.toISOString(),
  };
  const accountKey = { endUserId: target.endUserId, id };
  if (existing) await updateAccount(trx, accountKey, row);
  else {
    const { connectionId } = target;
    await insertAccount(trx, { ...accountKey, connectionId, position, shortId, ...row });
  }
};

const publishTransactions = async (
  trx: DbTransaction,
  publication: Publication,
  { result, blocks, blockCount }: MergedAccount,
  now: string,
): Promise<void> => {
  for (const part of inChunks(blocks, blocksPerTurn)) {
    await insertBlocks(trx, publication, part);
    await setImmediate();
  }
  for (let from = 0; from < blockCount && blocks.length < blockCount; from += blocksPerTurn) {
    await insertStagedNewBlocks(trx, publication, { from, to: from + blocksPerTurn });
    await setImmediate();
  }
  for (const part of inChunks(result.added(), rowsPerTurn)) {
    await insertTransactions(trx, publication, part);
    await setImmediate();
  }
  if (result.counts.changed > 0) {
    await updateChanged(trx, publication, result.changed());
    const moved = new Map<number, number>();
    for (const { existing } of result.changed()) {
      moved.set(existing.block, (moved.get(existing.block) ?? 0) + 1);
    }
    await reduceTransactionCounts(trx, publication, moved, now);
  }
  await updateRenumbered(trx, publication, result.renumbered());
  await updateVoided(trx, publication, result.voided());
};
