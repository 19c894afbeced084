// What was staged goes as soon as it is published, a bounded number of rows and bytes at a time, and never within
// the transaction that publishes.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { days } from '../../src/clock.ts';
import { makeId } from '../../src/ids.ts';
import { deleteStaged, insertStaged } from '../../src/refresh/store.ts';
import { eventually } from '../linking/fixture.ts';
import { databases } from '../support/databases.ts';
import {
  makeScriptedConnector,
  northBank,
  scriptedAccount,
  scriptedTransaction,
} from '../support/scriptedConnector.ts';
import { link, startService, type TestApplication, type TestService } from '../support/testService.ts';

const entries = (ids: number[], word: string) =>
  ids.map((id) => scriptedTransaction({ id: `e${id}`, amount: `-${id}.00`, description: `${word} ${id}` }));

for (const database of databases) {
  describe(`what was staged, on ${database.name}`, () => {
    const bank = makeScriptedConnector({ chunkSize: 3 });
    let service: TestService;
    let shop: TestApplication;
    const statements: string[] = [];
    beforeAll(async () => {
      // Nothing waits in memory, and one step takes little.
      const limits = { mergeInMemoryRows: 1, newTransactionsBatch: 2, clearStagedRows: 2 };
      service = await startService({ database, connectors: [bank.connector], limits });
      shop = await service.addApplication({ environment: 'production' });
      service.service.db.write.on('query', ({ sql }: { sql: string }) => statements.push(sql));
    });
    afterAll(() => service.close());

    const show = (username: string, ids: number[], word: string) =>
      bank.setAccounts(username, [
        scriptedAccount({ id: `${username}-1`, number: `${username}-1`, transactions: entries(ids, word) }),
        scriptedAccount({ id: `${username}-2`, number: `${username}-2`, transactions: entries(ids, word) }),
      ]);
    const visit = (username: string) => ({ username, institutionId: northBank, applicationId: shop.id });
    const staged = () => service.service.db.read('staged_transactions').select('refresh_id', 'ordinal');
    const expectCleared = () => eventually(async () => expect(await staged()).toEqual([]));
    // Merging deletes single rows, too.
    const isDeletion = (sql: string) => /^delete from .staged_transactions.* between /.test(sql);
    /** How many statements deleted what was staged; all of them came after the transaction that published it. */
    const deletions = (): number => {
      const all = statements.splice(0);
      // A refresh writes its event last.
      const event = all.findLastIndex((sql) => sql.includes('connection_events'));
      const published = all.findIndex((sql, at) => at > event && /^commit/i.test(sql));
      expect(published).toBeGreaterThan(event);
      expect(all.findIndex(isDeletion)).toBeGreaterThan(published);
      return all.filter(isDeletion).length;
    };

    test('is gone after an import, a reconnection and a refresh, however many steps that takes', async () => {
      show('ada', [1, 2, 3, 4, 5, 6, 7, 8], 'FIRST');
      const { connectionId, scopedToken } = await link(service, visit('ada'));
      await expectCleared();
      // Three batches of each of two accounts, the rest in memory; two rows at a time: 2, 1 + 1, 2.
      expect(deletions()).toBe(4);

      show('ada', [2, 3, 4, 5, 6, 7, 8, 9], 'SECOND');
      await link(service, { ...visit('ada'), connectionId });
      await expectCleared();
      expect(deletions()).toBeGreaterThan(8);

      show('ada', [3, 4, 5], 'THIRD');
      service.advance(days(8));
      const client = service.client(scopedToken, shop.apiKey);
      const read = async () => {
        const { data } = await client.GET('/connections/{connectionId}/accounts', {
          params: { path: { connectionId } },
        });
        const path = { accountId: data!.accounts[0]!.id };
        const list = await client.GET('/accounts/{accountId}/transactions', { params: { path } });
        return list.data!.transactions.filter(({ status }) => status === 'posted');
      };
      await eventually(async () => {
        const described = (await read()).map(({ description }) => description);
        expect(described.sort()).toEqual(['THIRD 3', 'THIRD 4', 'THIRD 5']);
      });
      await expectCleared();
      expect(deletions()).toBeGreaterThan(2);
    });

    test('goes a bounded number of bytes at a time, and of this refresh alone', async () => {
      const endUserId = makeId('usr');
      const bytes = [10, 10, 10, 50, 5];
      const rowOf = (refreshId: string, ordinal: number) => ({
        ...{
          endUserId,
          refreshId,
          accountId: 'acc',
          ordinal,
          matchResult: 'batch' as const,
          transactionId: makeId('txn'),
        },
        ...{ date: '2024-01-01', status: 'posted', sealed: Buffer.alloc(bytes[ordinal]!) },
        ...{
          transactionFingerprint: Buffer.alloc(0),
          bankIdFingerprint: null,
          amountFingerprint: Buffer.alloc(0),
        },
        createdAt: service.service.clock.real().toISOString(),
      });
      const { write } = service.service.db;
      for (const refreshId of ['mine', 'other']) {
        await insertStaged(
          write,
          bytes.map((_, n) => rowOf(refreshId, n)),
        );
      }
      const left = async (): Promise<number[]> =>
        write('staged_transactions').where({ refresh_id: 'mine' }).orderBy('ordinal').pluck('ordinal');
      const step = () => deleteStaged(write, { endUserId, refreshId: 'mine' }, { rows: 4, bytes: 25 });
      // One that is too great by itself goes alone.
      const steps: [more: boolean, left: number[]][] = [
        [true, [2, 3, 4]],
        [true, [3, 4]],
        [true, [4]],
        [false, []],
      ];
      for (const [more, rest] of steps) {
        expect(await step()).toBe(more);
        expect(await left()).toEqual(rest);
      }
      expect(await staged()).toHaveLength(bytes.length);
      await write('staged_transactions').where({ end_user_id: endUserId }).delete();
    });
  });
}
