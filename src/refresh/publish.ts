// The one short transaction in which a refresh becomes visible: entries, balances and the new cursor together,
// under a data key that only the end user's token opens. The caller has checked lease and revocation in it.
import { setImmediate } from 'node:timers/promises';
import { accountDetails, sealBalance, sealDetails } from '../accounts/account.ts';
import { insertAccount, updateAccount } from '../accounts/store.ts';
import type { Transaction } from '../db/open.ts';
import { sealDataKey } from '../users/dataKeys.ts';
import { insertDataKey } from '../users/store.ts';
import { fingerprint } from '../vault/fingerprint.ts';
import { nextRefreshCursor } from './cursor.ts';
import type { Gathered, GatheredAccount } from './gather.ts';
import {
  type Publication,
  publishAdded,
  publishChanged,
  publishNew,
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
export const publish = async (trx: Transaction, gathered: Gathered, target: PublishTarget): Promise<void> => {
  const changes = gathered.accounts.map((account, position) => describe(account, position, target));
  if (changes.some((change) => change.seals)) {
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
  account: GatheredAccount;
  position: number;
  prints: { bankId: Buffer; number: Buffer; details: Buffer; balance: Buffer };
  detailsChanged: boolean;
  balanceChanged: boolean;
  entriesChanged: boolean;
  /** Whether anything was sealed under the refresh's data key. */
  seals: boolean;
};

const describe = (account: GatheredAccount, position: number, target: PublishTarget): AccountChange => {
  const { bank, held, id, counts } = account;
  const print = (purpose: string, scope: string, value: unknown): Buffer =>
    fingerprint(target.fingerprintKey, purpose, scope, [JSON.stringify(value)]);
  const prints = {
    ...accountPrints(bank, target.connectionId, target.fingerprintKey),
    details: print('details', id, accountDetails(bank)),
    balance: print('balance', id, [bank.balance.current, bank.balance.available, bank.balance.limit]),
  };
  const detailsChanged = !held?.detailsFingerprint.equals(prints.details);
  const balanceChanged = !held?.balanceFingerprint.equals(prints.balance);
  const seals = detailsChanged || balanceChanged || counts.added + counts.changed > 0;
  const entriesChanged = counts.added + counts.changed + counts.voided > 0;
  return { account, position, prints, detailsChanged, balanceChanged, entriesChanged, seals };
};

/** How an account of the bank is recognised again: by the bank's id, or by its number where ids rotate. */
export const accountPrints = (
  bank: { id: string; number: string },
  connectionId: string,
  key: Buffer,
): { bankId: Buffer; number: Buffer } => ({
  bankId: fingerprint(key, 'bank account id', connectionId, [bank.id]),
  number: fingerprint(key, 'account number', connectionId, [bank.number]),
});

const publishAccount = async (
  trx: Transaction,
  gathered: Gathered,
  change: AccountChange,
  target: PublishTarget,
): Promise<void> => {
  const { account } = change;
  const { held } = account;
  const refresh =
    !held || change.entriesChanged
      ? nextRefreshCursor(held?.lastRefreshCursor, target.now)
      : held.lastRefreshCursor;
  const publication: Publication = {
    endUserId: gathered.endUserId,
    refreshId: gathered.refreshId,
    accountId: account.id,
    targetUserId: target.endUserId,
    firstSeq: held?.nextSeq ?? 0,
    refresh,
    dataKeyId: gathered.dataKey.id,
  };
  await publishEntries(trx, publication, account);
  const { bank, id } = account;
  const { key, id: keyId } = gathered.dataKey;
  const row = {
    bankIdFingerprint: change.prints.bankId,
    numberFingerprint: change.prints.number,
    lastRefreshCursor: refresh,
    nextSeq: publication.firstSeq + account.entries,
    lastSeenAt: target.now.toISOString(),
  };
  const details = () => ({
    detailsSealed: sealDetails(accountDetails(bank), id, key),
    detailsKeyId: keyId,
    detailsFingerprint: change.prints.details,
  });
  const balance = () => ({
    balanceSealed: sealBalance(bank.balance, id, key),
    balanceKeyId: keyId,
    balanceFingerprint: change.prints.balance,
  });
  const place = { endUserId: target.endUserId, id };
  if (!held) {
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

const publishEntries = async (trx: Transaction, of: Publication, account: GatheredAccount): Promise<void> => {
  const { counts, added } = account;
  for await (const batch of added?.batches(trx) ?? []) {
    await publishNew(trx, of, batch);
    await setImmediate();
  }
  if (!added && counts.added > 0) {
    for (let from = 0; from < account.entries; from += rowsPerStatement) {
      await publishAdded(trx, of, { from, to: from + rowsPerStatement });
      await setImmediate();
    }
  }
  if (counts.changed > 0) await publishChanged(trx, of);
  if (counts.renumbered > 0) await publishRenumbered(trx, of);
  if (counts.voided > 0) await publishVoided(trx, of);
};
