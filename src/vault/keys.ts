// Each end user has an X25519 key pair made from a 32-byte secret. The public half is stored and can only
// seal; the secret leaves once, inside the scoped token, and is forgotten.
import sodium from 'sodium-native';
import { randomBytes } from '../random.ts';

export type KeyPair = { publicKey: Buffer; privateKey: Buffer };

/** A fresh 32-byte secret. */
export const makeSecret = (): Buffer => randomBytes(32);

/** A 32-byte key for one purpose, derived from a secret: neither the secret nor its siblings follow from it. */
export const deriveKey = (secret: Buffer, purpose: string): Buffer => {
  const key = Buffer.alloc(32);
  sodium.crypto_generichash(key, Buffer.from(purpose), secret);
  return key;
};

/** The X25519 key pair that follows from a secret. The same secret always gives the same pair. */
export const deriveKeyPair = (secret: Buffer): KeyPair => {
  const publicKey = Buffer.alloc(sodium.crypto_box_PUBLICKEYBYTES);
  const privateKey = Buffer.alloc(sodium.crypto_box_SECRETKEYBYTES);
  sodium.crypto_box_seed_keypair(publicKey, privateKey, deriveKey(secret, 'key pair v1'));
  return { publicKey, privateKey };
};

/** Compares without telling by its duration where two texts differ. */
export const constantTimeEqual = (left: Uint8Array, right: Uint8Array): boolean =>
  left.length === right.length && sodium.sodium_memcmp(Buffer.from(left), Buffer.from(right));

/** A 16-byte name for a key, safe to store in the open: it tells keys apart and nothing else. */
export const keyId = (key: Buffer): string => {
  const id = Buffer.alloc(16);
  sodium.crypto_generichash(id, Buffer.concat([Buffer.from('key id v1'), key]));
  return id.toString('hex');
};
