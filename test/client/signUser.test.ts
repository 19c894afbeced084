// Signatures of users: the signed text and the refused inputs. OpenSSL computed the expected codes.
import { expect, test } from 'vitest';
import { signUser, UsageError } from '../../client/index.ts';

const secret = 'dKx0example-identity-secret-000000000000000';
const at = new Date('2025-01-01T00:00:00.999Z');
const connectionId = 'con_0hXGm6Yb7sVqTzR2uKd4We';

test.each([
  [{ externalUserId: 'user-42' }, '56b22a6ec508e1f018a90615297afb5b53330e2d8968acabe6e505fc472f85e8'],
  [
    { externalUserId: 'user-42', connectionId },
    '8b0ac8da327d097a633be63141ff2812d9a184bfde550d60dc6d709953d25bf4',
  ],
  [{ connectionId }, 'd285677afff1c96f33955a9d6f475c2e1122e50d1cf3e311db235be484e92881'],
  [{ externalUserId: 'jürgen 👋' }, '734abcd6fb741f43d5d8331b767916fe3c9460233d44293874bdbead260e56c8'],
])('%o is signed with the time in seconds', (user, code) => {
  expect(signUser(secret, { ...user, at })).toBe(`t=1735689600,v1=${code}`);
});

test('without a time it is signed now', () => {
  const before = Math.floor(Date.now() / 1000);
  const [, time] = /^t=(\d+),v1=[\da-f]{64}$/.exec(signUser(secret, { externalUserId: 'ann' }))!;
  expect(Number(time)).toBeGreaterThanOrEqual(before);
  expect(Number(time)).toBeLessThanOrEqual(Date.now() / 1000);
});

test('an empty secret and a wrong connection id are refused', () => {
  expect(() => signUser('', { externalUserId: 'ann' })).toThrow(/^identitySecret must not be empty/);
  expect(() => signUser(undefined as never, { externalUserId: 'ann' })).toThrow(/the secret is missing/);
  expect(() => signUser(secret, undefined as never)).toThrow(UsageError);
  expect(() => signUser(secret, { externalUserId: 'ann', at: new Date('today') })).toThrow(UsageError);
  for (const connectionId of ['acc_1', '.ben', 'con_1.ben', 'con_1\n']) {
    expect(() => signUser(secret, { externalUserId: 'ann', connectionId })).toThrow(/^connectionId must be/);
  }
});
