// Stored bytes that do not open under a token that was verified: an alarm and a 500, never a refusal, and never
// an answer that looks whole. The database is spoiled here as no door of the service could spoil it.
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { scriptedAccount, scriptedTransaction } from '../../support/scriptedConnector.ts';
import type { OperationId } from './operations.ts';
import { expectProblem } from './commonErrors.ts';
import { describeApi, directVariants, type LinkResult, type ApiFixture } from './fixture.ts';

const transactionCount = 200;
const chunkRows = 20;

type CorruptedAccount = { linked: LinkResult; request: { ids: ApiFixture['ids']; scopedToken: string } };

const linkAccount = async (stage: ApiFixture): Promise<CorruptedAccount> => {
  const transactions = Array.from({ length: transactionCount }, (_, at) =>
    scriptedTransaction({ id: `e${at}`, date: '2024-01-01', description: `entry ${at}` }),
  );
  stage.connector.setAccounts('spoiled', [
    scriptedAccount({ transactions }),
    scriptedAccount({ id: 'second', number: 'XX2', transactions }),
  ]);
  const linked = await stage.link({ username: 'spoiled' });
  const accountId = linked.accounts[0]!.id;
  const { data } = await stage.client(linked.scopedToken).GET('/accounts/{accountId}/transactions', {
    params: { path: { accountId }, query: { limit: 1 } },
  });
  const ids = { connectionId: linked.connectionId, accountId, transactionId: data!.transactions[0]!.id };
  return { linked, request: { ids, scopedToken: linked.scopedToken! } };
};

const flipBit = (bytes: Buffer, at: number): Buffer => {
  const other = Buffer.from(bytes);
  other[at] = other[at]! ^ 1;
  return other;
};

/** Changes one bit of the sealed bytes of the entry with this place in its account; 0 came first, and is shown last. */
const corruptTransaction = async (stage: ApiFixture, accountId: string, seq: number): Promise<void> => {
  const { write } = stage.service.service.db;
  const row = await write('transactions').where({ account_id: accountId, seq }).first('sealed');
  const sealed = flipBit(row.sealed, row.sealed.length - 1);
  expect(await write('transactions').where({ account_id: accountId, seq }).update({ sealed })).toBe(1);
};

const expectErrorLog = (stage: ApiFixture, operation: OperationId): void => {
  const alarms = stage.takeErrorLogs();
  expect(alarms).toMatchObject([{ msg: 'request failed', operation, err: { kind: 'CorruptData' } }]);
  expect(JSON.stringify(alarms)).not.toMatch(/entry \d|spoiled|acc_|txn_/);
};

const expectInternalError = async (
  stage: ApiFixture,
  operation: OperationId,
  { request }: CorruptedAccount,
  query = '',
) => {
  const answer = await stage.request(operation, { ...request, query });
  expectProblem(answer, 500, 'internal_error');
  const [alarm] = stage.takeErrorLogs();
  expect(alarm).toMatchObject({ msg: 'request failed', operation, err: { kind: 'CorruptData' } });
  expect(alarm!.requestId).toBe(answer.headers.get('Request-Id'));
};

