// Data keys: one per refresh, stored sealed to the end user or wrapped.
import { randomBytes } from 'node:crypto';
import { toBase62 } from '../ids.ts';
import { toBoxPublicKey } from '../vault/keys.ts';
import { makeDataKey, sealBox } from '../vault/seal.ts';

export type DataKey = { id: string; key: Buffer };

/** A new random data key. It is not stored. */
export const newDataKey = (): DataKey => ({ id: toBase62(randomBytes(16)), key: makeDataKey() });

/** Seals a data key to an end user's stored public key. */
export const sealDataKey = (key: Buffer, publicKey: Buffer): Buffer =>
  sealBox(toBoxPublicKey(publicKey), key);
