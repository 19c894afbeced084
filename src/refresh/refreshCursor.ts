// The refresh cursor: `txr_` and a ULID (48 bits of milliseconds, 80 of chance, in Crockford's base 32), made so
// that the text is strictly greater than the account's last one whatever the clock does.
import { randomBytes } from '../random.ts';

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const timeDigits = 10;
const randomDigits = 16;
const randomBits = 80n;

/** The cursor of a refresh at `now`, greater than `last`. */
export const nextRefreshCursor = (last: string | undefined, now: Date): string => {
  const fresh = (BigInt(now.getTime()) << randomBits) | BigInt(`0x${randomBytes(10).toString('hex')}`);
  const previous = last === undefined ? -1n : decode(last.slice('txr_'.length));
  return `txr_${encode(fresh > previous ? fresh : previous + 1n)}`;
};

const encode = (value: bigint): string => {
  let text = '';
  for (let digit = 0; digit < timeDigits + randomDigits; digit++) {
    text = alphabet[Number(value & 31n)] + text;
    value >>= 5n;
  }
  return text;
};

const decode = (text: string): bigint => {
  let value = 0n;
  for (const digit of text) value = (value << 5n) | BigInt(alphabet.indexOf(digit));
  return value;
};
