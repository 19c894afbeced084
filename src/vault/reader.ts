// Permission as a value: a Reader is made only where a valid API key and a valid scoped token came together,
// and reading sealed data takes one. The worker, which holds public keys only, cannot make one.
import { type KeyPair, keyPairFrom, sameBytes } from './keys.ts';
import { openWith } from './seal.ts';

export type Reader = {
  readonly applicationId: string;
  readonly endUserId: string;
  /** Opens a data key that was sealed to this reader's user. Throws Corrupt where it was not. */
  openDataKey(sealed: Uint8Array): Buffer;
};

/** A Reader, or undefined where the secret is not the one that this end user's public key was made from. */
export const makeReader = (
  user: { applicationId: string; endUserId: string; publicKey: Uint8Array },
  secret: Buffer,
): Reader | undefined => {
  const pair: KeyPair = keyPairFrom(secret);
  if (!sameBytes(pair.publicKey, user.publicKey)) return undefined;
  return {
    applicationId: user.applicationId,
    endUserId: user.endUserId,
    openDataKey: (sealed) => openWith(pair, sealed),
  };
};
