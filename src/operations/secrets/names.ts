// The names of the service's secrets, and which of them are private halves of pairs.
import { deriveKeyPair } from '../../platform/vault/keys.ts';
import { deriveSigningKeys } from '../../platform/vault/sign.ts';

export const secretNames = ['api-keys', 'identity', 'cursors', 'sandbox', 'worker', 'row-signing'] as const;

export type SecretName = (typeof secretNames)[number];

/** The secrets that are the private half of a pair; the public half is in a separate file with the suffix `.pub`. */
export const publicKeyOf: { readonly [Name in SecretName]?: (secret: Buffer) => Buffer } = {
  worker: (secret) => deriveKeyPair(secret).publicKey,
  'row-signing': (seed) => deriveSigningKeys(seed).publicKey,
};
