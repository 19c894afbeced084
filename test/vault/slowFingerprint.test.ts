// Slow fingerprints: Argon2id of fast ones, with parameters and a salt that are stored.
import sodium from 'sodium-native';
import { expect, test } from 'vitest';
import {
  makeSlowFingerprintParameters,
  slowFingerprint,
  withScopeAsSalt,
} from '../../src/vault/slowFingerprint.ts';

const cost = { memoryMib: 1, passes: 1 };
const fast = Buffer.alloc(12, 7);

test('a slow fingerprint is Argon2id with the memory, passes and salt of its parameters', async () => {
  const parameters = makeSlowFingerprintParameters({ memoryMib: 2, passes: 3 });
  expect([...parameters.subarray(0, 2)]).toEqual([2, 3]);
  const expected = Buffer.alloc(16);
  const salt = Buffer.from(parameters.subarray(2));
  sodium.crypto_pwhash(expected, fast, salt, 3, 2 * 1024 * 1024, sodium.crypto_pwhash_ALG_ARGON2ID13);
  expect(await slowFingerprint(fast, parameters)).toEqual(expected);
});

test('equal values of two accounts have different slow fingerprints', async () => {
  const [one, other] = [makeSlowFingerprintParameters(cost), makeSlowFingerprintParameters(cost)];
  const first = await slowFingerprint(fast, one);
  expect(await slowFingerprint(fast, one)).toEqual(first);
  expect(await slowFingerprint(fast, other)).not.toEqual(first);
});

test('with a scope as salt they are equal within the scope only', async () => {
  const [one, other] = [makeSlowFingerprintParameters(cost), makeSlowFingerprintParameters(cost)];
  const of = (parameters: Buffer, scope: string) => slowFingerprint(fast, withScopeAsSalt(parameters, scope));
  expect(await of(one, 'con_1')).toEqual(await of(other, 'con_1'));
  expect(await of(one, 'con_1')).not.toEqual(await of(one, 'con_2'));
});

test('computing one does not block the event loop', async () => {
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  await slowFingerprint(fast, makeSlowFingerprintParameters({ memoryMib: 64, passes: 3 }));
  clearInterval(timer);
  expect(turns).toBeGreaterThan(3);
});
