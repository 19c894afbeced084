// Keys, fingerprints and what follows from a secret: the same today as on the day on which it was stored.
import { createPrivateKey, createPublicKey, diffieHellman, generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CorruptData } from '../../src/errors.ts';
import { type BankCredentials, unsealForWorker, sealForWorker } from '../../src/vault/workerSeal.ts';
import { fingerprint } from '../../src/vault/fingerprint.ts';
import { deriveKey, keyId, deriveKeyPair, makeSecret, constantTimeEqual } from '../../src/vault/keys.ts';
import { makeReader } from '../../src/vault/reader.ts';
import { makeDataKey, sealBox } from '../../src/vault/seal.ts';
import { derivePublicKey, toBoxPublicKey } from '../../src/vault/userKey.ts';
import { hchacha20 } from './hchacha20.ts';

const secret = Buffer.from(Array.from({ length: 32 }, (_, at) => at));

describe('from one secret', () => {
  test('the same keys follow on every day', () => {
    expect(deriveKey(secret, 'a purpose').toString('hex')).toBe(
      'c01f5c29e8d597890329014cff0aa4200e3cbd1528ce57d89f2849e8c69ed773',
    );
    const { publicKey, privateKey } = deriveKeyPair(secret);
    expect(privateKey.toString('hex')).toBe(
      'd8a628d9e215dacd1be37561072c3e99af5af089c5a04458813c97dfa6b1a2c1',
    );
    expect(publicKey.toString('hex')).toBe(
      'a895a2bc420a341b5d606326168cc385580b318b07fad7c7d14ced5cf3706b2b',
    );
    expect(keyId(secret)).toBe('fe48de61d9dc800c61a62bdea9916200');
  });

  test('the pair is one of X25519, as any other library has it', () => {
    const { publicKey, privateKey } = deriveKeyPair(secret);
    const jwk = { kty: 'OKP', crv: 'X25519', x: publicKey.toString('base64url') };
    const ours = createPrivateKey({ key: { ...jwk, d: privateKey.toString('base64url') }, format: 'jwk' });
    const theirs = generateKeyPairSync('x25519');
    const agreed = diffieHellman({ privateKey: ours, publicKey: theirs.publicKey });
    const again = diffieHellman({
      privateKey: theirs.privateKey,
      publicKey: createPublicKey({ key: jwk, format: 'jwk' }),
    });
    expect(agreed).toEqual(again);
  });

  test('keys for two purposes have nothing in common', () => {
    const keys = ['one', 'two', ''].map((purpose) => deriveKey(secret, purpose).toString('hex'));
    expect(new Set([...keys, secret.toString('hex')]).size).toBe(4);
  });

  test('two secrets are never the same', () => {
    const made = Array.from({ length: 100 }, () => makeSecret().toString('hex'));
    expect(new Set(made).size).toBe(100);
    expect(made[0]).toHaveLength(64);
  });
});

test('the subkey of XChaCha20 that these tests compute is the draft’s own example', () => {
  const nonce = Buffer.from('000000090000004a0000000031415927', 'hex');
  expect(hchacha20(secret, nonce).toString('hex')).toBe(
    '82413b4227b27bfed30e42508a877d73a0f9e4d58a74a853c12ec41326d3ecdc',
  );
});

describe('bytes are the same', () => {
  test('where every one is, and where both are as long', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.uint8Array(), (left, right) => {
        expect(constantTimeEqual(left, right)).toBe(Buffer.compare(left, right) === 0);
        expect(constantTimeEqual(left, Uint8Array.from(left))).toBe(true);
      }),
    );
  });
});

describe('a fingerprint', () => {
  const print = (...parts: string[]) => fingerprint(secret, 'entry', 'acc_1', parts).toString('hex');

  test('is the same on every day, because every entry would be a new one otherwise', () => {
    expect(print('2024-01-01', '-1.5', 'EUR', 'COFFEE', '')).toBe('c24dedc037870386d9b8694d9ee8c9e8');
  });

  test('is another for another part, order, scope, purpose or key', () => {
    const others = [
      print('a', 'b'),
      print('b', 'a'),
      print('ab'),
      print('a', 'b', ''),
      print('a,b'),
      print('a","b'),
      fingerprint(secret, 'entry', 'acc_2', ['a', 'b']).toString('hex'),
      fingerprint(secret, 'amount', 'acc_1', ['a', 'b']).toString('hex'),
      fingerprint(makeSecret(), 'entry', 'acc_1', ['a', 'b']).toString('hex'),
    ];
    expect(new Set(others).size).toBe(others.length);
  });
});

