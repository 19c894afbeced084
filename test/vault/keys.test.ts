// Keys, fingerprints, values sealed to the worker, and the keys of end users. Fixed test vectors keep the stored formats stable.
import { createPrivateKey, createPublicKey, diffieHellman, generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LinkSessionRow } from '../../src/platform/db/tables.ts';
import { CorruptData } from '../../src/platform/values/errors.ts';
import { makeEndUserKeys } from '../../src/platform/vault/endUserKeys.ts';
import {
  constantTimeEqual,
  deriveKey,
  deriveKeyPair,
  derivePublicKey,
  fingerprint,
  type KeyPair,
  keyId,
  makeSecret,
  toBoxPublicKey,
} from '../../src/platform/vault/keys.ts';
import { type BankCredentials, makeKey, sealBox, sealForWorker } from '../../src/platform/vault/seal.ts';
import { resealForWorker, unsealForWorker } from '../../src/platform/vault/workerBoxes.ts';
import { keysetOf } from '../support/keysetOf.ts';
import { hchacha20 } from './hchacha20.ts';

const secret = Buffer.from(Array.from({ length: 32 }, (_, at) => at));

describe('derived keys', () => {
  test('match the test vectors', () => {
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

  test('a key pair is a valid X25519 pair for another library', () => {
    const { publicKey, privateKey } = deriveKeyPair(secret);
    const jwk = { kty: 'OKP', crv: 'X25519', x: publicKey.toString('base64url') };
    const imported = createPrivateKey({
      key: { ...jwk, d: privateKey.toString('base64url') },
      format: 'jwk',
    });
    const other = generateKeyPairSync('x25519');
    const shared = diffieHellman({ privateKey: imported, publicKey: other.publicKey });
    const sharedByOther = diffieHellman({
      privateKey: other.privateKey,
      publicKey: createPublicKey({ key: jwk, format: 'jwk' }),
    });
    expect(shared).toEqual(sharedByOther);
  });

  test('keys for different purposes differ', () => {
    const keys = ['one', 'two', ''].map((purpose) => deriveKey(secret, purpose).toString('hex'));
    expect(new Set([...keys, secret.toString('hex')]).size).toBe(4);
  });

  test('secrets are random', () => {
    const secrets = Array.from({ length: 100 }, () => makeSecret().toString('hex'));
    expect(new Set(secrets).size).toBe(100);
    expect(secrets[0]).toHaveLength(64);
  });
});

test('hchacha20 of the tests matches the test vector of the draft', () => {
  const nonce = Buffer.from('000000090000004a0000000031415927', 'hex');
  expect(hchacha20(secret, nonce).toString('hex')).toBe(
    '82413b4227b27bfed30e42508a877d73a0f9e4d58a74a853c12ec41326d3ecdc',
  );
});

describe('constantTimeEqual', () => {
  test('is true for the same bytes of the same length only', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.uint8Array(), (left, right) => {
        expect(constantTimeEqual(left, right)).toBe(Buffer.compare(left, right) === 0);
        expect(constantTimeEqual(left, Uint8Array.from(left))).toBe(true);
      }),
    );
  });
});

describe('a fingerprint', () => {
  const toHex = (...parts: string[]) => fingerprint(secret, 'transaction', 'acc_1', parts).toString('hex');

  test('matches the test vector, because a change would turn every transaction into a new one', () => {
    expect(toHex('2024-01-01', '-1.5', 'EUR', 'COFFEE', '')).toBe('5d4143fa2368be60a5ba86df1400785b');
  });

  test('differs if a part, the order, the scope, the purpose or the key differs', () => {
    const others = [
      toHex('a', 'b'),
      toHex('b', 'a'),
      toHex('ab'),
      toHex('a', 'b', ''),
      toHex('a,b'),
      toHex('a","b'),
      fingerprint(secret, 'transaction', 'acc_2', ['a', 'b']).toString('hex'),
      fingerprint(secret, 'amount', 'acc_1', ['a', 'b']).toString('hex'),
      fingerprint(makeSecret(), 'transaction', 'acc_1', ['a', 'b']).toString('hex'),
    ];
    expect(new Set(others).size).toBe(others.length);
  });
});

