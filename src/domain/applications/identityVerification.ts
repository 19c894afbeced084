// An application's backend uses its identity secret to sign external user ids and the ids of connections to reconnect, so that a
// user of its pages cannot pass another user's. The identity secret is not stored: it is derived from the service secret
// `identity`, the application id and its own creation time. Rotating the service secret does not change it; only a new identity
// secret uses the new version.
import { createHmac } from 'node:crypto';
import { constantTimeEqual, deriveKey } from '../../platform/vault/keys.ts';
import type { Keyset } from '../../platform/vault/keyset.ts';
import type { Application } from './application.ts';

type SigningApplication = Pick<Application, 'id' | 'identitySecretAt' | 'identityServiceSecretId'>;

/** The application's current identity secret (the HMAC key as text), if any. */
export const deriveIdentitySecret = (
  serviceSecrets: Keyset<Buffer>,
  application: SigningApplication,
): string | undefined => {
  const { id, identitySecretAt, identityServiceSecretId } = application;
  const serviceSecret = serviceSecrets.find(identityServiceSecretId ?? '');
  if (!serviceSecret) return undefined;
  return deriveKey(serviceSecret, `identity v1\n${id}\n${identitySecretAt}`).toString('base64url');
};

// The page may open the widget minutes after its backend created the signature.
const signatureAgeMaxSeconds = 600;
// The clock of the application's backend may be ahead.
const clockSkewMaxSeconds = 60;

/**
 * True for `t=SECONDS,v1=HEX` from the last ten minutes, with the HMAC-SHA256 of `SECONDS.connectionId.externalUserId`. An
 * absent id counts as an empty string. If there are several `v1`, one must match.
 */
export const verifyIdentitySignature = (
  serviceSecrets: Keyset<Buffer>,
  application: SigningApplication,
  signed: { connectionId?: string; externalUserId?: string; signature: string; now: Date },
): boolean => {
  const { connectionId = '', externalUserId = '', signature, now } = signed;
  const secret = deriveIdentitySecret(serviceSecrets, application);
  if (secret === undefined || !/^t=\d{1,12}(,v1=[\da-fA-F]{64})+$/.test(signature)) return false;
  const [time, ...codes] = signature.slice('t='.length).split(',v1=');
  if (!isCurrent(Number(time), now)) return false;
  const expected = createHmac('sha256', secret).update(`${time}.${connectionId}.${externalUserId}`).digest();
  return codes.some((code) => constantTimeEqual(expected, Buffer.from(code, 'hex')));
};

const isCurrent = (unixSeconds: number, now: Date): boolean => {
  const age = now.getTime() / 1000 - unixSeconds;
  return age <= signatureAgeMaxSeconds && age >= -clockSkewMaxSeconds;
};
