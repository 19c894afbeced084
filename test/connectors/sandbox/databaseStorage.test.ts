// The sandbox storage keeps values and lists, even with concurrent writers.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { organizationId } from '../../../connectors/sandbox/test/fixture.ts';
import { storageTests } from '../../../connectors/sandbox/test/storageTests.ts';
import { makeDatabaseStorage } from '../../../src/domain/institutions/sandbox/databaseStorage.ts';
import { deriveSandboxKeys } from '../../../src/domain/institutions/sandbox/rowEncryption.ts';
import { CorruptData } from '../../../src/platform/values/errors.ts';
import { type DatabaseKind, databases, oneDatabase } from '../../support/databases.ts';
import { keysetOf } from '../../support/keysetOf.ts';
import { openSandbox, type TestSandbox } from '../../support/sandboxConnector.ts';

let sandbox: TestSandbox;
const openOn = (database: DatabaseKind): void => {
  beforeAll(async () => {
    sandbox = await openSandbox(database);
  });
  afterAll(() => sandbox.close());
};

for (const database of oneDatabase) {
  describe(`the sandbox's storage on ${database.name}`, () => {
    openOn(database);

    storageTests((id) => sandbox.storageOf(id));

    test('stores no key or value in the clear, and finds a value with its own secret and in its own row only', async () => {
      const { storage, db } = sandbox;
      await storage.put('a secret key', 'a secret value');
      await storage.put('other key', 'other value');
      const rows = await db.read('sandbox_kv');
      for (const { fingerprint, sealed } of rows) {
        expect(Buffer.concat([fingerprint, sealed]).includes('secret')).toBe(false);
      }
      const otherSecret = makeDatabaseStorage(
        db,
        keysetOf(deriveSandboxKeys(Buffer.alloc(32, 1))),
        organizationId,
      );
      expect(await otherSecret.get('a secret key')).toBeUndefined();
      // Copies the value of one key to all other rows.
      await db.write('sandbox_kv').where({ position: 0 }).update({ sealed: rows[0]!.sealed });
      const results = await Promise.allSettled(['a secret key', 'other key'].map((key) => storage.get(key)));
      const rejected = results.filter(({ status }) => status === 'rejected');
      expect(rejected.length).toBeGreaterThan(0);
      for (const { reason } of rejected as PromiseRejectedResult[])
        expect(reason).toBeInstanceOf(CorruptData);
    });
  });
}

for (const database of databases) {
  describe(`the sandbox's storage on ${database.name}`, () => {
    openOn(database);

    test('gives each appended value its own position, with concurrent writers', async () => {
      const other = makeDatabaseStorage(sandbox.db, sandbox.secrets, organizationId);
      const lengths = await Promise.all(
        Array.from({ length: 24 }, (_, index) =>
          (index % 2 ? other : sandbox.storage).append('concurrent', String(index)),
        ),
      );
      expect(lengths.sort((left, right) => left - right)).toEqual(
        Array.from({ length: 24 }, (_, index) => index + 1),
      );
      expect(new Set(await sandbox.storage.list('concurrent')).size).toBe(24);
    });
  });
}
