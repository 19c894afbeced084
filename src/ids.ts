// The ids of the specification: a prefix that says what it is, and 128 random bits in base 62.
import { randomBytes } from './random.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const digits = 22;

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

/** A new id, for example `con_` and 22 base62 characters. */
export const makeId = (prefix: IdPrefix): string => `${prefix}_${toBase62(randomBytes(16))}`;

/** Whether a text has the form of an id of this kind. */
export const isId = (prefix: IdPrefix, text: string): boolean =>
  text.length === prefix.length + 1 + digits &&
  text.startsWith(`${prefix}_`) &&
  /^[0-9A-Za-z]+$/.test(text.slice(prefix.length + 1));

/** 16 bytes as exactly 22 base62 digits, most significant first. */
export const toBase62 = (bytes: Uint8Array): string => {
  // Long division in words of 16 bits: every sealed entry gets an id, and BigInt takes four times as long.
  const words = [0, 2, 4, 6, 8, 10, 12, 14].map((at) => (bytes[at]! << 8) | bytes[at + 1]!);
  let text = '';
  for (let digit = 0; digit < digits; digit++) {
    let rest = 0;
    for (let at = 0; at < words.length; at++) {
      const value = (rest << 16) | words[at]!;
      words[at] = (value / 62) | 0;
      rest = value % 62;
    }
    text = alphabet[rest] + text;
  }
  return text;
};

/** The 16 bytes of an id made by `toBase62`; undefined where the text is none. */
export const fromBase62 = (text: string): Buffer | undefined => {
  if (text.length !== digits) return undefined;
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
 * An id that sorts as time does, and as they were made within one process: 9 digits of time, then 22 at random.
 * A clock that is set back by more than a minute is followed, because its earlier mistake would otherwise lead until
 * the process ends.
 */
export const makeSortableId = (now: Date): string => {
  const moment = now.getTime();
  // A burst within one millisecond, or a clock that was corrected a little, still keeps its order.
  lastTimestamp =
    moment < lastTimestamp - clockRollbackToleranceMs ? moment : Math.max(moment, lastTimestamp + 1);
  return `${lastTimestamp.toString(36).padStart(9, '0')}${toBase62(randomBytes(16))}`;
};
