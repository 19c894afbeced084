// Staged texts are deleted right after publishing, in bounded steps, and never within the database transaction that
// publishes.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { days } from '../../src/clock.ts';
import { makeId } from '../../src/ids.ts';
import { deleteStaged, insertStagedTexts } from '../../src/refresh/store.ts';
import { eventually } from '../linking/fixture.ts';
import { databases } from '../support/databases.ts';
import {
  makeScriptedConnector,
  northBank,
  scriptedAccount,
  scriptedTransaction,
} from '../support/scriptedConnector.ts';
import { link, startService, type TestApplication, type TestService } from '../support/testService.ts';

const transactionsOf = (ids: number[], word: string) =>
  ids.map((id) => scriptedTransaction({ id: `e${id}`, amount: `-${id}.00`, description: `${word} ${id}` }));

for (const database of databases) {
  describe(`staged texts on ${database.name}`, () => {
    const connector = makeScriptedConnector({ chunkSize: 3 });
    let service: TestService;
    let application: TestApplication;
    const statements: string[] = [];
    beforeAll(async () => {
      // Each text is staged, each block has few, and one step deletes two rows.
      const limits = { mergeMemoryBytes: 0, blockSortBytes: 200, clearStagedRows: 2 };
      service = await startService({ database, connectors: [connector.module], limits });
      application = await service.addApplication({ environment: 'production' });
      service.service.db.watch((sql) => statements.push(sql));
    });
    afterAll(() => service.close());

    const setTransactions = (username: string, ids: number[], word: string) =>
      connector.setAccounts(username, [
        scriptedAccount({
          id: `${username}-1`,
          number: `${username}-1`,
          transactions: transactionsOf(ids, word),
        }),
        scriptedAccount({
          id: `${username}-2`,
          number: `${username}-2`,
          transactions: transactionsOf(ids, word),
        }),
      ]);
    const linkOptions = (username: string) => ({
      username,
      institutionId: northBank,
      applicationId: application.id,
    });
    const staged = () => service.service.db.read('staged_texts').select('refreshId', 'ordinal');
    const expectCleared = () => eventually(async () => expect(await staged()).toEqual([]));
    const isDeletion = (sql: string) => /^delete from .staged_texts.* between /.test(sql);
    /** Counts the statements that deleted staged rows. All of them must follow the publishing transaction. */
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
      setTransactions('ada', [1, 2, 3, 4, 5, 6, 7, 8], 'FIRST');
      const { connectionId, scopedToken } = await link(service, linkOptions('ada'));
      // Nothing of a new account is undecided.
      expect(await staged()).toEqual([]);
      statements.length = 0;

      setTransactions('ada', [2, 3, 4, 5, 6, 7, 8, 9], 'SECOND');
      await link(service, { ...linkOptions('ada'), connectionId });
      await expectCleared();
      expect(countDeletions()).toBeGreaterThanOrEqual(8);

      setTransactions('ada', [3, 4, 5], 'THIRD');
      service.advance(days(8));
      const client = service.client(scopedToken, application.apiKey);
      const read = async () => {
        const { data } = await client.GET('/connections/{connectionId}/accounts', {
          params: { path: { connectionId } },
        });
        const path = { accountId: data!.accounts[0]!.id };
        const list = await client.GET('/accounts/{accountId}/transactions', { params: { path } });
        return list.data!.transactions.filter(({ status }) => status === 'posted');
      };
      await eventually(async () => {
        const descriptions = (await read()).map(({ description }) => description);
        expect(descriptions.sort()).toEqual(['THIRD 3', 'THIRD 4', 'THIRD 5']);
      });
      await expectCleared();
      expect(countDeletions()).toBeGreaterThan(2);
    });

    test('are deleted a bounded number at a time, and only those of the refresh', async () => {
      const endUserId = makeId('usr');
      const { write } = service.service.db;
      const ordinals = [0, 1, 2, 3, 4];
      for (const refreshId of ['mine', 'other']) {
        for (const ordinal of ordinals) {
          const createdAt = service.service.clock.real().toISOString();
          const row = { endUserId, refreshId, accountId: 'acc', ordinal, createdAt };
          await insertStagedTexts(write, { ...row, sealed: Buffer.alloc(10) });
        }
      }
      const left = async (): Promise<number[]> =>
        write('staged_texts').where({ refreshId: 'mine' }).orderBy('ordinal').pluck('ordinal');
      const step = () => deleteStaged(write, { endUserId, refreshId: 'mine' }, 2);
      const steps: [more: boolean, left: number[]][] = [
        [true, [2, 3, 4]],
        [true, [4]],
        [false, []],
      ];
      for (const [more, rest] of steps) {
        expect(await step()).toBe(more);
        expect(await left()).toEqual(rest);
      }
      expect(await staged()).toHaveLength(ordinals.length);
      await write('staged_texts').where({ endUserId }).delete();
    });
  });
}
