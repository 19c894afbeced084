// Data keys: one per refresh, stored sealed to the end user or wrapped. The queries of sealed records read them with the
// records, and a keyring opens each at most once per response.

import { randomBytes } from 'node:crypto';
import type { Database } from '../db/open.ts';
import { CorruptData } from '../errors.ts';
import { toBase62 } from '../ids.ts';
import { toBoxPublicKey } from '../vault/keys.ts';
import type { Reader, StoredDataKey } from '../vault/scopedToken.ts';
import { makeDataKey, sealBox } from '../vault/seal.ts';
import { saveWrappedDataKey } from './store.ts';

export type DataKey = { id: string; key: Buffer };

/** A new random data key. It is not stored. */
export const newDataKey = (): DataKey => ({ id: toBase62(randomBytes(16)), key: makeDataKey() });

/** Seals a data key to an end user's stored public key. */
export const sealDataKey = (key: Buffer, publicKey: Buffer): Buffer =>
  sealBox(toBoxPublicKey(publicKey), key);

export type Keyring = {
  /** Opens those of these stored data keys that are not open yet. */
  open(stored: readonly StoredDataKey[]): void;
  /** An open data key by id. Throws CorruptData if there is none, because rows refer only to existing keys. */
  get(id: string): Buffer;
};

// A list of all transactions of an account may need any number of data keys; at most this many stay open.
const openKeysMax = 2000;

/** A keyring for the data keys of a reader's end user. */
export const makeKeyring = (db: Database, reader: Reader): Keyring => {
  const keys = new Map<string, Buffer>();
  const open: Keyring['open'] = (stored) => {
    if (keys.size + stored.length > openKeysMax) keys.clear();
    const unwrapped: DataKey[] = [];
    for (const dataKey of stored) {
      if (keys.has(dataKey.id)) continue;
      const key = reader.openDataKey(dataKey);
      keys.set(dataKey.id, key);
      if (!dataKey.wrapped) unwrapped.push({ id: dataKey.id, key });
    }
    // Not awaited, and a failure is ignored: the next reader then unseals the box again.
    if (unwrapped.length > 0) void wrapDataKeys(db, reader, unwrapped).catch(() => {});
  };
  return {
    open,
    get: (id) => {
      const key = keys.get(id);
      if (key) return key;
      throw new CorruptData('A record refers to a data key that does not exist.');
    },
  };
};

const wrapDataKeys = async (db: Database, reader: Reader, dataKeys: readonly DataKey[]): Promise<void> => {
  for (const { id, key } of dataKeys) {
    const wrapped = reader.wrapDataKey(id, key);
    await saveWrappedDataKey(db.write, { endUserId: reader.endUserId, id, wrapped });
  }
};
