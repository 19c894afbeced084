// Publishes a refresh: in one short database transaction, transactions, balances and the new refresh cursor become
// visible, sealed under a data key that only the end user's scoped token unseals. The database transaction must check
// lease and revocation first.
import { setImmediate } from 'node:timers/promises';
import { accountDetails, sealBalance, sealDetails } from '../accounts/account.ts';
import { insertAccount, updateAccount } from '../accounts/store.ts';
import type { DbTransaction } from '../db/open.ts';
import { nextRefreshCursor } from '../ids.ts';
import { sealDataKey } from '../users/dataKeys.ts';
import { insertDataKey } from '../users/store.ts';
import { fingerprint } from '../vault/keys.ts';
import type { FetchedAccount, FetchedAccounts } from './fetchAccounts.ts';
import {
  type Publication,
  publishAdded,
  publishBatch,
  publishChanged,
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

// Rows per statement: enough to be fast, few enough that other requests run in between.
const rowsPerStatement = 5000;

/** Publishes what was fetched. A refresh without changes stores no data key and no new refresh cursor. */
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
  const { incoming, existing, id, counts } = account;
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
  const refreshCursor =
    !existing || change.transactionsChanged
      ? nextRefreshCursor(existing?.lastRefreshCursor, target.now)
      : existing.lastRefreshCursor;
  const publication: Publication = {
    endUserId: fetched.endUserId,
    refreshId: fetched.refreshId,
    accountId: account.id,
    targetUserId: target.endUserId,
    firstSeq: existing?.nextSeq ?? 0,
    refreshCursor,
    dataKeyId: fetched.dataKey.id,
  };
  await publishTransactions(trx, publication, account);
  const { incoming, id } = account;
  const { key, id: keyId } = fetched.dataKey;
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
  const accountKey = { endUserId: target.endUserId, id };
  if (!existing) {
    const { connectionId } = target;
    await insertAccount(trx, {
      ...accountKey,
      connectionId,
      position: change.position,
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
  account: FetchedAccount,
): Promise<void> => {
  const { counts, added } = account;
  for await (const batch of added?.batches(trx) ?? []) {
    await publishBatch(trx, publication, batch);
    await setImmediate();
  }
  if (!added && counts.added > 0) {
    for (let from = 0; from < account.transactionCount; from += rowsPerStatement) {
      await publishAdded(trx, publication, { from, to: from + rowsPerStatement });
      await setImmediate();
    }
  }
  if (counts.changed > 0) await publishChanged(trx, publication);
  if (counts.renumbered > 0) await publishRenumbered(trx, publication);
  if (counts.voided > 0) await publishVoided(trx, publication);
};
