// Authenticated encryption. `seal` encrypts a record with XChaCha20-Poly1305 under a data key; the ids of its row are
// associated data, so a record copied to another row cannot be unsealed. `sealBox` encrypts bytes to a public key (libsodium
// sealed box), for example data keys, and `sealForWorker` bank credentials to the worker (workerBoxes.ts opens those).
import { randomBytes } from 'node:crypto';
import sodium from 'sodium-native';
import type { Box } from '../values/box.ts';
import { CorruptData } from '../values/errors.ts';
import { toBase62 } from '../values/ids.ts';
import { type KeyPair, type PublicKey, toBoxPublicKey } from './keys.ts';

const version = 1;
const nonceBytes = sodium.crypto_aead_xchacha20poly1305_ietf_NPUBBYTES;
const tagBytes = sodium.crypto_aead_xchacha20poly1305_ietf_ABYTES;

/** The values that a sealed record is bound to: its purpose and the ids of its row. */
export type AssociatedData = readonly [purpose: string, ...ids: string[]];

// One buffer for all calls: unsealing a page of a hundred records would otherwise allocate a hundred buffers.
const scratch = Buffer.alloc(1024);
const utf8BytesMax = 3;

// Each part is prefixed with its length, so that no two lists of parts have the same encoding, whatever a part contains.
const encodeAssociatedData = (associatedData: AssociatedData): Buffer => {
  let text = `${version}`;
  for (const part of associatedData) text += ` ${part.length}:${part}`;
  if (text.length * utf8BytesMax > scratch.length) return Buffer.from(text);
  return scratch.subarray(0, scratch.write(text));
};

/** The number of bytes in a text with padding, so that its sealed length reveals little about it. */
export const paddedLength = (length: number, unit = 256): number => Math.ceil(length / unit) * unit;

/** A new random 32-byte key for `seal`. */
export const makeKey = (): Buffer => randomBytes(32);

/** One per refresh, stored sealed to the end user or wrapped. */
export type DataKey = { id: string; key: Buffer };

/** A new random data key. It is not stored. */
export const makeDataKey = (): DataKey => ({ id: toBase62(randomBytes(16)), key: makeKey() });

/** Encrypts a text. The result is version (1 byte), nonce (24), ciphertext and tag (16). */
export const seal = (text: string, key: Buffer, associatedData: AssociatedData): Buffer =>
  sealBytes(Buffer.from(text), key, associatedData);

/** Encrypts bytes, in the same format as `seal`. */
export const sealBytes = (plain: Buffer, key: Buffer, associatedData: AssociatedData): Buffer => {
  const sealed = Buffer.allocUnsafe(1 + nonceBytes + plain.length + tagBytes);
  sealed[0] = version;
  const nonce = sealed.subarray(1, 1 + nonceBytes);
  sodium.randombytes_buf(nonce);
  sodium.crypto_aead_xchacha20poly1305_ietf_encrypt(
    sealed.subarray(1 + nonceBytes),
    plain,
    encodeAssociatedData(associatedData),
    null,
    nonce,
    key,
  );
  return sealed;
};

/** Decrypts the result of `seal`. Throws CorruptData if the key, the associated data or any bit differs. */
export const unseal = (sealed: Uint8Array, key: Buffer, associatedData: AssociatedData): string =>
  unsealBytes(sealed, key, associatedData).toString();

/** Decrypts the result of `sealBytes`. Throws CorruptData like `unseal`. */
export const unsealBytes = (sealed: Uint8Array, key: Buffer, associatedData: AssociatedData): Buffer => {
  const plainBytes = sealed.length - 1 - nonceBytes - tagBytes;
  if (plainBytes < 0 || sealed[0] !== version)
    throw new CorruptData(`A sealed ${associatedData[0]} has an unknown format.`);
  const plain = Buffer.allocUnsafe(plainBytes);
  try {
    sodium.crypto_aead_xchacha20poly1305_ietf_decrypt(
      plain,
      null,
      Buffer.from(sealed.buffer, sealed.byteOffset + 1 + nonceBytes, plainBytes + tagBytes),
      encodeAssociatedData(associatedData),
      Buffer.from(sealed.buffer, sealed.byteOffset + 1, nonceBytes),
      key,
    );
  } catch {
    throw new CorruptData(`A sealed ${associatedData[0]} cannot be unsealed.`);
  }
  return plain;
};

/** Encrypts bytes to an X25519 public key (crypto_box_seal). Only the private key can decrypt them. */
export const sealBox = (publicKey: Buffer, plain: Buffer): Buffer => {
  const sealed = Buffer.alloc(plain.length + sodium.crypto_box_SEALBYTES);
  sodium.crypto_box_seal(sealed, plain, publicKey);
  return sealed;
};

/** Seals a data key to an end user's stored public key. */
export const sealDataKey = (key: Buffer, publicKey: Buffer): Buffer =>
  sealBox(toBoxPublicKey(publicKey), key);

/** Decrypts the result of `sealBox`. Throws CorruptData if it was sealed to another key or altered. */
export const unsealBox = (pair: KeyPair, sealed: Uint8Array): Buffer => {
  const plain = tryUnsealBox(pair, sealed);
  if (!plain) throw new CorruptData('A sealed box cannot be unsealed.');
  return plain;
};

/** Like `unsealBox`, but undefined if the box cannot be opened. */
export const tryUnsealBox = (pair: KeyPair, sealed: Uint8Array): Buffer | undefined => {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  const plain = Buffer.alloc(Math.max(0, bytes.length - sodium.crypto_box_SEALBYTES));
  const opened =
    bytes.length >= sodium.crypto_box_SEALBYTES &&
    sodium.crypto_box_seal_open(plain, bytes, pair.publicKey, pair.privateKey);
  return opened ? plain : undefined;
};

export type BankCredentials = { values: Record<string, string>; deviceToken?: string };

/** Binds a value sealed to the worker to its kind and the id of its row. */
export type WorkerBinding = readonly [
  'credentials' | 'fingerprintKey' | 'importRequest' | 'webhookEndpoint',
  ownerId: string,
];

/**
 * Seals a JSON value to the worker: processes that serve requests can store it and cannot read it. Sealed boxes have no
 * associated data, so kind and owner are sealed with the value: a copy in another column or row is rejected.
 */
export const sealForWorker = (
  value: unknown,
  [kind, ownerId]: WorkerBinding,
  worker: PublicKey,
): Box<'worker'> => sealBox(worker.publicKey, Buffer.from(JSON.stringify({ kind, ownerId, value })));
