// Sealed bytes. A record is XChaCha20-Poly1305 under a data key, with its place (what it is, whose, which) as
// associated data, so that a row moved to another place does not open. A data key, or anything that only its
// owner may read, is a libsodium sealed box to a public key.
import sodium from 'sodium-native';
import { CorruptData } from '../errors.ts';
import { randomBytes } from '../random.ts';
import type { KeyPair } from './keys.ts';

const version = 1;
const nonceBytes = sodium.crypto_aead_xchacha20poly1305_ietf_NPUBBYTES;
const tagBytes = sodium.crypto_aead_xchacha20poly1305_ietf_ABYTES;

/** Where a sealed record belongs: its purpose and the ids that it must stay with. */
export type AssociatedData = readonly [purpose: string, ...ids: string[]];

// Written into one buffer that lives on: a page opens a hundred records, and each would allocate its own.
const scratch = Buffer.alloc(1024);
const utf8BytesMax = 3;

const encodeAssociatedData = (place: AssociatedData): Buffer => {
  let text = `${version}`;
  for (const part of place) text += `\n${part}`;
  if (text.length * utf8BytesMax > scratch.length) return Buffer.from(text);
  return scratch.subarray(0, scratch.write(text));
};

/** A fresh 32-byte key for `seal`. */
export const makeDataKey = (): Buffer => randomBytes(32);

/** Seals a text: version (1 byte), nonce (24), ciphertext and tag (text + 16). */
export const seal = (text: string, key: Buffer, place: AssociatedData): Buffer => {
  const plain = Buffer.from(text);
  const sealed = Buffer.allocUnsafe(1 + nonceBytes + plain.length + tagBytes);
  sealed[0] = version;
  const nonce = sealed.subarray(1, 1 + nonceBytes);
  sodium.randombytes_buf(nonce);
  sodium.crypto_aead_xchacha20poly1305_ietf_encrypt(
    sealed.subarray(1 + nonceBytes),
    plain,
    encodeAssociatedData(place),
    null,
    nonce,
    key,
  );
  return sealed;
};

/** Opens what `seal` made. Throws Corrupt where the key, the place or a single bit is another. */
export const unseal = (sealed: Uint8Array, key: Buffer, place: AssociatedData): string => {
  const plainBytes = sealed.length - 1 - nonceBytes - tagBytes;
  if (plainBytes < 0 || sealed[0] !== version)
    throw new CorruptData(`A sealed ${place[0]} has another form.`);
  const plain = Buffer.allocUnsafe(plainBytes);
  try {
    sodium.crypto_aead_xchacha20poly1305_ietf_decrypt(
      plain,
      null,
      Buffer.from(sealed.buffer, sealed.byteOffset + 1 + nonceBytes, plainBytes + tagBytes),
      encodeAssociatedData(place),
      Buffer.from(sealed.buffer, sealed.byteOffset + 1, nonceBytes),
      key,
    );
  } catch {
    throw new CorruptData(`A sealed ${place[0]} does not open.`);
  }
  return plain.toString();
};

/** Seals bytes to the holder of a private key (X25519, crypto_box_seal); the sender cannot open them again. */
export const sealBox = (publicKey: Buffer, plain: Buffer): Buffer => {
  const sealed = Buffer.alloc(plain.length + sodium.crypto_box_SEALBYTES);
  sodium.crypto_box_seal(sealed, plain, publicKey);
  return sealed;
};

/** Opens what `sealTo` made; throws Corrupt where it was made for somebody else or changed. */
export const unsealBox = (pair: KeyPair, sealed: Uint8Array): Buffer => {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  const plain = Buffer.alloc(Math.max(0, bytes.length - sodium.crypto_box_SEALBYTES));
  const opened =
    bytes.length >= sodium.crypto_box_SEALBYTES &&
    sodium.crypto_box_seal_open(plain, bytes, pair.publicKey, pair.privateKey);
  if (!opened) throw new CorruptData('A sealed box does not open.');
  return plain;
};
