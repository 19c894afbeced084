// Fingerprints of what has few possible values: account numbers and amounts. They take Argon2id (RFC 9106), so that whoever
// has the database and the `fingerprints` secret cannot try all values quickly. They run on libuv's thread pool.
import { randomBytes } from 'node:crypto';
import pLimit from 'p-limit';
import sodium from 'sodium-native';

// A function of sodium-native that its types do not declare.
type Argon2 = {
  crypto_pwhash_ALG_ARGON2ID13: number;
  crypto_pwhash_async(
    out: Buffer,
    password: Buffer,
    salt: Buffer,
    passes: number,
    memory: number,
    algorithm: number,
  ): Promise<void>;
};
const argon2 = sodium as unknown as Argon2;

const concurrency = 2;
const limit = pLimit(concurrency);
const mebibyte = 1024 * 1024;
const fingerprintBytes = 16;
const costBytes = 2;
const saltBytes = 16;

/** New parameters: memory in MiB (1 byte), passes (1 byte) and a random salt (16). They are stored with the account. */
export const makeSlowFingerprintParameters = (cost: { memoryMib: number; passes: number }): Buffer =>
  Buffer.concat([Buffer.from([cost.memoryMib, cost.passes]), randomBytes(saltBytes)]);

/** The same memory and passes, with a salt that is the same for everything in a scope. */
export const withScopeAsSalt = (parameters: Buffer, scope: string): Buffer => {
  const salt = Buffer.alloc(saltBytes);
  sodium.crypto_generichash(salt, Buffer.from(scope));
  return Buffer.concat([parameters.subarray(0, costBytes), salt]);
};

/** The slow fingerprint (16 bytes) of a fast one, which is keyed. */
export const slowFingerprint = async (fast: Buffer, parameters: Buffer): Promise<Buffer> => {
  const out = Buffer.alloc(fingerprintBytes);
  const [memoryMib, passes] = parameters as unknown as [number, number];
  const salt = Buffer.from(parameters.subarray(costBytes));
  await limit(() =>
    argon2.crypto_pwhash_async(
      out,
      Buffer.from(fast),
      salt,
      passes,
      memoryMib * mebibyte,
      argon2.crypto_pwhash_ALG_ARGON2ID13,
    ),
  );
  return out;
};
