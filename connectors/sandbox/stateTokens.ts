// The sandbox connector's opaque strings: challenge states, access and device tokens. The service seals them, so they need no
// secret; they just must not be confused with each other.
import { randomBytes } from 'node:crypto';
import { BankRefused } from '@bank-connection/connector-kit';
import { stableHash } from './seededRandom.ts';

type StateTokenKind = 'challenge' | 'access';

export const encodeStateToken = (kind: StateTokenKind, value: object): string =>
  JSON.stringify({ sandbox: kind, ...value });

/** Decodes a token of this kind. Throws BankRefused('user_action_required') for any other text. */
export const decodeStateToken = <Value>(kind: StateTokenKind, token: string): Value => {
  try {
    const { sandbox, ...value } = JSON.parse(token);
    if (sandbox === kind) return value as Value;
  } catch {
    // Not JSON: rejected below.
  }
  throw new BankRefused('user_action_required');
};

/** A token for a device on which this user's later sign-ins need no challenge. */
export const makeDeviceToken = (institutionId: string, username: string): string => {
  const name = randomBytes(16).toString('hex');
  return `device-${name}-${stableHash(institutionId, username, name)}`;
};

export const isDeviceToken = (token: string, institutionId: string, username: string): boolean => {
  const [, name = '', check] = token.split('-');
  return token.startsWith('device-') && check === stableHash(institutionId, username, name);
};
