// The keys of an end user, created from a scoped token together with an API key. Only reading and the SimpleFIN server import
// this file (.dependency-cruiser.mjs), so no other code can decrypt a user's data.
import { deriveKey, deriveKeyPair, type KeyPair, verifySecret } from './keys.ts';
import { seal, unseal, unsealBox } from './seal.ts';

/** A stored data key: the worker seals it to the end user's public key; the first reader that opens it wraps it. */
export type StoredDataKey = { id: string } & (
  | { sealed: Buffer; wrapped: null }
  | { sealed: null; wrapped: Buffer }
);

/**
 * The permission to read an end user's sealed data, as a value: it is created only from a valid API key together with a valid
 * scoped token. The worker has only public keys and cannot create one.
 */
export type EndUserKeys = {
  readonly applicationId: string;
  readonly endUserId: string;
  /** Unseals or unwraps a data key. Throws CorruptData if it belongs to another end user. */
  openDataKey(stored: StoredDataKey): Buffer;
  /**
   * Encrypts a data key with a symmetric key derived from the token's secret. Unwrapping takes 0.8 µs, unsealing a
   * box 32 µs; the difference matters for pages that span many refreshes.
   */
  wrapDataKey(id: string, dataKey: Buffer): Buffer;
  /** The secret of the end user, sealed under the key of a SimpleFIN access: these keys can be re-created with that key. */
  sealSecret(shared: Omit<SharedSecret, 'secret'>, key: Buffer, ids: readonly string[]): Buffer;
};

/** Undefined if the end user's public key was not derived from this secret. */
export const makeEndUserKeys = (
  user: { applicationId: string; endUserId: string; publicKey: Uint8Array },
  secret: Buffer,
): EndUserKeys | undefined => {
  if (!verifySecret(secret, user.publicKey)) return undefined;
  let wrappingKey: Buffer | undefined;
  const getWrappingKey = () => (wrappingKey ??= deriveKey(secret, 'data key wrap v1'));
  let pair: KeyPair | undefined;
  return {
    applicationId: user.applicationId,
    endUserId: user.endUserId,
    openDataKey: ({ id, sealed, wrapped }) => {
      if (wrapped) return Buffer.from(unseal(wrapped, getWrappingKey(), ['data key', id]), 'base64url');
      pair ??= deriveKeyPair(secret);
      return unsealBox(pair, sealed);
    },
    wrapDataKey: (id, dataKey) => seal(dataKey.toString('base64url'), getWrappingKey(), ['data key', id]),
    sealSecret: (shared, key, ids) => sealSharedSecret({ ...shared, secret }, key, ids),
  };
};

// The secret of an end user, sealed for an application that reads without a scoped token (src/flows/simplefin). The key is
// derived from a secret that only a setup token or an access URL contains, so that no stored data opens it.

/** The end user's secret, and the accounts that may be read with it: all, including future ones, if there is no list. */
export type SharedSecret = { secret: Buffer; accountIds?: readonly string[] };

/** `ids` are those of the row. */
export const sealSharedSecret = (
  { secret, accountIds }: SharedSecret,
  key: Buffer,
  ids: readonly string[],
): Buffer =>
  seal(JSON.stringify({ secret: secret.toString('base64url'), accountIds }), key, ['shared secret', ...ids]);

/** Opens the result of `sealSharedSecret`. Throws CorruptData if the key, the ids or any bit differs. */
export const unsealSharedSecret = (sealed: Uint8Array, key: Buffer, ids: readonly string[]): SharedSecret => {
  const opened = JSON.parse(unseal(sealed, key, ['shared secret', ...ids]));
  return { ...opened, secret: Buffer.from(opened.secret, 'base64url') };
};
