// The texts that the sandbox bank hands out and gets back: where a dialogue stands, access, device tokens. They
// are sealed wherever they are kept, so that they need no secret of their own; they only must not be confused.
import { BankRefused } from '../../errors.ts';
import { toBase62 } from '../../ids.ts';
import { randomBytes } from '../../random.ts';
import { stableHash } from './seededRandom.ts';

type StateTokenKind = 'dialogue' | 'access';

export const encodeStateToken = (kind: StateTokenKind, value: object): string =>
  JSON.stringify({ sandbox: kind, ...value });

/** Reads what `printText` made of a thing of this kind; anything else is a sign-in that this bank does not know. */
export const decodeStateToken = <Value>(kind: StateTokenKind, text: string): Value => {
  try {
    const { sandbox, ...value } = JSON.parse(text);
    if (sandbox === kind) return value as Value;
  } catch {
    // Whatever is no JSON is none of ours either.
  }
  throw new BankRefused('user_action_required');
};

/** A device that the bank knows from now on, for one user of one institution. */
export const makeDeviceToken = (institutionId: string, username: string): string => {
  const name = toBase62(randomBytes(16));
  return `device-${name}-${stableHash(institutionId, username, name)}`;
};

export const isDeviceToken = (token: string, institutionId: string, username: string): boolean => {
  const [, name = '', check] = token.split('-');
  return token.startsWith('device-') && check === stableHash(institutionId, username, name);
};
