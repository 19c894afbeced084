// Re-encrypts and re-signs stored rows with the current version of a secret, in bounded steps by primary key. Each row is
// replaced only if it has not changed since it was read, so that no change by another process is lost; rows of the current
// version are skipped, so that the work can be interrupted and repeated.
import * as connection from '../../domain/connections/connection.ts';
import * as consents from '../../domain/connections/consents.ts';
import * as revocations from '../../domain/connections/revocationStore.ts';
import * as connections from '../../domain/connections/store.ts';
import * as directories from '../../domain/institutions/directories.ts';
import { resealRow, type SandboxKeyset } from '../../domain/institutions/sandbox/rowEncryption.ts';
import * as sandbox from '../../domain/institutions/sandbox/store.ts';
import * as endUser from '../../domain/users/endUser.ts';
import * as webhooks from '../../domain/webhooks/store.ts';
import * as linkSessions from '../../flows/link/store.ts';
import type { Database } from '../../platform/db/open.ts';
import { findRenewable, type RenewableColumn, replaceUnchanged } from '../../platform/db/renewable.ts';
import { CorruptData } from '../../platform/values/errors.ts';
import type { KeyPair } from '../../platform/vault/keys.ts';
import type { Keyset } from '../../platform/vault/keyset.ts';
import { renewSignature, type SigningKeys } from '../../platform/vault/sign.ts';
import { resealForWorker } from '../../platform/vault/workerBoxes.ts';

export type RenewDeps = {
  db: Database;
  chunkRows: number;
  signal: AbortSignal;
  onProgress(counts: RenewCounts): void;
};

/** The number of renewed rows, and of skipped rows that no version opens or verifies. */
export type RenewCounts = { renewed: number; invalid: number };

/** The columns to re-encrypt or re-sign, by their secret. */
export const renewable = {
  worker: [
    ...[...connections.sealedToWorker, ...revocations.sealedToWorker],
    ...[...linkSessions.sealedToWorker, ...webhooks.sealedToWorker],
  ],
  'row-signing': [endUser.signed, connection.signed, consents.signed, directories.signed],
  sandbox: sandbox.sealed,
} satisfies Record<string, readonly RenewableColumn[]>;

/**
 * Re-encrypts bank credentials, fingerprint keys, pending import requests and webhook secrets to the worker's current key.
 * Throws the signal's reason if aborted.
 */
export const resealWorkerRows = async (deps: RenewDeps, keys: Keyset<KeyPair>): Promise<RenewCounts> => {
  const counts = { renewed: 0, invalid: 0 };
  for (const sealed of renewable.worker) {
    const { column, kind } = sealed;
    await renewRows(deps, counts, sealed, (row: Record<typeof column, Buffer> & { id: string }) => {
      const value = resealForWorker(row[column], [kind, row.id], keys);
      return value && { [column]: value };
    });
  }
  return counts;
};

/** Re-signs end users, connections, consents and directory lists with the current key. Throws the signal's reason if aborted. */
export const renewSignatures = async (deps: RenewDeps, keys: Keyset<SigningKeys>): Promise<RenewCounts> => {
  const counts = { renewed: 0, invalid: 0 };
  for (const signed of renewable['row-signing']) {
    await renewRows(deps, counts, signed, (row: { signature: Buffer }) => {
      const signature = renewSignature(signed.statementOf(row as never), row.signature, keys);
      return signature && { signature };
    });
  }
  return counts;
};

/** Re-encrypts the sandbox bank's data with the current secret. Throws the signal's reason if aborted. */
export const resealSandboxRows = async (deps: RenewDeps, keys: SandboxKeyset): Promise<RenewCounts> => {
  const counts = { renewed: 0, invalid: 0 };
  for (const sealed of renewable.sandbox) {
    // One login at a time, because a finishing load locks logins in another order.
    const chunkRows = sealed.table === 'sandbox_logins' ? 1 : deps.chunkRows;
    await renewRows({ ...deps, chunkRows }, counts, sealed, (row: sandbox.SealedRow) => resealRow(keys, row));
  }
  return counts;
};

/** `renew` returns the columns to change, or undefined if the row has the current version. It throws CorruptData. */
const renewRows = async <Row extends object>(
  { db, chunkRows: limit, signal, onProgress }: RenewDeps,
  counts: RenewCounts,
  column: RenewableColumn,
  renew: (row: Row) => object | undefined,
): Promise<void> => {
  const tryRenew = (row: Row): object | undefined => {
    try {
      return renew(row);
    } catch (error) {
      if (!(error instanceof CorruptData)) throw error;
      counts.invalid += 1;
      return undefined;
    }
  };
  const findAfter = (after?: Row): Promise<Row[]> => findRenewable(db.read, column, { after, limit });
  for (let rows = await findAfter(); rows.length > 0; rows = await findAfter(rows.at(-1))) {
    signal.throwIfAborted();
    const renewed = rows.flatMap((row) => {
      const change = tryRenew(row);
      return change ? [{ row, change }] : [];
    });
    await db.transaction(async (trx) => {
      for (const { row, change } of renewed) await replaceUnchanged(trx, column, row, change);
    });
    counts.renewed += renewed.length;
    onProgress(counts);
  }
};
