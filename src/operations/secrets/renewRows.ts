// Makes stored rows anew with the current version of a secret, in bounded steps by primary key. Each row is replaced only if
// it is still the one that was read, so that no change of another process is lost; and a row that was made with the current
// version is left alone, so that the work can be interrupted and repeated.
import { renewConnectionSignature } from '../../domain/connections/connection.ts';
import { findSignedConsents, replaceConsentSignature } from '../../domain/connections/consentStore.ts';
import { renewConsentSignature } from '../../domain/connections/consents.ts';
import {
  findSealedForWorker,
  findSignedConnections,
  replaceConnectionSignature,
  replaceSealedForWorker,
  type SealedForWorker,
} from '../../domain/connections/store.ts';
import { resealRow, type SandboxKeyset } from '../../domain/institutions/sandbox/rowEncryption.ts';
import { findSealedRows, replaceSealedRow, type SealedRow } from '../../domain/institutions/sandbox/store.ts';
import { renewEndUserSignature } from '../../domain/users/endUser.ts';
import { findSignedEndUsers, replaceEndUserSignature } from '../../domain/users/store.ts';
import { findSealedSecrets, replaceSealedSecret, type SealedSecret } from '../../domain/webhooks/store.ts';
import { findImportRequests, replaceImportRequest } from '../../flows/link/store.ts';
import type { Database, DbTransaction } from '../../platform/db/open.ts';
import { CorruptData } from '../../platform/values/errors.ts';
import type { KeyPair } from '../../platform/vault/keys.ts';
import type { Keyset } from '../../platform/vault/keyset.ts';
import type { SigningKeys } from '../../platform/vault/sign.ts';
import { resealForWorker } from '../../platform/vault/workerBoxes.ts';

export type RenewDeps = {
  db: Database;
  chunkRows: number;
  signal: AbortSignal;
  onProgress(counts: RenewCounts): void;
};

/** How many rows were made anew, and how many were left because no version opens or verifies them. */
export type RenewCounts = { renewed: number; invalid: number };

/** Seals bank credentials, fingerprint keys, pending import requests and the secrets of webhooks to the worker's current key. Aborts with the signal's reason. */
export const resealWorkerRows = async (deps: RenewDeps, keys: Keyset<KeyPair>): Promise<RenewCounts> => {
  const { db, chunkRows } = deps;
  const counts = { renewed: 0, invalid: 0 };
  for (const column of ['credentials', 'fingerprintKey'] as const) {
    await renewRows<SealedForWorker>(deps, counts, {
      findAfter: (last) => findSealedForWorker(db.read, column, last, chunkRows),
      renew: ({ id, sealed }) => resealForWorker(sealed, [column, id], keys),
      replace: (trx, row, value) => replaceSealedForWorker(trx, column, row, value),
    });
  }
  await renewRows(deps, counts, {
    findAfter: (last) => findImportRequests(db.read, last, chunkRows),
    renew: ({ id, importRequestSealed }) => resealForWorker(importRequestSealed, ['importRequest', id], keys),
    replace: replaceImportRequest,
  });
  for (const column of ['secret', 'replacedSecret'] as const) {
    await renewRows<SealedSecret>(deps, counts, {
      findAfter: (last) => findSealedSecrets(db.read, column, last, chunkRows),
      renew: ({ id, sealed }) => resealForWorker(sealed, ['webhookEndpoint', id], keys),
      replace: (trx, row, value) => replaceSealedSecret(trx, column, row, value),
    });
  }
  return counts;
};

/** Signs end users, connections and consents with the current key. Aborts with the signal's reason. */
export const signRowsAnew = async (deps: RenewDeps, keys: Keyset<SigningKeys>): Promise<RenewCounts> => {
  const { db, chunkRows } = deps;
  const counts = { renewed: 0, invalid: 0 };
  await renewRows(deps, counts, {
    findAfter: (last) => findSignedEndUsers(db.read, last, chunkRows),
    renew: (user) => renewEndUserSignature(user, keys),
    replace: replaceEndUserSignature,
  });
  await renewRows(deps, counts, {
    findAfter: (last) => findSignedConnections(db.read, last, chunkRows),
    renew: (connection) => renewConnectionSignature(connection, connection, keys),
    replace: replaceConnectionSignature,
  });
  await renewRows(deps, counts, {
    findAfter: (last) => findSignedConsents(db.read, last, chunkRows),
    renew: (consent) => renewConsentSignature(consent, keys),
    replace: replaceConsentSignature,
  });
  return counts;
};

/** Seals the sandbox bank's data with the current secret. Aborts with the signal's reason. */
export const resealSandboxRows = async (deps: RenewDeps, keys: SandboxKeyset): Promise<RenewCounts> => {
  const counts = { renewed: 0, invalid: 0 };
  for (const table of ['sandbox_kv', 'sandbox_logins', 'sandbox_transactions'] as const) {
    // One login at a time: a load that ends locks logins in another order.
    const rowsMax = table === 'sandbox_logins' ? 1 : deps.chunkRows;
    await renewRows(deps, counts, {
      findAfter: (last?: SealedRow) => findSealedRows(deps.db.read, table, last, rowsMax),
      renew: (row) => resealRow(keys, row),
      replace: (trx, row, change) => replaceSealedRow(trx, table, row, change),
    });
  }
  return counts;
};

type RenewableRows<Row, Value> = {
  /** The rows after this one by primary key, at most one chunk. */
  findAfter(last: Row | undefined): Promise<Row[]>;
  /** The new value; undefined if the row was made with the current version. Throws CorruptData. */
  renew(row: Row): Value | undefined;
  /** Stores the new value, unless the row has changed. */
  replace(trx: DbTransaction, row: Row, value: Value): Promise<void>;
};

const renewRows = async <Row, Value = Buffer>(
  { db, signal, onProgress }: RenewDeps,
  counts: RenewCounts,
  { findAfter, renew, replace }: RenewableRows<Row, Value>,
): Promise<void> => {
  const tryRenew = (row: Row): Value | undefined => {
    try {
      return renew(row);
    } catch (error) {
      if (!(error instanceof CorruptData)) throw error;
      counts.invalid += 1;
      return undefined;
    }
  };
  for (let rows = await findAfter(undefined); rows.length > 0; rows = await findAfter(rows.at(-1))) {
    signal.throwIfAborted();
    const renewed = rows.flatMap((row) => {
      const value = tryRenew(row);
      return value ? [{ row, value }] : [];
    });
    await db.transaction(async (trx) => {
      for (const { row, value } of renewed) await replace(trx, row, value);
    });
    counts.renewed += renewed.length;
    onProgress(counts);
  }
};
