// The scoped token: `sct_` and 72 base64url characters, which encode version (1 byte), end user id (16), secret (32)
// and checksum (5). It is opaque to consumers and recognizable to secret scanners. 54 bytes leave no spare bits in
// base64url, so each token has exactly one encoding.
import sodium from 'sodium-native';
import { fromBase62, toBase62 } from '../ids.ts';
import { constantTimeEqual } from './keys.ts';

const version = 1;
const checksumBytes = 5;
const tokenPattern = /^sct_[A-Za-z0-9_-]{72}$/;

export type ScopedToken = { endUserId: string; secret: Buffer };

const checksum = (body: Buffer): Buffer => {
  const hash = Buffer.alloc(16);
  sodium.crypto_generichash(hash, Buffer.concat([Buffer.from('scoped token v1'), body]));
  return hash.subarray(0, checksumBytes);
};

/** The token as text. Consumers receive it once, as an argument of `onSuccess`. */
export const encodeScopedToken = ({ endUserId, secret }: ScopedToken): string => {
  const user = fromBase62(endUserId.slice('usr_'.length));
  if (!user || secret.length !== 32)
    throw new Error('A scoped token needs an end user id and a secret of 32 bytes.');
  const body = Buffer.concat([Buffer.from([version]), user, secret]);
  return `sct_${Buffer.concat([body, checksum(body)]).toString('base64url')}`;
};

/** Parses a token; undefined if the text is not exactly the encoding of one. */
export const parseScopedToken = (text: string): ScopedToken | undefined => {
  if (!tokenPattern.test(text)) return undefined;
  const bytes = Buffer.from(text.slice(4), 'base64url');
  const body = bytes.subarray(0, -checksumBytes);
  if (body[0] !== version || !constantTimeEqual(checksum(body), bytes.subarray(-checksumBytes)))
    return undefined;
  return { endUserId: `usr_${toBase62(body.subarray(1, 17))}`, secret: Buffer.from(body.subarray(17)) };
};