describe('what is sealed to the worker', () => {
  const worker = deriveKeyPair(secret);
  const credentials: BankCredentials = { values: { username: 'u', password: 'p' }, deviceToken: 'd' };

  test('of an earlier day opens today', () => {
    const kept =
      'qQbV8vTb7bS7_vxiM_IxMwSF87GoA1AMGUxyr8m-n3r3ZIl5uVd-6GbOUq9DCK1d-MAwghvJOUpTBe60d84EAr1gZk9eRoc8XZzmsATM' +
      'AtS_S4-PLIcJe_Q1F7K1IDlyyNwrHThXgI5P';
    expect(unsealForWorker(Buffer.from(kept, 'base64url'), 'con_1', worker)).toEqual({
      values: { username: 'u' },
    });
  });

  test('opens for what it belongs to, and in no other place', () => {
    const sealed = sealForWorker(credentials, 'con_1', worker.publicKey);
    expect(unsealForWorker(sealed, 'con_1', worker)).toEqual(credentials);
    expect(() => unsealForWorker(sealed, 'con_2', worker)).toThrow(CorruptData);
    expect(() => unsealForWorker(sealed, 'con_1', deriveKeyPair(makeSecret()))).toThrow(CorruptData);
  });

  test('does not open with any one byte changed', () => {
    const sealed = sealForWorker(credentials, 'con_1', worker.publicKey);
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed[at] = changed[at]! ^ 1;
      expect(() => unsealForWorker(changed, 'con_1', worker)).toThrow(CorruptData);
    }
  });
});

describe('a reader', () => {
  const user = { applicationId: 'app_1', endUserId: 'usr_1', publicKey: derivePublicKey(secret) };
  const dataKey = makeDataKey();
  const stored = { id: 'k1', sealed: sealBox(toBoxPublicKey(user.publicKey), dataKey), wrapped: null };

  test('is made from the one secret that the public half was made from', () => {
    expect(user.publicKey.toString('hex')).toBe(
      'a895a2bc420a341b5d606326168cc385580b318b07fad7c7d14ced5cf3706b2bd0dbcc012225311e944d75f7046b3a86',
    );
    expect(makeReader(user, secret)).toMatchObject({ applicationId: 'app_1', endUserId: 'usr_1' });
    for (let at = 0; at < secret.length; at++) {
      const other = Buffer.from(secret);
      other[at] = other[at]! ^ 1;
      expect(makeReader(user, other)).toBe(undefined);
    }
    expect(makeReader({ ...user, publicKey: user.publicKey.subarray(0, 32) }, secret)).toBe(undefined);
    expect(makeReader({ ...user, publicKey: Buffer.alloc(0) }, secret)).toBe(undefined);
  });

  test('opens the data keys of its user, and no others', () => {
    const reader = makeReader(user, secret)!;
    expect(reader.openDataKey(stored)).toEqual(dataKey);
    const theirs = { ...stored, sealed: sealBox(deriveKeyPair(makeSecret()).publicKey, dataKey) };
    expect(() => reader.openDataKey(theirs)).toThrow(CorruptData);
  });

  test('opens what it has wrapped itself, under the same name only', () => {
    const reader = makeReader(user, secret)!;
    const wrapped = reader.wrapDataKey('k1', dataKey);
    expect(reader.openDataKey({ id: 'k1', sealed: null, wrapped })).toEqual(dataKey);
    expect(() => reader.openDataKey({ id: 'k2', sealed: null, wrapped })).toThrow(CorruptData);
    const otherSecret = makeSecret();
    const other = makeReader({ ...user, publicKey: derivePublicKey(otherSecret) }, otherSecret)!;
    expect(() => other.openDataKey({ id: 'k1', sealed: null, wrapped })).toThrow(CorruptData);
  });
});
