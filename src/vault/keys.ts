// Keys derived from 32-byte secrets. Each end user has an X25519 key pair derived from one: the database stores the
// public key, which can only seal. The secret is sent once, inside the scoped token, and is not stored.
import sodium from 'sodium-native';
import { randomBytes } from '../random.ts';

export type KeyPair = { publicKey: Buffer; privateKey: Buffer };

/** A new random 32-byte secret. */
export const makeSecret = (): Buffer => randomBytes(32);

/** Derives a 32-byte key for one purpose. It reveals neither the secret nor the keys for other purposes. */
export const deriveKey = (secret: Buffer, purpose: string): Buffer => {
  const key = Buffer.alloc(32);
  sodium.crypto_generichash(key, Buffer.from(purpose), secret);
  return key;
};

/** Derives an X25519 key pair. The same secret always gives the same pair. */
export const deriveKeyPair = (secret: Buffer): KeyPair => {
  const publicKey = Buffer.alloc(sodium.crypto_box_PUBLICKEYBYTES);
  const privateKey = Buffer.alloc(sodium.crypto_box_SECRETKEYBYTES);
  sodium.crypto_box_seed_keypair(publicKey, privateKey, deriveKey(secret, 'key pair v1'));
  return { publicKey, privateKey };
};

/** Compares bytes in a time that does not depend on where they differ. */
export const constantTimeEqual = (left: Uint8Array, right: Uint8Array): boolean =>
  left.length === right.length && sodium.sodium_memcmp(Buffer.from(left), Buffer.from(right));

/** The 16-byte id of a key, in hex. It is safe to store and to log: it only tells keys apart. */
export const keyId = (key: Buffer): string => {
  const id = Buffer.alloc(16);
  sodium.crypto_generichash(id, Buffer.concat([Buffer.from('key id v1'), key]));
  return id.toString('hex');
};
