// Public ids: a prefix for the kind of resource, then 128 random bits in base 62.
import { randomBytes } from 'node:crypto';
import { hashText } from './textHash.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** The digits of 16 bytes in base 62. */
export const base62Length = 22;

export type IdPrefix =
  | 'org'
  | 'app'
  | 'key'
  | 'usr'
  | 'con'
  | 'acc'
  | 'txn'
  | 'lks'
  | 'rev'
  | 'mem'
  | 'ses'
  | 'psk'
  | 'inv'
  | 'tok'
  | 'whe'
  | 'evt'
  | 'sfa';

/** A new id: the prefix, `_` and 22 base62 characters. */
export const makeId = (prefix: IdPrefix): string => `${prefix}_${toBase62(randomBytes(16))}`;

/** The number of leading hash bits that the ids of an end user share: enough for 256 shards. One attempt in 256 has them. */
const sharedBits = 8;
/** Never reached in practice: the probability is one in 10^111. */
const attemptsMax = 65_536;

/**
 * A new id that Citus places on the same node as another text (db/citus.ts), so that all rows of an end user depend on one node.
 * Used with every database, because a plain one may become a cluster.
 */
export const makeIdNear = (prefix: IdPrefix, near: string): string => {
  const shard = hashText(near) >> (32 - sharedBits);
  const bytes = randomBytes(16);
  for (let attempt = 1; ; attempt++) {
    bytes.writeUInt16BE((bytes.readUInt16BE(14) + 1) % attemptsMax, 14);
    const id = `${prefix}_${toBase62(bytes)}`;
    if (hashText(id) >> (32 - sharedBits) === shard || attempt === attemptsMax) return id;
  }
};

/** True if `text` has the form of an id with this prefix. */
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
  // Ids created within one millisecond, or after a small correction of the clock, keep their order.
  const isRolledBack = timestamp < lastTimestamp - clockRollbackToleranceMs;
  lastTimestamp = isRolledBack ? timestamp : Math.max(timestamp, lastTimestamp + 1);
  return `${lastTimestamp.toString(36).padStart(9, '0')}${toBase62(randomBytes(16))}`;
};

const crockfordAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const refreshCursorPrefix = 'txr_';
const timeDigits = 10;
const zeroDigits = '0'.repeat(16);
const refreshTimeMax = 2 ** 48 - 1;

/**
 * The next refresh of an account, as the time in milliseconds since 1970: strictly greater than its last one, even if the clock
 * was set back.
 */
export const nextRefreshTime = (last: number | undefined, now: Date): number =>
  Math.max(now.getTime(), (last ?? -1) + 1);

/** True if a value can be the time of a refresh: an integer of 48 bits. */
export const isRefreshTime = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= refreshTimeMax;

/** The time of a refresh as a refresh cursor: `txr_` and a ULID whose random part is zero. It sorts like the time. */
export const formatRefreshCursor = (time: number): string => {
  let digits = '';
  for (let rest = time; digits.length < timeDigits; rest = Math.floor(rest / 32)) {
    digits = crockfordAlphabet[rest % 32] + digits;
  }
  return `${refreshCursorPrefix}${digits}${zeroDigits}`;
};

/** The time of a refresh cursor. Ignores the text after the time. */
export const parseRefreshCursor = (text: string): number => {
  let time = 0;
  for (const digit of text.slice(refreshCursorPrefix.length, refreshCursorPrefix.length + timeDigits)) {
    time = time * 32 + crockfordAlphabet.indexOf(digit);
  }
  return time;
};
