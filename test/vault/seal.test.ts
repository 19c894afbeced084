// The format of sealed bytes, which cannot be unsealed after a change or with other associated data.
import { createDecipheriv } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CorruptData } from '../../src/platform/values/errors.ts';
import { deriveKeyPair } from '../../src/platform/vault/keys.ts';
import {
  type AssociatedData,
  makeKey,
  seal,
  sealBox,
  unseal,
  unsealBox,
} from '../../src/platform/vault/seal.ts';
import { hchacha20 } from './hchacha20.ts';

const key = Buffer.from(Array.from({ length: 32 }, (_, at) => at));
const associatedData: AssociatedData = ['transaction', 'acc_1', 'txn_1'];

describe('a record', () => {
  test('can be unsealed from a test vector', () => {
    const sealed = 'AZ7Jwey8bUqvPgGiZ59wo4sj30XYMWP6_8oiyQ0DXf2TVR6t3gAVeCVrvPlYqdc8iF4eprTP_Dcl';
    expect(unseal(Buffer.from(sealed, 'base64url'), key, associatedData)).toBe('the text: Füße');
  });

  test('can be unsealed to the same text only with the same associated data', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 300 });
    const name = fc.stringMatching(/^\w{1,20}$/);
    fc.assert(
      fc.property(text, name, name, name, (value, purpose, id, other) => {
        const sealed = seal(value, key, [purpose, id]);
        expect(unseal(sealed, key, [purpose, id])).toBe(value);
        if (other !== id) expect(() => unseal(sealed, key, [purpose, other])).toThrow(CorruptData);
        if (other !== purpose) expect(() => unseal(sealed, key, [other, id])).toThrow(CorruptData);
        expect(() => unseal(sealed, key, [purpose, id, other])).toThrow(CorruptData);
        expect(() => unseal(sealed, key, [purpose])).toThrow(CorruptData);
      }),
    );
  });

  test('cannot be unsealed with the same characters divided into other parts', () => {
    // Includes characters that an encoding could use between the parts.
    const part = fc.string({ unit: fc.constantFrom('a', '1', ':', ' ', '\n', '\0', 'ü'), maxLength: 6 });
    const parts = fc.tuple(part, part, part);
    fc.assert(
      fc.property(
        parts,
        fc.nat(),
        fc.nat(),
        fc.constantFrom(...'\n :\0', ''),
        (given, one, other, between) => {
          const text = given.join(between);
          const [start, end] = [one, other].map((at) => at % (text.length + 1)).sort((l, r) => l - r);
          const divided = [text.slice(0, start), text.slice(start, end), text.slice(end)] as const;
          const sealed = seal('bound', key, given);
          for (const parts of [divided, [text] as const, [given[0], given.slice(1).join(between)] as const]) {
            if (JSON.stringify(parts) === JSON.stringify(given)) continue;
            expect(() => unseal(sealed, key, parts)).toThrow(CorruptData);
          }
        },
      ),
    );
  });

  test('is XChaCha20-Poly1305, as another implementation decrypts it', () => {
    const sealed = seal('decrypted elsewhere', key, associatedData);
    const nonce = sealed.subarray(1, 25);
    // draft-irtf-cfrg-xchacha: a subkey from the first 16 bytes of the nonce, then ChaCha20-Poly1305.
    const subkey = hchacha20(key, nonce.subarray(0, 16));
    const shortNonce = Buffer.concat([Buffer.alloc(4), nonce.subarray(16)]);
    const decipher = createDecipheriv('chacha20-poly1305', subkey, shortNonce, { authTagLength: 16 });
    decipher.setAAD(Buffer.from('1 11:transaction 5:acc_1 5:txn_1'), { plaintextLength: sealed.length - 41 });
    decipher.setAuthTag(sealed.subarray(-16));
    const plain = Buffer.concat([decipher.update(sealed.subarray(25, -16)), decipher.final()]);
    expect(plain.toString()).toBe('decrypted elsewhere');
    expect(sealed[0]).toBe(1);
  });

  test('cannot be unsealed if a bit is changed or a byte is added or removed', () => {
    const sealed = seal('every bit counts', key, associatedData);
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const changed = Buffer.from(sealed);
      changed[bit >> 3] = changed[bit >> 3]! ^ (1 << (bit & 7));
      expect(() => unseal(changed, key, associatedData)).toThrow(CorruptData);
    }
    for (let length = 0; length < sealed.length; length++) {
      expect(() => unseal(sealed.subarray(0, length), key, associatedData)).toThrow(CorruptData);
    }
    expect(() => unseal(Buffer.concat([sealed, Buffer.alloc(1)]), key, associatedData)).toThrow(CorruptData);
  });

  test('cannot be unsealed with another key', () => {
    expect(() => unseal(seal('text', key, associatedData), makeKey(), associatedData)).toThrow(CorruptData);
  });

  test('differs each time, and reveals only the length of its text', () => {
    const [first, second] = [seal('same', key, associatedData), seal('same', key, associatedData)];
    expect(first).not.toEqual(second);
    expect(first.length).toBe(second.length);
    expect(first.length).toBe(1 + 24 + 4 + 16);
  });

  test('is named by its purpose in the error, which contains nothing of its text', () => {
    const sealed = seal('unmistakable', key, associatedData);
    sealed[30] = sealed[30]! ^ 1;
    expect(() => unseal(sealed, key, associatedData)).toThrow('A sealed transaction cannot be unsealed.');
  });

  test('can be unsealed from a view into a larger buffer, as a database driver may return it', () => {
    const sealed = seal('in the middle', key, associatedData);
    const around = Buffer.concat([Buffer.alloc(7, 1), sealed, Buffer.alloc(9, 2)]);
    const view = new Uint8Array(around.buffer, around.byteOffset + 7, sealed.length);
    expect(unseal(view, key, associatedData)).toBe('in the middle');
  });
});

describe('a sealed box', () => {
  const pair = deriveKeyPair(key);

  test('can be unsealed from a test vector', () => {
    const sealed = '4FDAwxGFjhd8vMj5UFdwU5VyJtuDjk6B6Y_mFSCgDxCP0QCWQRN29ADty4BxWdFMfStkIN9qlMpwFkSrWw';
    expect(unsealBox(pair, Buffer.from(sealed, 'base64url')).toString()).toBe('to the holder');
  });

  test('can be unsealed with the private key only', () => {
    const other = deriveKeyPair(makeKey());
    const sealed = sealBox(pair.publicKey, Buffer.from('secret'));
    expect(unsealBox(pair, sealed).toString()).toBe('secret');
    expect(() => unsealBox(other, sealed)).toThrow(CorruptData);
    expect(() => unsealBox({ publicKey: pair.publicKey, privateKey: other.privateKey }, sealed)).toThrow(
      CorruptData,
    );
  });

  test('cannot be unsealed if a byte is changed, added or removed', () => {
    const sealed = sealBox(pair.publicKey, makeKey());
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed[at] = changed[at]! ^ 0x40;
      expect(() => unsealBox(pair, changed)).toThrow(CorruptData);
      expect(() => unsealBox(pair, sealed.subarray(0, at))).toThrow(CorruptData);
    }
    expect(() => unsealBox(pair, Buffer.concat([sealed, Buffer.alloc(1)]))).toThrow(CorruptData);
  });
});