describeApi(
  'what was spoiled',
  (stage) => {
    let scene: CorruptedAccount;
    beforeEach(async () => {
      scene = await linkAccount(stage);
    });
    afterEach(async () => {
      const path = { connectionId: scene.linked.connectionId };
      await stage.client().DELETE('/connections/{connectionId}', { params: { path } });
    });
    const spoiledTable = (table: string) => stage.service.service.db.write(table);

    describe('an entry', () => {
      test('is our fault where it is asked for, alone or on a page', async () => {
        await corruptTransaction(stage, scene.request.ids.accountId, transactionCount - 1);
        await expectInternalError(stage, 'getTransaction', scene);
        await expectInternalError(stage, 'listTransactions', scene, '?limit=1');
      });

      test('is our fault where it comes first in a list of any length', async () => {
        await corruptTransaction(stage, scene.request.ids.accountId, transactionCount - 1);
        await expectInternalError(stage, 'listTransactions', scene);
      });

      test('breaks an answer off that has begun already', async () => {
        await corruptTransaction(stage, scene.request.ids.accountId, transactionCount / 2);
        const { ids, scopedToken } = scene.request;
        const response = await fetch(`${stage.service.url}/accounts/${ids.accountId}/transactions`, {
          headers: { Authorization: `Bearer ${stage.shop.apiKey}`, 'X-Scoped-Token': scopedToken },
        });
        expect(response.status).toBe(200);
        let received = '';
        const read = async () => {
          for await (const chunk of Readable.fromWeb(response.body as ReadableStream))
            received += Buffer.from(chunk).toString();
        };
        await expect(read()).rejects.toThrow('terminated');
        expect(received).toMatch(/^\{"transactions":\[\{/);
        expect(() => JSON.parse(received)).toThrow(SyntaxError);
        expectErrorLog(stage, 'listTransactions');
      });

      test('does not keep others from being read', async () => {
        await corruptTransaction(stage, scene.request.ids.accountId, 0);
        expect((await stage.request('getTransaction', scene.request)).status).toBe(200);
        const page = await stage.request('listTransactions', {
          ...scene.request,
          query: `?limit=${transactionCount - 1}`,
        });
        expect(page.status).toBe(200);
        const query = `?limit=1&cursor=${page.body.pagination.nextCursor}`;
        await expectInternalError(stage, 'listTransactions', scene, query);
      });

      test('does not open in the place of another one', async () => {
        const { accountId } = scene.request.ids;
        const rows = await spoiledTable('transactions')
          .where({ account_id: accountId })
          .orderBy('seq', 'desc')
          .limit(2)
          .select('id', 'sealed');
        const move = (to: number, from: number) =>
          spoiledTable('transactions').where({ id: rows[to].id }).update({ sealed: rows[from].sealed });
        await move(0, 1);
        await move(1, 0);
        await expectInternalError(stage, 'getTransaction', scene);
      });

      test('does not open in another account of the same user', async () => {
        const second = scene.linked.accounts[1]!.id;
        const { transactionId } = scene.request.ids;
        await spoiledTable('transactions')
          .where({ id: transactionId })
          .update({ account_id: second, seq: 99_999 });
        const ids = { ...scene.request.ids, accountId: second };
        await expectInternalError(stage, 'getTransaction', { ...scene, request: { ...scene.request, ids } });
      });
    });

    describe('an account', () => {
      test.each(['details_sealed', 'balance_sealed'])(
        'is our fault where its %s was changed',
        async (column) => {
          const place = { id: scene.request.ids.accountId };
          const row = await spoiledTable('accounts').where(place).first(column);
          await spoiledTable('accounts')
            .where(place)
            .update({ [column]: flipBit(row[column], 0) });
          await expectInternalError(stage, 'getAccount', scene);
          await expectInternalError(stage, 'listAccounts', scene);
        },
      );

      test('does not show another account’s balance', async () => {
        const [first, second] = scene.linked.accounts;
        const { balance_sealed } = await spoiledTable('accounts')
          .where({ id: second!.id })
          .first('balance_sealed');
        await spoiledTable('accounts').where({ id: first!.id }).update({ balance_sealed });
        await expectInternalError(stage, 'getAccount', scene);
      });
    });

    describe('a data key', () => {
      const keys = () => spoiledTable('data_keys').where({ connection_id: scene.linked.connectionId });

      test('is our fault where it is gone', async () => {
        await keys().delete();
        await expectInternalError(stage, 'getAccount', scene);
        await expectInternalError(stage, 'listTransactions', scene);
      });

      test('is our fault where it was changed, or is another user’s', async () => {
        const { sealed } = await keys().first('sealed');
        const theirs = await spoiledTable('data_keys')
          .where({ connection_id: stage.ben.north.connectionId })
          .first('sealed');
        for (const other of [flipBit(sealed, 5), sealed.subarray(0, 40), theirs.sealed]) {
          // Without what the first reader wrapped, only what the worker has sealed is left to open.
          await keys().update({ sealed: other, wrapped: null });
          await expectInternalError(stage, 'getAccount', scene);
          await expectInternalError(stage, 'getTransaction', scene);
        }
      });

      test('is our fault where a reader has wrapped it and that was changed, or is another user’s', async () => {
        const wrapped = async (connectionId: string): Promise<Buffer> =>
          (await spoiledTable('data_keys').where({ connection_id: connectionId }).first('wrapped')).wrapped;
        const theirs = {
          ids: { ...stage.ids, accountId: stage.ben.north.accounts[0]!.id },
          scopedToken: stage.ben.token,
        };
        expect((await stage.request('getAccount', theirs)).status).toBe(200);
        await expect.poll(() => wrapped(stage.ben.north.connectionId)).not.toBe(null);
        await expect.poll(() => wrapped(scene.linked.connectionId)).not.toBe(null);
        const own = await wrapped(scene.linked.connectionId);
        for (const other of [flipBit(own, own.length - 1), await wrapped(stage.ben.north.connectionId)]) {
          await keys().update({ wrapped: other });
          await expectInternalError(stage, 'getAccount', scene);
          await expectInternalError(stage, 'getTransaction', scene);
        }
      });
    });
  },
  { wanted: directVariants, limits: { streamChunkRows: chunkRows } },
);
