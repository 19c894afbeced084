// The needs of each router contain no private key of the worker, in any object, list or keyset.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeNeeds } from '../../src/interfaces/http/needs.ts';
import type { Keyset } from '../../src/platform/vault/keyset.ts';
import { startService, type TestService } from '../support/testService.ts';

const isKeyset = (value: object): value is Keyset<unknown> => 'withCurrent' in value && 'all' in value;

/** All bytes in an object, in hexadecimal: in its properties, lists, maps and keysets. */
const bytesIn = (root: unknown): string[] => {
  const found: string[] = [];
  const seen = new Set<unknown>();
  const pending = [root];
  for (const value of pending) {
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    if (value instanceof Uint8Array) found.push(Buffer.from(value).toString('hex'));
    else pending.push(...(value instanceof Map ? value.values() : Object.values(value)));
    if (isKeyset(value)) pending.push(...value.all());
  }
  return found;
};

describe('the parts of the service that a router gets', () => {
  let service: TestService;
  let privateKeys: string[];
  beforeAll(async () => {
    service = await startService();
    const { keys, signing } = service.service.secrets.worker!;
    privateKeys = bytesIn([keys.current().privateKey, signing.current().privateKey]);
  });
  afterAll(() => service.close());

  test('the service itself has the private keys of the worker', () => {
    expect(bytesIn(service.service)).toEqual(expect.arrayContaining(privateKeys));
  });

  test.for(['api', 'widget', 'dashboard', 'server'] as const)('%s has none of them', (name) => {
    const found = bytesIn(makeNeeds(service.service)[name]);
    expect(found.filter((key) => privateKeys.includes(key))).toEqual([]);
  });
});
