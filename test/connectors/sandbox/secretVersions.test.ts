// While the sandbox's secret is rotated, queries find rows of both versions; afterwards all rows have the current version.
import { Readable } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import { organizationId, today } from '../../../connectors/sandbox/test/fixture.ts';
import { makeDatabaseStorage } from '../../../src/domain/institutions/sandbox/databaseStorage.ts';
import { loadUpload } from '../../../src/domain/institutions/sandbox/loadFile.ts';
import {
  deriveSandboxKeys,
  type SandboxKeys,
} from '../../../src/domain/institutions/sandbox/rowEncryption.ts';
import { type RenewCounts, resealSandboxRows } from '../../../src/operations/secrets/renewRows.ts';
import { makeSecret } from '../../../src/platform/vault/keys.ts';
import { type Keyset, makeKeyset } from '../../../src/platform/vault/keyset.ts';
import { databases } from '../../support/databases.ts';
import { keysetOf } from '../../support/keysetOf.ts';
import { openSandbox } from '../../support/sandboxConnector.ts';

const older = deriveSandboxKeys(makeSecret());
const newer = deriveSandboxKeys(makeSecret());
const neverUsed = deriveSandboxKeys(makeSecret());
const before = keysetOf(older, newer);
const during = keysetOf(newer, older);
const after = keysetOf(newer);

const header = 'login,account,date,transaction,amount,balance,description,reference\n';
const rowsOf = (login: string, count: number): string =>
  Array.from({ length: count }, (_, at) => `${login},1,2001-01-01,t${at},1,${at},D,R\n`).join('');
const limits = { sandboxUploadBytesMax: 1_000_000, sandboxUploadRowsMax: 700 };

for (const database of databases) {
  describe(`a new version of the sandbox's secret on ${database.name}`, () => {
    const open = async () => {
      const { db, close } = await openSandbox(database);
      onTestFinished(close);
      const readAll = async (keys: Keyset<SandboxKeys>, login: string) => {
        const storage = makeDatabaseStorage(db, keys, organizationId);
        const { chunks } = await storage.loadedTransactions({ login, account: '1' });
        const ids: (string | undefined)[] = [];
        for await (const chunk of chunks) ids.push(...chunk.map(({ id }) => id));
        return { accounts: await storage.loadedAccounts(login), ids };
      };
      return {
        ...{ db, readAll },
        storageWith: (keys: Keyset<SandboxKeys>) => makeDatabaseStorage(db, keys, organizationId),
        load: (keys: Keyset<SandboxKeys>, bytes: Iterable<string>) =>
          loadUpload(db, keys, {
            ...{ organizationId, limits, now: today, name: 'file.csv' },
            bytes: Readable.from(bytes, { objectMode: false }),
          }),
        reseal: (keys: Keyset<SandboxKeys>): Promise<RenewCounts> => {
          const { signal } = new AbortController();
          return resealSandboxRows({ db, chunkRows: 100, signal, onProgress: () => {} }, keys);
        },
      };
    };

    test('finds, replaces and continues data of the older version', async () => {
      const { storageWith, reseal } = await open();
      const old = storageWith(before);
      await old.put('kept', 'kept');
      await old.put('replaced', 'old');
      for (const value of ['a', 'b']) await old.append('list', value);
      const both = storageWith(during);
      await both.put('replaced', 'new');
      expect(await both.append('list', 'c')).toBe(3);
      // This process does not know yet that the newer version is current.
      expect(await old.append('list', 'd')).toBe(4);
      await old.put('replaced', 'newest');
      const readAll = async (keys: Keyset<SandboxKeys>) => {
        const storage = storageWith(keys);
        const values = [await storage.get('kept'), await storage.get('replaced')];
        return [...values, ...(await storage.list('list'))];
      };
      const all = ['kept', 'newest', 'a', 'b', 'c', 'd'];
      expect(await readAll(before)).toEqual(all);
      expect(await readAll(during)).toEqual(all);
      expect(await reseal(during)).toEqual({ renewed: 5, invalid: 0 });
      expect(await readAll(after)).toEqual(all);
      expect(await reseal(during)).toEqual({ renewed: 0, invalid: 0 });
      expect(await reseal(keysetOf(neverUsed, older))).toEqual({ renewed: 0, invalid: 6 });
    });

    test('seals the rest of a file that is being loaded, and a rotation re-encrypts its beginning', async () => {
      const { load, readAll, reseal } = await open();
      const keys = makeKeyset<SandboxKeys>();
      keys.replace([{ id: 'older', key: older }]);
      function* file() {
        yield `${header}${rowsOf('ada', 300)}`;
        keys.replace([
          { id: 'newer', key: newer },
          { id: 'older', key: older },
        ]);
        yield rowsOf('bob', 300);
      }
      expect(await load(keys, file())).toEqual({ rows: 600, logins: 2, accounts: 2 });
      const ada = await readAll(during, 'ada');
      expect(ada.ids).toHaveLength(300);
      expect(await reseal(during)).toMatchObject({ invalid: 0, renewed: expect.any(Number) });
      expect(await readAll(after, 'ada')).toEqual(ada);
      expect((await readAll(after, 'bob')).ids).toHaveLength(300);
      expect(await reseal(keysetOf(neverUsed, older))).toEqual({ renewed: 0, invalid: 602 });
    });

    test('replaces a login that was loaded with the older version, while it is re-encrypted', async () => {
      const { db, load, readAll, reseal, storageWith } = await open();
      await load(before, [header, rowsOf('ada', 600), rowsOf('bob', 1)]);
      const [loaded, resealed] = await Promise.all([
        load(during, [header, rowsOf('ada', 3)]),
        reseal(during),
      ]);
      expect(loaded).toEqual({ rows: 3, logins: 1, accounts: 1 });
      expect(resealed.invalid).toBe(0);
      expect((await readAll(after, 'ada')).ids).toEqual(['t0', 't1', 't2']);
      expect((await readAll(after, 'bob')).ids).toEqual(['t0']);
      expect(await db.read('sandbox_logins').pluck('organizationId')).toEqual([
        organizationId,
        organizationId,
      ]);
      expect(await db.read('sandbox_transactions').pluck('loadId')).toHaveLength(4);
      expect(await storageWith(keysetOf(older)).loadedAccounts('ada')).toBeUndefined();
    });
  });
}