describe('a value sealed to the worker', () => {
  const worker = keysetOf(deriveKeyPair(secret));
  const credentials: BankCredentials = { values: { username: 'u', password: 'p' }, deviceToken: 'd' };
  const binding = ['credentials', 'con_1'] as const;

  test('can be unsealed from a test vector', () => {
    const sealed =
      'B6khBSfusSLK63cvh6M90N9H3zU1EOuuSJr-dTpLZ1tXhnYEOaZ_zXKo2Stm-xyRsxJE9gJzgrFCmCX5bejHr6PAIB4ZE0jSaIFRKBkW' +
      'tPjvlK_tM-bAlVrG29nQ-lnY7XNUZVmIk9QjNWWsXY5aHUlB03yTd8Q3bRqMXQ';
    expect(unsealForWorker(Buffer.from(sealed, 'base64url'), binding, worker)).toEqual({
      values: { username: 'u' },
    });
  });

  test('can be unsealed only as its kind and for its owner', () => {
    const sealed = sealForWorker(credentials, binding, worker.current());
    expect(unsealForWorker(sealed, binding, worker)).toEqual(credentials);
    const later = keysetOf(deriveKeyPair(makeSecret()), worker.current());
    for (const other of [
      ['credentials', 'con_2'],
      ['importRequest', 'con_1'],
    ] as const) {
      expect(() => unsealForWorker(sealed, other, worker)).toThrow(CorruptData);
      expect(() => resealForWorker(sealed, other, later)).toThrow(CorruptData);
    }
    expect(unsealForWorker(resealForWorker(sealed, binding, later)!, binding, later)).toEqual(credentials);
    expect(() => unsealForWorker(sealed, binding, keysetOf(deriveKeyPair(makeSecret())))).toThrow(
      CorruptData,
    );
  });

  test('cannot be unsealed if a byte is changed', () => {
    const sealed = sealForWorker(credentials, binding, worker.current());
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed[at] = changed[at]! ^ 1;
      expect(() => unsealForWorker(changed, binding, worker)).toThrow(CorruptData);
    }
  });
});

/** Never called: the compiler checks each line. */
export const wrongBoxes = ({ id, importRequestSealed, resultSealed }: LinkSessionRow, page: KeyPair) => {
  const worker = keysetOf(deriveKeyPair(secret));
  // @ts-expect-error: sealed to the page
  unsealForWorker(resultSealed!, ['importRequest', id], worker);
  // @ts-expect-error: no keys of the worker
  unsealForWorker(importRequestSealed!, ['importRequest', id], page);
  const told: Pick<LinkSessionRow, 'returnSealed' | 'resultSealed'> = {
    // @ts-expect-error: sealed to the worker
    returnSealed: sealForWorker('', ['importRequest', id], worker.current()),
    // @ts-expect-error: sealed to the worker
    resultSealed: importRequestSealed,
  };
  return told;
};

describe('a userKeys', () => {
  const user = { applicationId: 'app_1', endUserId: 'usr_1', publicKey: derivePublicKey(secret) };
  const dataKey = makeKey();
  const stored = { id: 'k1', sealed: sealBox(toBoxPublicKey(user.publicKey), dataKey), wrapped: null };

  test('is created only from the secret that the public key was derived from', () => {
    expect(user.publicKey.toString('hex')).toBe(
      'a895a2bc420a341b5d606326168cc385580b318b07fad7c7d14ced5cf3706b2bd0dbcc012225311e944d75f7046b3a86',
    );
    expect(makeEndUserKeys(user, secret)).toMatchObject({ applicationId: 'app_1', endUserId: 'usr_1' });
    for (let at = 0; at < secret.length; at++) {
      const other = Buffer.from(secret);
      other[at] = other[at]! ^ 1;
      expect(makeEndUserKeys(user, other)).toBe(undefined);
    }
    expect(makeEndUserKeys({ ...user, publicKey: user.publicKey.subarray(0, 32) }, secret)).toBe(undefined);
    expect(makeEndUserKeys({ ...user, publicKey: Buffer.alloc(0) }, secret)).toBe(undefined);
  });

  test('opens the data keys of its end user only', () => {
    const userKeys = makeEndUserKeys(user, secret)!;
    expect(userKeys.openDataKey(stored)).toEqual(dataKey);
    const foreign = { ...stored, sealed: sealBox(deriveKeyPair(makeSecret()).publicKey, dataKey) };
    expect(() => userKeys.openDataKey(foreign)).toThrow(CorruptData);
  });

  test('opens a data key that it wrapped only under the same id', () => {
    const userKeys = makeEndUserKeys(user, secret)!;
    const wrapped = userKeys.wrapDataKey('k1', dataKey);
    expect(userKeys.openDataKey({ id: 'k1', sealed: null, wrapped })).toEqual(dataKey);
    expect(() => userKeys.openDataKey({ id: 'k2', sealed: null, wrapped })).toThrow(CorruptData);
    const otherSecret = makeSecret();
    const other = makeEndUserKeys({ ...user, publicKey: derivePublicKey(otherSecret) }, otherSecret)!;
    expect(() => other.openDataKey({ id: 'k1', sealed: null, wrapped })).toThrow(CorruptData);
  });
});
