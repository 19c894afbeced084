// Statements that the worker signs with Ed25519 (RFC 8032): they bind the values of a row together. A sealed box authenticates nobody,
// because anyone with the public key can create one. The verification key is in the file of a secret, never a value in the database.
import sodium from 'sodium-native';
import { InvalidSignature } from '../values/errors.ts';
import type { PublicKey } from './keys.ts';
import type { Keyset } from './keyset.ts';

export type SigningKeys = PublicKey & { privateKey: Buffer };

/** The signed content: the kind of statement with its version, and its values in a fixed order. */
export type Statement = readonly [kind: string, ...values: (string | null)[]];

/** Derives the key pair from its 32-byte seed. The same seed always yields the same pair. */
export const deriveSigningKeys = (seed: Buffer): SigningKeys => {
  const publicKey = Buffer.alloc(sodium.crypto_sign_PUBLICKEYBYTES);
  const privateKey = Buffer.alloc(sodium.crypto_sign_SECRETKEYBYTES);
  sodium.crypto_sign_seed_keypair(publicKey, privateKey, seed);
  return { publicKey, privateKey };
};

/** The signature of a statement, 64 bytes. */
export const signStatement = (statement: Statement, { privateKey }: SigningKeys): Buffer => {
  const signature = Buffer.alloc(sodium.crypto_sign_BYTES);
  sodium.crypto_sign_detached(signature, encode(statement), privateKey);
  return signature;
};

/** Throws InvalidSignature unless the worker has signed exactly this statement, with any of the keys. */
export const verifyStatement = (
  statement: Statement,
  signature: Uint8Array,
  signingKeys: Keyset<PublicKey>,
): void => {
  if (signingKeys.all().some((key) => isSignedWith(key, statement, signature))) return;
  throw new InvalidSignature(`The signature of a stored ${statement[0]} is not valid.`);
};

/**
 * The signature of a signed statement with the current key; undefined if it already has that signature. Throws InvalidSignature
 * like `verifyStatement`.
 */
export const renewSignature = (
  statement: Statement,
  signature: Uint8Array,
  signingKeys: Keyset<SigningKeys>,
): Buffer | undefined => {
  if (isSignedWith(signingKeys.current(), statement, signature)) return undefined;
  verifyStatement(statement, signature, signingKeys);
  return signStatement(statement, signingKeys.current());
};

const isSignedWith = ({ publicKey }: PublicKey, statement: Statement, signature: Uint8Array): boolean => {
  const bytes = Buffer.from(signature);
  return (
    bytes.length === sodium.crypto_sign_BYTES &&
    sodium.crypto_sign_verify_detached(bytes, encode(statement), publicKey)
  );
};

// JSON separates the values unambiguously.
const encode = (statement: Statement): Buffer => Buffer.from(JSON.stringify(statement));
