// Permission as a value: a Reader is made only where a valid API key and a valid scoped token came together,
// and reading sealed data takes one. The worker, which holds public keys only, cannot make one.
import { deriveKey, type KeyPair, deriveKeyPair } from './keys.ts';
import { unseal, unsealBox, seal } from './seal.ts';
import { verifySecret } from './userKey.ts';

/** A data key as it is stored: sealed to the user by the worker, until the first reader who opens it wraps it. */
export type StoredDataKey = { id: string } & (
  | { sealed: Buffer; wrapped: null }
  | { sealed: null; wrapped: Buffer }
);

export type Reader = {
  readonly applicationId: string;
  readonly endUserId: string;
  /** Opens a data key. Throws Corrupt where it was not made for this reader's user. */
  openDataKey(stored: StoredDataKey): Buffer;
  /**
   * The same data key under a symmetric key that follows from the token's secret: it opens in a fortieth of the
   * time of a sealed box (0.8 µs for 32 µs), which counts on pages that span many refreshes.
   */
  wrapDataKey(id: string, dataKey: Buffer): Buffer;
};

/** A Reader, or undefined where the secret is not the one that this end user's public half was made from. */
export const makeReader = (
  user: { applicationId: string; endUserId: string; publicKey: Uint8Array },
  secret: Buffer,
): Reader | undefined => {
  if (!verifySecret(secret, user.publicKey)) return undefined;
  const wrappingKey = deriveKey(secret, 'data key wrap v1');
  let pair: KeyPair | undefined;
  return {
    applicationId: user.applicationId,
    endUserId: user.endUserId,
    openDataKey: ({ id, sealed, wrapped }) => {
      if (wrapped) return Buffer.from(unseal(wrapped, wrappingKey, ['data key', id]), 'base64url');
      pair ??= deriveKeyPair(secret);
      return unsealBox(pair, sealed);
    },
    wrapDataKey: (id, dataKey) => seal(dataKey.toString('base64url'), wrappingKey, ['data key', id]),
  };
};
