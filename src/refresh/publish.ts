// The one short transaction in which a refresh becomes visible: entries, balances and the new cursor together,
// under a data key that only the end user's token opens. The caller has checked lease and revocation in it.
import { setImmediate } from 'node:timers/promises';
import { accountDetails, sealBalance, sealDetails } from '../accounts/account.ts';
import { insertAccount, updateAccount } from '../accounts/store.ts';
import type { DbTransaction } from '../db/open.ts';
import { sealDataKey } from '../users/dataKeys.ts';
import { insertDataKey } from '../users/store.ts';
import { fingerprint } from '../vault/fingerprint.ts';
import { nextRefreshCursor } from './refreshCursor.ts';
import type { FetchedAccounts, FetchedAccount } from './fetchAccounts.ts';
import {
  type Publication,
  publishAdded,
  publishChanged,
  publishBatch,
  publishRenumbered,
  publishVoided,
} from './store.ts';

export type PublishTarget = {
  endUserId: string;
  publicKey: Buffer;
  connectionId: string;
  /** The application's time. */
  now: Date;
  fingerprintKey: Buffer;
};

// Rows per statement: long enough to be fast, short enough that other requests are answered in between.
const rowsPerStatement = 5000;

/** Publishes what was gathered. A refresh that changed nothing writes no data key and moves no cursor. */
export const publish = async (
  trx: DbTransaction,
  gathered: FetchedAccounts,
  target: PublishTarget,
): Promise<void> => {
  const changes = gathered.accounts.map((account, position) => describeChange(account, position, target));
  if (changes.some((change) => change.needsDataKey)) {
    await insertDataKey(trx, {
      endUserId: target.endUserId,
      id: gathered.dataKey.id,
      connectionId: target.connectionId,
      sealed: sealDataKey(gathered.dataKey, target.publicKey),
      createdAt: target.now.toISOString(),
    });
  }
  for (const change of changes) await publishAccount(trx, gathered, change, target);
};

type AccountChange = {
  account: FetchedAccount;
  position: number;
  fingerprints: { bankId: Buffer; number: Buffer; details: Buffer; balance: Buffer };
  detailsChanged: boolean;
  balanceChanged: boolean;
  transactionsChanged: boolean;
  /** Whether anything was sealed under the refresh's data key. */
  needsDataKey: boolean;
};

const describeChange = (account: FetchedAccount, position: number, target: PublishTarget): AccountChange => {
  const { incoming, existing, id, counts } = account;
  const print = (purpose: string, scope: string, value: unknown): Buffer =>
    fingerprint(target.fingerprintKey, purpose, scope, [JSON.stringify(value)]);
  const fingerprints = {
    ...accountFingerprints(incoming, target.connectionId, target.fingerprintKey),
    details: print('details', id, accountDetails(incoming)),
    balance: print('balance', id, [
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

/** How an account of the bank is recognised again: by the bank's id, or by its number where ids rotate. */
export const accountFingerprints = (
  bank: { id: string; number: string },
  connectionId: string,
  key: Buffer,
): { bankId: Buffer; number: Buffer } => ({
  bankId: fingerprint(key, 'bank account id', connectionId, [bank.id]),
  number: fingerprint(key, 'account number', connectionId, [bank.number]),
});

const publishAccount = async (
  trx: DbTransaction,
  gathered: FetchedAccounts,
  change: AccountChange,
  target: PublishTarget,
): Promise<void> => {
  const { account } = change;
  const { existing } = account;
  const refreshCursor =
    !existing || change.transactionsChanged
      ? nextRefreshCursor(existing?.lastRefreshCursor, target.now)
      : existing.lastRefreshCursor;
  const publication: Publication = {
    endUserId: gathered.endUserId,
    refreshId: gathered.refreshId,
    accountId: account.id,
    targetUserId: target.endUserId,
    firstSeq: existing?.nextSeq ?? 0,
    refreshCursor,
    dataKeyId: gathered.dataKey.id,
  };
  await publishTransactions(trx, publication, account);
  const { incoming, id } = account;
  const { key, id: keyId } = gathered.dataKey;
  const row = {
    bankIdFingerprint: change.fingerprints.bankId,
    numberFingerprint: change.fingerprints.number,
    lastRefreshCursor: refreshCursor,
    nextSeq: publication.firstSeq + account.transactionCount,
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
  const place = { endUserId: target.endUserId, id };
  if (!existing) {
    const { connectionId } = target;
    await insertAccount(trx, {
      ...place,
      connectionId,
      position: change.position,
      ...row,
      ...details(),
      ...balance(),
    });
    return;
  }
  await updateAccount(trx, place, {
    ...row,
    ...(change.detailsChanged && details()),
    ...(change.balanceChanged && balance()),
  });
};

const publishTransactions = async (
  trx: DbTransaction,
  of: Publication,
  account: FetchedAccount,
): Promise<void> => {
  const { counts, added } = account;
  for await (const batch of added?.batches(trx) ?? []) {
    await publishBatch(trx, of, batch);
    await setImmediate();
  }
  if (!added && counts.added > 0) {
    for (let from = 0; from < account.transactionCount; from += rowsPerStatement) {
      await publishAdded(trx, of, { from, to: from + rowsPerStatement });
      await setImmediate();
    }
  }
  if (counts.changed > 0) await publishChanged(trx, of);
  if (counts.renumbered > 0) await publishRenumbered(trx, of);
  if (counts.voided > 0) await publishVoided(trx, of);
};
