// Signed users: an application's backend signs the external user id with a secret from the dashboard, so that a
// visitor of its pages cannot claim to be somebody else. The service must know the secret to check with, so it is
// nowhere stored: it follows from the secret that signs API keys, the application, and the moment it was made.
import { createHmac } from 'node:crypto';
import { deriveKey, constantTimeEqual } from '../vault/keys.ts';
import type { Application } from './application.ts';

type SigningApplication = Pick<Application, 'id' | 'identitySecretAt'>;

/** The application's present secret, as the text that is the key of the HMAC; undefined where it has none. */
export const deriveIdentitySecret = (
  serviceSecret: Buffer,
  application: SigningApplication,
): string | undefined => {
  const { id, identitySecretAt } = application;
  if (identitySecretAt === null) return undefined;
  return deriveKey(serviceSecret, `identity v1\n${id}\n${identitySecretAt}`).toString('base64url');
};

/** Whether a text is the signature of an external user id: HMAC-SHA256 in hex, of either case. */
export const verifyIdentitySignature = (
  serviceSecret: Buffer,
  application: SigningApplication,
  signed: { externalUserId: string; signature: string },
): boolean => {
  const secret = deriveIdentitySecret(serviceSecret, application);
  if (secret === undefined || !/^[0-9a-fA-F]{64}$/.test(signed.signature)) return false;
  const expected = createHmac('sha256', secret).update(signed.externalUserId).digest();
  return constantTimeEqual(expected, Buffer.from(signed.signature, 'hex'));
};
