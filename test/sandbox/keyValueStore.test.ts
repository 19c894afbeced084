// The sandbox bank's memory keeps what it is told, among processes that write at the same time, on both databases.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeDatabaseStorage } from '../../src/connectors/sandbox/storage/databaseStorage.ts';
import { CorruptData } from '../../src/errors.ts';
import { databases } from '../support/databases.ts';
import { openSandbox, type TestSandbox } from '../support/sandboxConnector.ts';

for (const database of databases) {
  describe(`the sandbox bank's memory on ${database.name}`, () => {
    let sandbox: TestSandbox;
    beforeAll(async () => {
      sandbox = await openSandbox({}, database);
    });
    afterAll(() => sandbox.close());

    test('keeps the last value of a key, and other keys apart', async () => {
      const { storage } = sandbox;
      expect(await storage.get('one')).toBeUndefined();
      await storage.put('one', 'first');
      await storage.put('two', '');
      await storage.put('one', 'second');
      expect(await storage.get('one')).toBe('second');
      expect(await storage.get('two')).toBe('');
    });

    test('keeps lists in order, also a first part of them, and apart from values', async () => {
      const { storage: memory } = sandbox;
      await memory.put('list', 'value');
      for (const value of ['a', 'b', 'c']) await memory.append('list', value);
      expect(await memory.list('list')).toEqual(['a', 'b', 'c']);
      expect(await memory.list('list', 2)).toEqual(['a', 'b']);
      expect(await memory.list('list', 0)).toEqual([]);
      expect(await memory.list('another')).toEqual([]);
      expect(await memory.get('list')).toBe('value');
    });

    test('gives every appended value a position of its own, however many append at once', async () => {
      const other = makeDatabaseStorage(sandbox.db, sandbox.secret);
      const lengths = await Promise.all(
        Array.from({ length: 24 }, (_, at) =>
          (at % 2 ? other : sandbox.storage).append('crowded', String(at)),
        ),
      );
      expect(lengths.sort((left, right) => left - right)).toEqual(
        Array.from({ length: 24 }, (_, at) => at + 1),
      );
      expect(new Set(await sandbox.storage.list('crowded')).size).toBe(24);
    });

    test('shows neither keys nor values, and opens under its own secret only, in its own place', async () => {
      const { storage: memory, db } = sandbox;
      await memory.put('a telling key', 'a telling value');
      await memory.put('mover', 'moved');
      const rows = await db.read('sandbox_kv');
      for (const { key_fingerprint, sealed } of rows) {
        expect(Buffer.concat([key_fingerprint, sealed]).includes('telling')).toBe(false);
      }
      const foreign = makeDatabaseStorage(db, Buffer.alloc(32, 1));
      expect(await foreign.get('a telling key')).toBeUndefined();
      // One key's value put in the place of all others.
      await db.write('sandbox_kv').where({ position: 0 }).update({ sealed: rows[0].sealed });
      const opened = await Promise.allSettled(['a telling key', 'mover'].map((key) => memory.get(key)));
      const refused = opened.filter(({ status }) => status === 'rejected');
      expect(refused.length).toBeGreaterThan(0);
      for (const { reason } of refused as PromiseRejectedResult[]) expect(reason).toBeInstanceOf(CorruptData);
    });
  });
}
