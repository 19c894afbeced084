// The scoped token: one spelling, recognisable, and no other text is one.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toBase62 } from '../../src/ids.ts';
import { parseScopedToken, encodeScopedToken } from '../../src/vault/scopedToken.ts';

const secret = Buffer.from(Array.from({ length: 32 }, (_, at) => at));
const known = {
  token: { endUserId: 'usr_0000000000000000000001', secret },
  text: 'sct_AQAAAAAAAAAAAAAAAAAAAAEAAQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eH1AiXMef',
};

const tokens = fc
  .record({
    user: fc.uint8Array({ minLength: 16, maxLength: 16 }),
    secret: fc.uint8Array({ minLength: 32, maxLength: 32 }),
  })
  .map((made) => ({ endUserId: `usr_${toBase62(made.user)}`, secret: Buffer.from(made.secret) }));

test('a token of an earlier day is one today', () => {
  expect(encodeScopedToken(known.token)).toBe(known.text);
  expect(parseScopedToken(known.text)).toEqual(known.token);
});

test('what is printed is read as the same, and what can be read is printed as the same', () => {
  fc.assert(
    fc.property(tokens, (token) => {
      const text = encodeScopedToken(token);
      expect(text).toMatch(/^sct_[A-Za-z0-9_-]{72}$/);
      expect(parseScopedToken(text)).toEqual(token);
    }),
  );
});

test('no text that differs from a token in one character is a token', () => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=. ';
  for (let at = 0; at < known.text.length; at++) {
    for (const other of alphabet) {
      if (other === known.text[at]) continue;
      const text = known.text.slice(0, at) + other + known.text.slice(at + 1);
      expect(parseScopedToken(text)).toBe(undefined);
    }
  }
});

test('nothing around a token, and no part of it, is a token', () => {
  const { text } = known;
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

test('any text is read without an error', () => {
  fc.assert(fc.property(fc.string(), (text) => parseScopedToken(text) === undefined));
  fc.assert(
    fc.property(fc.base64String({ minLength: 72, maxLength: 72 }), (text) => {
      return parseScopedToken(`sct_${text}`) === undefined;
    }),
  );
});

test('a token is only made for a user and a whole secret', () => {
  expect(() => encodeScopedToken({ ...known.token, secret: Buffer.alloc(31) })).toThrow('32 bytes');
  expect(() => encodeScopedToken({ ...known.token, endUserId: 'usr_short' })).toThrow('end user id');
});
