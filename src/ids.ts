// Public ids: a prefix for the kind of resource, then 128 random bits in base 62.
import { randomBytes } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const base62Length = 22;

export type IdPrefix =
  | 'org'
  | 'app'
  | 'key'
  | 'usr'
  | 'con'
  | 'acc'
  | 'txn'
  | 'lks'
  | 'mem'
  | 'ses'
  | 'psk'
  | 'inv';

/** A new id: the prefix, `_` and 22 base62 characters. */
export const makeId = (prefix: IdPrefix): string => `${prefix}_${toBase62(randomBytes(16))}`;

/** Whether `text` has the form of an id with this prefix. */
export const isId = (prefix: IdPrefix, text: string): boolean =>
  text.length === prefix.length + 1 + base62Length &&
  text.startsWith(`${prefix}_`) &&
  /^[0-9A-Za-z]+$/.test(text.slice(prefix.length + 1));

/** 16 bytes as exactly 22 base62 digits, most significant first. */
export const toBase62 = (bytes: Uint8Array): string => {
  // Long division in words of 16 bits: every transaction gets an id, and BigInt takes four times as long.
  const words = [0, 2, 4, 6, 8, 10, 12, 14].map((at) => (bytes[at]! << 8) | bytes[at + 1]!);
  let text = '';
  for (let digit = 0; digit < base62Length; digit++) {
    let remainder = 0;
    for (let at = 0; at < words.length; at++) {
      const value = (remainder << 16) | words[at]!;
      words[at] = (value / 62) | 0;
      remainder = value % 62;
    }
    text = alphabet[remainder] + text;
  }
  return text;
};

/** The 16 bytes that `toBase62` encoded; undefined for any other text. */
export const fromBase62 = (text: string): Buffer | undefined => {
  if (text.length !== base62Length) return undefined;
  let value = 0n;
  for (const digit of text) {
    const at = alphabet.indexOf(digit);
    if (at < 0) return undefined;
    value = value * 62n + BigInt(at);
  }
  if (value >> 128n) return undefined;
  const bytes = Buffer.alloc(16);
  for (let at = 15; at >= 0; at--) {
    bytes[at] = Number(value & 255n);
    value >>= 8n;
  }
  return bytes;
};

let lastTimestamp = 0;
const clockRollbackToleranceMs = 60_000;

/**
 * An id that sorts by time, and within one process by creation: 9 base36 digits of milliseconds, then 22 random base62
 * characters. If the clock is set back by more than a minute, ids follow it; otherwise they would stay ahead of the
 * clock until the process ends.
 */
export const makeSortableId = (now: Date): string => {
  const timestamp = now.getTime();
  // Ids made within one millisecond, or after a small correction of the clock, keep their order.
  const isRolledBack = timestamp < lastTimestamp - clockRollbackToleranceMs;
  lastTimestamp = isRolledBack ? timestamp : Math.max(timestamp, lastTimestamp + 1);
  return `${lastTimestamp.toString(36).padStart(9, '0')}${toBase62(randomBytes(16))}`;
};

const crockfordAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const ulidDigits = 26;
const ulidRandomBits = 80n;

/**
 * A refresh cursor: `txr_` and a ULID (48 bits of milliseconds, 80 random bits, in Crockford's base 32) that is strictly
 * greater than the account's last cursor, even when the clock was set back.
 */
export const nextRefreshCursor = (last: string | undefined, now: Date): string => {
  const fresh = (BigInt(now.getTime()) << ulidRandomBits) | BigInt(`0x${randomBytes(10).toString('hex')}`);
  const previous = last === undefined ? -1n : decodeUlid(last.slice('txr_'.length));
  return `txr_${encodeUlid(fresh > previous ? fresh : previous + 1n)}`;
};

const encodeUlid = (value: bigint): string => {
  let text = '';
  for (let digit = 0; digit < ulidDigits; digit++) {
    text = crockfordAlphabet[Number(value & 31n)] + text;
    value >>= 5n;
  }
  return text;
};

const decodeUlid = (text: string): bigint => {
  let value = 0n;
  for (const digit of text) value = (value << 5n) | BigInt(crockfordAlphabet.indexOf(digit));
  return value;
};
