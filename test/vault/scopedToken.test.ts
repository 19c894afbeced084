// Encoding and parsing of scoped tokens: each token has one encoding, and no other text parses.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toBase62 } from '../../src/platform/values/ids.ts';
import { encodeScopedToken, parseScopedToken } from '../../src/platform/vault/scopedToken.ts';

const secret = Buffer.from(Array.from({ length: 32 }, (_, at) => at));
const vector = {
  token: { endUserId: 'usr_0000000000000000000001', secret },
  text: 'sct_AQAAAAAAAAAAAAAAAAAAAAEAAQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eH1AiXMef',
};

const tokens = fc
  .record({
    user: fc.uint8Array({ minLength: 16, maxLength: 16 }),
    secret: fc.uint8Array({ minLength: 32, maxLength: 32 }),
  })
  .map(({ user, secret }) => ({ endUserId: `usr_${toBase62(user)}`, secret: Buffer.from(secret) }));

test('encoding and parsing match the test vector', () => {
  expect(encodeScopedToken(vector.token)).toBe(vector.text);
  expect(parseScopedToken(vector.text)).toEqual(vector.token);
});

test('an encoded token parses to the same token', () => {
  fc.assert(
    fc.property(tokens, (token) => {
      const text = encodeScopedToken(token);
      expect(text).toMatch(/^sct_[A-Za-z0-9_-]{72}$/);
      expect(parseScopedToken(text)).toEqual(token);
    }),
  );
});

test('a token with one other character does not parse', () => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=. ';
  for (let at = 0; at < vector.text.length; at++) {
    for (const other of alphabet) {
      if (other === vector.text[at]) continue;
      const text = vector.text.slice(0, at) + other + vector.text.slice(at + 1);
      expect(parseScopedToken(text)).toBe(undefined);
    }
  }
});

test('a token with extra characters, or a part of one, does not parse', () => {
  const { text } = vector;
  for (const other of [
    ` ${text}`,
    `${text} `,
    `${text}\n`,
    `${text}=`,
    text.slice(4),
    text.toLowerCase(),
    '',
  ]) {
    expect(parseScopedToken(other)).toBe(undefined);
  }
  for (let length = 0; length < text.length; length++) {
    expect(parseScopedToken(text.slice(0, length))).toBe(undefined);
  }
});

test('parsing never throws', () => {
  fc.assert(fc.property(fc.string(), (text) => parseScopedToken(text) === undefined));
  fc.assert(
    fc.property(fc.base64String({ minLength: 72, maxLength: 72 }), (text) => {
      return parseScopedToken(`sct_${text}`) === undefined;
    }),
  );
});

test('encoding needs an end user id and a secret of 32 bytes', () => {
  expect(() => encodeScopedToken({ ...vector.token, secret: Buffer.alloc(31) })).toThrow('32 bytes');
  expect(() => encodeScopedToken({ ...vector.token, endUserId: 'usr_short' })).toThrow('needs an id');
});
