// Identity verification: the backend of an application signs external user ids with its identity secret, so that a user
// of its pages cannot pass the id of another user. The secret is not stored: it is derived from the service's secret,
// the application id and the time at which it was created.
import { createHmac } from 'node:crypto';
import { constantTimeEqual, deriveKey } from '../vault/keys.ts';
import type { Application } from './application.ts';

type SigningApplication = Pick<Application, 'id' | 'identitySecretAt'>;

/** The application's current identity secret, the HMAC key as text; undefined if it has none. */
export const deriveIdentitySecret = (
  serviceSecret: Buffer,
  application: SigningApplication,
): string | undefined => {
  const { id, identitySecretAt } = application;
  if (identitySecretAt === null) return undefined;
  return deriveKey(serviceSecret, `identity v1\n${id}\n${identitySecretAt}`).toString('base64url');
};

/** Whether a signature is the HMAC-SHA256 of an external user id, in hex of either case. */
export const verifyIdentitySignature = (
  serviceSecret: Buffer,
  application: SigningApplication,
  { externalUserId, signature }: { externalUserId: string; signature: string },
): boolean => {
  const secret = deriveIdentitySecret(serviceSecret, application);
  if (secret === undefined || !/^[0-9a-fA-F]{64}$/.test(signature)) return false;
  const expected = createHmac('sha256', secret).update(externalUserId).digest();
  return constantTimeEqual(expected, Buffer.from(signature, 'hex'));
};
