// Keys and hashes derived from 32-byte secrets. Each end user has an X25519 key pair derived from one: the database stores
// the public key, which can only seal. The secret is sent once, inside the scoped token, and is not stored.
import { randomBytes } from 'node:crypto';
import sodium from 'sodium-native';

export type PublicKey = { publicKey: Buffer };
export type KeyPair = PublicKey & { privateKey: Buffer };

/** A new random 32-byte secret. */
export const makeSecret = (): Buffer => randomBytes(32);

/** Derives a 32-byte key for one purpose. It reveals neither the secret nor the keys for other purposes. */
export const deriveKey = (secret: Buffer, purpose: string): Buffer => {
  // Every byte is written. A small zeroed buffer would make libsodium's binding first create a copy outside the heap.
  const key = Buffer.allocUnsafe(32);
  sodium.crypto_generichash(key, Buffer.from(purpose), secret);
  return key;
};

/** Derives an X25519 key pair. The same secret always yields the same pair. */
export const deriveKeyPair = (secret: Buffer): KeyPair => {
  const publicKey = Buffer.alloc(sodium.crypto_box_PUBLICKEYBYTES);
  const privateKey = Buffer.alloc(sodium.crypto_box_SECRETKEYBYTES);
  sodium.crypto_box_seed_keypair(publicKey, privateKey, deriveKey(secret, 'key pair v1'));
  return { publicKey, privateKey };
};

/** Compares bytes in time that does not depend on where they differ. */
export const constantTimeEqual = (left: Uint8Array, right: Uint8Array): boolean =>
  // The declared type is too narrow; copying into a Buffer takes longer than comparing.
  left.length === right.length && sodium.sodium_memcmp(left as Buffer, right as Buffer);

/** The 16-byte id of a key, in hex. It is safe to store and to log, because it only distinguishes keys. */
export const keyId = (key: Buffer): string => {
  const id = Buffer.alloc(16);
  sodium.crypto_generichash(id, Buffer.concat([Buffer.from('key id v1'), key]));
  return id.toString('hex');
};

// The stored public key of an end user: the X25519 public key (32 bytes), and a hash of the secret (16 bytes) that verifies
// the secret without a scalar multiplication. Neither can decrypt anything.
const boxPublicKeyBytes = 32;
const checkBytes = 16;

const deriveCheck = (secret: Buffer): Buffer => deriveKey(secret, 'token check v1').subarray(0, checkBytes);

/** Derives the 48 bytes that are stored as the end user's public key. */
export const derivePublicKey = (secret: Buffer): Buffer =>
  Buffer.concat([deriveKeyPair(secret).publicKey, deriveCheck(secret)]);

/** The X25519 public key, to which data keys are sealed. */
export const toBoxPublicKey = (publicKey: Buffer): Buffer => publicKey.subarray(0, boxPublicKeyBytes);

/** True if a stored public key was derived from this secret. */
export const verifySecret = (secret: Buffer, publicKey: Uint8Array): boolean =>
  constantTimeEqual(deriveCheck(secret), publicKey.subarray(boxPublicKeyBytes));

const fingerprintBytes = 16;

/**
 * The 16-byte fingerprint of an ordered list of strings, for one purpose and one scope (usually an account id). A refresh
 * compares fingerprints to match a bank's data with stored data that it cannot read. The scope is part of the hash, so
 * equal transactions of two accounts have different fingerprints.
 */
export const fingerprint = (
  key: Buffer,
  purpose: string,
  scope: string,
  parts: readonly string[],
): Buffer => {
  const hash = Buffer.alloc(fingerprintBytes);
  sodium.crypto_generichash(hash, Buffer.from(JSON.stringify([purpose, scope, ...parts])), key);
  return hash;
};

/**
 * A new opaque token, to be returned once, and its hash to store, both base64url: for example for a session. Its 256 random
 * bits cannot be guessed, so a fast hash is enough.
 */
export const createOpaqueToken = (): { token: string; hash: string } => {
  const token = makeSecret().toString('base64url');
  return { token, hash: hashOpaqueToken(token) };
};

/**
 * The hash of an opaque token. It has no key, so it only protects values that cannot be guessed: a value with less randomness,
 * such as an email or an address, is stored as a `fingerprint`.
 */
export const hashOpaqueToken = (token: string): string =>
  deriveKey(Buffer.alloc(32), `opaque token v1\n${token}`).toString('base64url');
