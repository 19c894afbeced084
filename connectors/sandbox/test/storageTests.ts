// The tests for every implementation of the sandbox's storage.
import { expect, test } from 'vitest';
import type { SandboxStorage } from '../storage.ts';
import { organizationId } from './fixture.ts';

/** Calls `storageOf` only in tests, because the database is open only there. */
export const storageTests = (storageOf: (organizationId: string) => SandboxStorage): void => {
  test('keeps the last value of each key', async () => {
    const storage = storageOf(organizationId);
    expect(await storage.get('one')).toBeUndefined();
    await storage.put('one', 'first');
    await storage.put('two', '');
    await storage.put('one', 'second');
    expect(await storage.get('one')).toBe('second');
    expect(await storage.get('two')).toBe('');
  });

  test('keeps lists in order, reads a part of them, and keeps them apart from values', async () => {
    const storage = storageOf(organizationId);
    await storage.put('list', 'value');
    for (const [index, value] of ['a', 'b', 'c'].entries())
      expect(await storage.append('list', value)).toBe(index + 1);
    expect(await storage.list('list')).toEqual(['a', 'b', 'c']);
    expect(await storage.list('list', 2)).toEqual(['a', 'b']);
    expect(await storage.list('list', 0)).toEqual([]);
    expect(await storage.list('another')).toEqual([]);
    expect(await storage.get('list')).toBe('value');
  });

  test('keeps the values and lists of each organization apart', async () => {
    const own = storageOf(organizationId);
    const other = storageOf('org_1111111111111111111111');
    await own.put('value of one', 'own');
    await own.append('list of one', 'own');
    expect(await other.get('value of one')).toBeUndefined();
    expect(await other.list('list of one')).toEqual([]);
    await other.put('value of one', 'other');
    expect(await other.append('list of one', 'other')).toBe(1);
    expect(await own.get('value of one')).toBe('own');
    expect(await own.list('list of one')).toEqual(['own']);
  });
};
