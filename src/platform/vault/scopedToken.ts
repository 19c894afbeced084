// The scoped token: the id and the secret of the end user. It is opaque to consumers and recognizable to secret scanners.
import sodium from 'sodium-native';
import { fromBase62, toBase62 } from '../values/ids.ts';
import { constantTimeEqual } from './keys.ts';

// A token consists of an id and a secret: 72 base64url characters, which encode version (1 byte), id (16), secret (32) and
// checksum (5). 54 bytes leave no spare bits in base64url, so each token has exactly one encoding.

/** `id` are the 22 base62 digits after the prefix of an id. */
export type SecretToken = { id: string; secret: Buffer };

/** The properties that distinguish kinds of tokens: a purpose, which the checksum covers, and a prefix of the text. */
export type SecretTokenForm = { purpose: string; prefix: string };

const version = 1;
const checksumBytes = 5;
const tokenPattern = /^[A-Za-z0-9_-]{72}$/;

const checksum = (purpose: string, body: Buffer): Buffer => {
  const hashed = Buffer.allocUnsafe(purpose.length + body.length);
  body.copy(hashed, hashed.write(purpose, 'latin1'));
  const hash = Buffer.allocUnsafe(16);
  sodium.crypto_generichash(hash, hashed);
  return hash.subarray(0, checksumBytes);
};

/** The token as text. */
export const encodeSecretToken = (
  { purpose, prefix }: SecretTokenForm,
  { id, secret }: SecretToken,
): string => {
  const idBytes = fromBase62(id);
  if (!idBytes || secret.length !== 32) throw new Error('A token needs an id and a secret of 32 bytes.');
  const body = Buffer.concat([Buffer.from([version]), idBytes, secret]);
  return prefix + Buffer.concat([body, checksum(purpose, body)]).toString('base64url');
};

/** Parses a token; undefined if the text is not exactly the encoding of one. */
export const parseSecretToken = (
  { purpose, prefix }: SecretTokenForm,
  text: string,
): SecretToken | undefined => {
  const encoded = text.slice(prefix.length);
  if (!text.startsWith(prefix) || !tokenPattern.test(encoded)) return undefined;
  const bytes = Buffer.from(encoded, 'base64url');
  const body = bytes.subarray(0, -checksumBytes);
  if (body[0] !== version || !constantTimeEqual(checksum(purpose, body), bytes.subarray(-checksumBytes)))
    return undefined;
  return { id: toBase62(body.subarray(1, 17)), secret: Buffer.from(body.subarray(17)) };
};

const form = { purpose: 'scoped token v1', prefix: 'sct_' };

export type ScopedToken = { endUserId: string; secret: Buffer };

/** The token as text. Consumers receive it once, as an argument of `onSuccess`. */
export const encodeScopedToken = ({ endUserId, secret }: ScopedToken): string =>
  encodeSecretToken(form, { id: endUserId.slice('usr_'.length), secret });

/** Parses a token; undefined if the text is not exactly the encoding of one. */
export const parseScopedToken = (text: string): ScopedToken | undefined => {
  const parsed = parseSecretToken(form, text);
  return parsed && { endUserId: `usr_${parsed.id}`, secret: parsed.secret };
};
