// Data keys: one per refresh, stored only as a box sealed to the user. A keyring opens each at most once for
// one answer, and asks for all that a page needs in one question.

import type { Database } from '../db/open.ts';
import { CorruptData } from '../errors.ts';
import { toBase62 } from '../ids.ts';
import { randomBytes } from '../random.ts';
import type { Reader, StoredDataKey } from '../vault/reader.ts';
import { makeDataKey, sealBox } from '../vault/seal.ts';
import { toBoxPublicKey } from '../vault/userKey.ts';
import { findDataKeys, saveWrappedDataKey } from './store.ts';

export type DataKey = { id: string; key: Buffer };

/** A fresh data key, in memory only. */
export const newDataKey = (): DataKey => ({ id: toBase62(randomBytes(16)), key: makeDataKey() });

/** A data key as it is stored. */
export const sealDataKey = (dataKey: DataKey, publicHalf: Buffer): Buffer =>
  sealBox(toBoxPublicKey(publicHalf), dataKey.key);

export type Keyring = {
  /** Opens all of these data keys that are not open yet. */
  load(ids: Iterable<string>): Promise<void>;
  /** The data key of this id; Corrupt where it is not there, because rows name only keys that exist. */
  get(id: string): Buffer;
};

// A walk through a whole account may meet any number of data keys; this many stay open at a time.
const openKeysMax = 2000;

/** A keyring over what is stored. */
export const makeKeyring = (db: Database, reader: Reader): Keyring => {
  const open = new Map<string, Buffer>();
  return {
    load: async (ids) => {
      const wanted = [...new Set(ids)];
      let missing = wanted.filter((id) => !open.has(id));
      if (missing.length === 0) return;
      if (open.size + missing.length > openKeysMax) {
        open.clear();
        missing = wanted;
      }
      const stored = await findDataKeys(db.read, reader.endUserId, missing);
      for (const dataKey of stored) open.set(dataKey.id, reader.openDataKey(dataKey));
      const unwrapped = stored.filter(({ wrapped }) => !wrapped);
      // Not awaited and not reported: whoever loses it opens the sealed box once more.
      if (unwrapped.length > 0) void wrapDataKeys(db, reader, unwrapped).catch(() => {});
    },
    get: (id) => {
      const key = open.get(id);
      if (key) return key;
      throw new CorruptData('A record names a data key that is not there.');
    },
  };
};

const wrapDataKeys = async (db: Database, reader: Reader, stored: StoredDataKey[]): Promise<void> => {
  for (const dataKey of stored) {
    const wrapped = reader.wrapDataKey(dataKey.id, reader.openDataKey(dataKey));
    await saveWrappedDataKey(db.write, { endUserId: reader.endUserId, id: dataKey.id, wrapped });
  }
};
