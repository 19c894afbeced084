// Staged texts are deleted right after publishing, in bounded steps, and never within the database transaction that
// publishes.
import { expect, onTestFinished, test } from 'vitest';
import { deleteStaged, insertStagedTexts } from '../../src/flows/refresh/store.ts';
import { makeId } from '../../src/platform/values/ids.ts';
import { describeLinking, eventually, readTransactions, refreshFully } from '../linking/fixture.ts';
import { scriptedAccount, scriptedTransaction } from '../support/scriptedConnector.ts';

const transactionsOf = (ids: number[], word: string) =>
  ids.map((id) => scriptedTransaction({ id: `e${id}`, amount: `-${id}.00`, description: `${word} ${id}` }));

describeLinking(
  'staged texts',
  (fixture) => {
    const statements: string[] = [];
    const setTransactions = (username: string, ids: number[], word: string) =>
      fixture.connector.setAccounts(
        username,
        [`${username}-1`, `${username}-2`].map((id) =>
          scriptedAccount({ id, number: id, transactions: transactionsOf(ids, word) }),
        ),
      );
    const staged = () => fixture.db.read('staged_texts').select('refreshId', 'ordinal');
    const expectCleared = () => eventually(async () => expect(await staged()).toEqual([]));
    const isDeletion = (sql: string) => /^delete from .staged_texts.* between /.test(sql);
    /** Counts the statements that delete staged rows, which must all follow the publishing transaction. */
    const countDeletions = (): number => {
      const all = statements.splice(0);
      // Publishing writes the connection event last.
      const event = all.findLastIndex((sql) => sql.includes('connection_events'));
      const published = all.findIndex((sql, index) => index > event && /^commit/i.test(sql));
      expect(published).toBeGreaterThan(event);
      expect(all.findIndex(isDeletion)).toBeGreaterThan(published);
      return all.filter(isDeletion).length;
    };

    test('are deleted after a reconnect and a refresh, in several steps', async () => {
      onTestFinished(fixture.db.watch((sql) => statements.push(sql)));
      setTransactions('ada', [1, 2, 3, 4, 5, 6, 7, 8], 'FIRST');
      const linked = await fixture.link();
      // A new account has no undecided texts.
      expect(await staged()).toEqual([]);
      statements.length = 0;

      setTransactions('ada', [2, 3, 4, 5, 6, 7, 8, 9], 'SECOND');
      await fixture.link({ connectionId: linked.connectionId });
      await expectCleared();
      expect(countDeletions()).toBeGreaterThanOrEqual(8);

      setTransactions('ada', [3, 4, 5], 'THIRD');
      expect(await refreshFully(fixture, linked)).toBeNull();
      const descriptions = (await readTransactions(fixture, linked)).map(({ description }) => description);
      expect(descriptions.filter((one) => one.startsWith('THIRD')).sort()).toEqual([
        'THIRD 3',
        'THIRD 4',
        'THIRD 5',
      ]);
      await expectCleared();
      expect(countDeletions()).toBeGreaterThan(2);
    });

    test('are deleted a bounded number at a time, and only those of the refresh', async () => {
      const endUserId = makeId('usr');
      const { write } = fixture.db;
      const ordinals = [0, 1, 2, 3, 4];
      for (const refreshId of ['mine', 'other']) {
        for (const ordinal of ordinals) {
          const createdAt = fixture.service.service.clock.real().toISOString();
          const row = { endUserId, refreshId, accountId: 'acc', ordinal, createdAt };
          await insertStagedTexts(write, { ...row, sealed: Buffer.alloc(10) });
        }
      }
      const left = async (): Promise<number[]> =>
        write('staged_texts').where({ refreshId: 'mine' }).orderBy('ordinal').pluck('ordinal');
      const step = () => deleteStaged(write, { endUserId, refreshId: 'mine' }, 2);
      const steps: [deleted: number, left: number[]][] = [
        [2, [2, 3, 4]],
        [2, [4]],
        [1, []],
      ];
      for (const [deleted, rest] of steps) {
        expect(await step()).toBe(deleted);
        expect(await left()).toEqual(rest);
      }
      expect(await staged()).toHaveLength(ordinals.length);
      await write('staged_texts').where({ endUserId }).delete();
    });
  },
  // Each text is staged, each block has few texts, and one step deletes two rows.
  { chunkSize: 3, limits: { mergeMemoryBytes: 0, blockSortBytes: 200, clearStagedRows: 2 } },
);
