// Publishes a refresh: in one short database transaction, transactions, balances and the new refresh time become
// visible, sealed under a data key that only the end user's scoped token unseals. The database transaction must check
// lease and revocation first.
import { randomInt } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { accountDetails, sealBalance, sealDetails } from '../accounts/account.ts';
import { insertAccount, updateAccount } from '../accounts/store.ts';
import { inChunks } from '../chunks.ts';
import type { DbTransaction } from '../db/open.ts';
import { nextRefreshTime } from '../ids.ts';
import { sealDataKey } from '../users/dataKeys.ts';
import { insertDataKey } from '../users/store.ts';
import { fingerprint } from '../vault/keys.ts';
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
  fingerprintKey: Buffer;
};

// Few enough that other requests run in between.
const rowsPerTurn = 500;
const blocksPerTurn = 50;
const accountShortIdMax = 2 ** 31 - 1;

/** Publishes what was fetched. A refresh without changes stores no data key and no new refresh time. */
export const publish = async (
  trx: DbTransaction,
  fetched: FetchedAccounts,
  target: PublishTarget,
): Promise<void> => {
  const changes = fetched.accounts.map((account, position) => describeChange(account, position, target));
  if (changes.some((change) => change.needsDataKey)) {
    await insertDataKey(trx, {
      endUserId: target.endUserId,
      id: fetched.dataKey.id,
      connectionId: target.connectionId,
      sealed: sealDataKey(fetched.dataKey, target.publicKey),
      createdAt: target.now.toISOString(),
    });
  }
  for (const change of changes) await publishAccount(trx, fetched, change, target);
};

type AccountChange = {
  account: FetchedAccount;
  position: number;
  fingerprints: { bankId: Buffer; number: Buffer; details: Buffer; balance: Buffer };
  detailsChanged: boolean;
  balanceChanged: boolean;
  transactionsChanged: boolean;
  /** Whether anything is sealed under the data key of this refresh. */
  needsDataKey: boolean;
};

const describeChange = (account: FetchedAccount, position: number, target: PublishTarget): AccountChange => {
  const { incoming, existing, id, merged } = account;
  const { counts } = merged.result;
  const fingerprintFor = (purpose: string, value: unknown): Buffer =>
    fingerprint(target.fingerprintKey, purpose, id, [JSON.stringify(value)]);
  const fingerprints = {
    ...accountFingerprints(incoming, target.connectionId, target.fingerprintKey),
    details: fingerprintFor('details', accountDetails(incoming)),
    balance: fingerprintFor('balance', [
      incoming.balance.current,
      incoming.balance.available,
      incoming.balance.limit,
    ]),
  };
  const detailsChanged = !existing?.detailsFingerprint.equals(fingerprints.details);
  const balanceChanged = !existing?.balanceFingerprint.equals(fingerprints.balance);
  const needsDataKey = detailsChanged || balanceChanged || counts.added + counts.changed > 0;
  const transactionsChanged = counts.added + counts.changed + counts.voided > 0;
  return {
    account,
    position,
    fingerprints,
    detailsChanged,
    balanceChanged,
    transactionsChanged,
    needsDataKey,
  };
};

/** What a bank's account is matched by: the bank's id, or the account number when the bank changes its ids. */
export const accountFingerprints = (
  account: { id: string; number: string },
  connectionId: string,
  key: Buffer,
): { bankId: Buffer; number: Buffer } => ({
  bankId: fingerprint(key, 'bank account id', connectionId, [account.id]),
  number: fingerprint(key, 'account number', connectionId, [account.number]),
});

const publishAccount = async (
  trx: DbTransaction,
  fetched: FetchedAccounts,
  change: AccountChange,
  target: PublishTarget,
): Promise<void> => {
  const { account } = change;
  const { existing } = account;
  const shortId = existing?.shortId ?? randomInt(accountShortIdMax);
  const refreshTime =
    !existing || change.transactionsChanged
      ? nextRefreshTime(existing?.lastRefreshTime, target.now)
      : existing.lastRefreshTime;
  const publication: Publication = {
    endUserId: target.endUserId,
    accountShortId: shortId,
    staged: { endUserId: fetched.endUserId, refreshId: fetched.refreshId, accountId: account.id },
    refreshTime,
    dataKeyId: fetched.dataKey.id,
    firstBlock: existing?.nextBlock ?? 0,
  };
  await publishTransactions(trx, publication, account.merged, target.real.toISOString());
  const { incoming, id } = account;
  const { key, id: keyId } = fetched.dataKey;
  const row = {
    bankIdFingerprint: change.fingerprints.bankId,
    numberFingerprint: change.fingerprints.number,
    lastRefreshTime: refreshTime,
    nextSeq: account.merged.nextSeq,
    nextBlock: publication.firstBlock + account.merged.blockCount,
    lastSeenAt: target.now.toISOString(),
  };
  const details = () => ({
    detailsSealed: sealDetails(accountDetails(incoming), id, key),
    detailsKeyId: keyId,
    detailsFingerprint: change.fingerprints.details,
  });
  const balance = () => ({
    balanceSealed: sealBalance(incoming.balance, id, key),
    balanceKeyId: keyId,
    balanceFingerprint: change.fingerprints.balance,
  });
  const accountKey = { endUserId: target.endUserId, id };
  if (!existing) {
    const { connectionId } = target;
    await insertAccount(trx, {
      ...accountKey,
      connectionId,
      position: change.position,
      shortId,
      ...row,
      ...details(),
      ...balance(),
    });
    return;
  }
  await updateAccount(trx, accountKey, {
    ...row,
    ...(change.detailsChanged && details()),
    ...(change.balanceChanged && balance()),
  });
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
