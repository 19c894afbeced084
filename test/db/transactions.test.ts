// Transactions are applied completely or not at all, even if the database itself ends one.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, type DbTransaction, openDatabase } from '../../src/platform/db/open.ts';
import { DatabaseUnavailable } from '../../src/platform/values/errors.ts';
import { databases, type TestDatabase } from '../support/databases.ts';

const addOrganization = async (db: DbTransaction, id: string): Promise<void> => {
  await db('organizations').insert({ id, name: id, createdAt: '2026' });
};

for (const kind of databases) {
  describe(`a transaction on ${kind.name}`, () => {
    let database: TestDatabase;
    let db: Database;
    beforeAll(async () => {
      database = await kind.create();
      db = await openDatabase(database.url);
    });
    afterAll(async () => {
      await db.close();
      await database.drop();
    });

    const ids = (): Promise<string[]> => db.read('organizations').orderBy('id').pluck('id');
    /** Ends the transaction as the database does if its disk is full, or if a statement fails on PostgreSQL. */
    const endInside = (trx: DbTransaction): Promise<unknown> =>
      db.dialect === 'sqlite' ? trx.raw('rollback') : trx.raw('select 1 / 0').then(null, () => {});

    test('of which the function fails stores nothing', async () => {
      const failing = db.transaction(async (trx) => {
        await addOrganization(trx, 'lost');
        throw new Error('failed');
      });
      await expect(failing).rejects.toThrow('failed');
      expect(await ids()).toEqual([]);
    });

    test('that the database has ended stores nothing, and fails although its function succeeds', async () => {
      const ended = db.transaction(async (trx) => {
        await addOrganization(trx, 'lost');
        await endInside(trx);
        return 'done';
      });
      await expect(ended).rejects.toThrow(DatabaseUnavailable);
      expect(await ids()).toEqual([]);
    });

    test('that the database has ended runs no further statement on its own', async () => {
      const ended = db.transaction(async (trx) => {
        await endInside(trx);
        await addOrganization(trx, 'lost');
      });
      await expect(ended).rejects.toThrow();
      expect(await ids()).toEqual([]);
    });

    test('that has ended runs no statement', async () => {
      let kept: DbTransaction | undefined;
      await db.transaction(async (trx) => {
        kept = trx;
      });
      await expect(addOrganization(kept!, 'late')).rejects.toThrow(DatabaseUnavailable);
      expect(await ids()).toEqual([]);
    });

    test('waits for earlier ones, in the order of their arrival', async () => {
      const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
      const first = db.transaction(async (trx) => {
        await addOrganization(trx, 'first');
        await mayEnd;
      });
      const others = ['second', 'third'].map((id) => db.transaction((trx) => addOrganization(trx, id)));
      end();
      await Promise.all([first, ...others]);
      expect(await ids()).toEqual(['first', 'second', 'third']);
    });

    test('that gets no turn in time fails, but later ones do not', async () => {
      if (db.dialect !== 'sqlite') return;
      const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
      const first = db.transaction(() => mayEnd);
      await expect(db.within(20).write('organizations').where({ id: 'none' }).delete()).rejects.toThrow(
        DatabaseUnavailable,
      );
      const behind = db.write('organizations').where({ id: 'none' }).delete();
      end();
      await first;
      expect(await behind).toBe(0);
    });
  });
}
