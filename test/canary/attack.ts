// Simulates an attacker with the whole database and some secrets: tries each secret, and each key that the source derives
// from a secret, on every stored value, as a symmetric key and as a private key.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sodium from 'sodium-native';
import { blockTransactionsMax } from '../../src/domain/codec/block.ts';
import { deriveKey, deriveKeyPair, type KeyPair } from '../../src/platform/vault/keys.ts';
import { tryUnsealBox } from '../../src/platform/vault/seal.ts';
import { readSources } from '../architecture/sources.ts';
import type { Row } from './dump.ts';
import { type Canary, findCanaries } from './scanner.ts';

export type Keys = { symmetric: Buffer[]; pairs: KeyPair[] };

/** The purposes for which the source derives keys. */
const purposes = (): string[] => {
  const found = new Set<string>();
  for (const text of readSources(['src'], ['.ts']).values()) {
    for (const [, purpose] of text.matchAll(/deriveKey\([^,]+,\s*'([^']+)'/g)) found.add(purpose!);
  }
  return [...found];
};

/** All keys that can be derived from 32-byte secrets. */
export const keysOf = (secrets: readonly Buffer[]): Keys => {
  const allPurposes = purposes();
  const symmetric = secrets.flatMap((secret) => [
    secret,
    ...allPurposes.map((purpose) => deriveKey(secret, purpose)),
  ]);
  const pairs = secrets.flatMap((secret) => {
    const publicKey = Buffer.alloc(32);
    sodium.crypto_scalarmult_base(publicKey, secret);
    return [deriveKeyPair(secret), { publicKey, privateKey: secret }];
  });
  return { symmetric, pairs };
};

/** The service's secrets, read from its directory. */
export const readSecrets = async (directory: string): Promise<Map<string, Buffer>> => {
  const names = await readdir(directory);
  const secrets = await Promise.all(
    names.map(async (name): Promise<[string, Buffer]> => {
      const text = await readFile(join(directory, name), 'utf8');
      return [name, Buffer.from(text.trim(), 'base64url')];
    }),
  );
  return new Map(secrets);
};

type StreamCipher = {
  crypto_stream_xchacha20_xor_ic(out: Buffer, text: Buffer, nonce: Buffer, block: number, key: Buffer): void;
};

const nonceEnd = 25;

/** Decrypts a sealed record with this key, without checking its tag and associated data. */
const decryptUnchecked = (value: Buffer, key: Buffer): Buffer => {
  const text = value.subarray(nonceEnd, -16);
  const plain = Buffer.alloc(text.length);
  const { crypto_stream_xchacha20_xor_ic: xor } = sodium as unknown as StreamCipher;
  xor(plain, text, value.subarray(1, nonceEnd), 1, key);
  return plain;
};

export type Opened = {
  /** The columns that revealed a canary or a key, as `table.column`. */
  columns: Set<string>;
  /** The decrypted texts, which may contain keys for a second attempt. */
  boxes: Buffer[];
};

/** Tries all keys on all sealed values. */
export const tryAllKeys = (tables: Map<string, Row[]>, keys: Keys, canaries: readonly Canary[]): Opened => {
  const opened: Opened = { columns: new Set(), boxes: [] };
  for (const { column, value } of sealedValues(tables)) {
    for (const pair of keys.pairs) {
      const plain = tryUnsealBox(pair, value);
      if (!plain) continue;
      opened.boxes.push(plain);
      opened.columns.add(column);
    }
    if (value.length <= nonceEnd + 16) continue;
    for (const key of keys.symmetric) {
      const plain = decryptUnchecked(value, key);
      if (!isReadable(plain, canaries)) continue;
      opened.boxes.push(plain);
      opened.columns.add(column);
    }
  }
  return opened;
};

const sealedValues = (tables: Map<string, Row[]>): { column: string; value: Buffer }[] =>
  [...tables].flatMap(([table, rows]) =>
    rows.flatMap((row) =>
      Object.entries(row).flatMap(([name, value]) =>
        Buffer.isBuffer(value) && value.length > 0 ? [{ column: `${table}.${name}`, value }] : [],
      ),
    ),
  );

// True for a plausible decrypted text: a canary or an encoded key. Only a text that begins with a number of texts, like a
// block, may have control characters at the start.
const isReadable = (plain: Buffer, canaries: readonly Canary[]): boolean => {
  const isBlock = plain[0]! <= blockTransactionsMax && plain[1] === 0;
  if (!isBlock && plain.subarray(0, 64).some((byte) => byte < 0x20)) return false;
  return /^[A-Za-z0-9_-]{43}$/.test(plain.toString('latin1')) || findCanaries(plain, canaries).length > 0;
};
