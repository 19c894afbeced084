// Data keys: one per refresh, stored only as a box sealed to the user. A keyring opens each at most once for
// one answer, and asks for all that a page needs in one question.

import type { Queries } from '../db/open.ts';
import { Corrupt } from '../errors.ts';
import { toBase62 } from '../ids.ts';
import { randomBytes } from '../random.ts';
import type { Reader } from '../vault/reader.ts';
import { makeDataKey, sealTo } from '../vault/seal.ts';
import { findDataKeys } from './store.ts';

export type DataKey = { id: string; key: Buffer };

/** A fresh data key, in memory only. */
export const newDataKey = (): DataKey => ({ id: toBase62(randomBytes(16)), key: makeDataKey() });

/** A data key as it is stored. */
export const sealDataKey = (dataKey: DataKey, publicKey: Buffer): Buffer => sealTo(publicKey, dataKey.key);

export type Keyring = {
  /** Opens all of these data keys that are not open yet. */
  load(ids: Iterable<string>): Promise<void>;
  /** The data key of this id; Corrupt where it is not there, because rows name only keys that exist. */
  get(id: string): Buffer;
};

// A walk through a whole account may meet any number of data keys; this many stay open at a time.
const openKeysMax = 2000;

export const makeKeyring = (db: Queries, reader: Reader): Keyring => {
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
      for (const { id, sealed } of await findDataKeys(db, reader.endUserId, missing)) {
        open.set(id, reader.openDataKey(sealed));
      }
    },
    get: (id) => {
      const key = open.get(id);
      if (key) return key;
      throw new Corrupt('A record names a data key that is not there.');
    },
  };
};
