// Stored bytes that do not open under a token that was verified: an alarm and a 500, never a refusal, and never
// an answer that looks whole. The database is spoiled here as no door of the service could spoil it.
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { scriptedAccount, scriptedEntry } from '../banks/scriptedBank.ts';
import type { OperationId } from './operations.ts';
import { expectProblem } from './refusals.ts';
import { describeOnStage, directWays, type Linked, type Stage } from './stage.ts';

const entryCount = 200;
const chunkRows = 20;

type Spoiled = { linked: Linked; asking: { ids: Stage['ids']; scopedToken: string } };

const setScene = async (stage: Stage): Promise<Spoiled> => {
  const entries = Array.from({ length: entryCount }, (_, at) =>
    scriptedEntry({ id: `e${at}`, date: '2024-01-01', description: `entry ${at}` }),
  );
  stage.bank.show('spoiled', [
    scriptedAccount({ entries }),
    scriptedAccount({ id: 'second', number: 'XX2', entries }),
  ]);
  const linked = await stage.link({ username: 'spoiled' });
  const accountId = linked.accounts[0]!.id;
  const { data } = await stage.client(linked.scopedToken).GET('/accounts/{accountId}/transactions', {
    params: { path: { accountId }, query: { limit: 1 } },
  });
  const ids = { connectionId: linked.connectionId, accountId, transactionId: data!.transactions[0]!.id };
  return { linked, asking: { ids, scopedToken: linked.scopedToken! } };
};

const flipped = (bytes: Buffer, at: number): Buffer => {
  const other = Buffer.from(bytes);
  other[at] = other[at]! ^ 1;
  return other;
};

/** Changes one bit of the sealed bytes of the entry with this place in its account; 0 came first, and is shown last. */
const spoilEntry = async (stage: Stage, accountId: string, seq: number): Promise<void> => {
  const { write } = stage.service.service.db;
  const row = await write('transactions').where({ account_id: accountId, seq }).first('sealed');
  const sealed = flipped(row.sealed, row.sealed.length - 1);
  expect(await write('transactions').where({ account_id: accountId, seq }).update({ sealed })).toBe(1);
};

const expectAlarm = (stage: Stage, operation: OperationId): void => {
  const alarms = stage.alarms();
  expect(alarms).toMatchObject([{ msg: 'request failed', operation, err: { kind: 'Corrupt' } }]);
  expect(JSON.stringify(alarms)).not.toMatch(/entry \d|spoiled|acc_|txn_/);
};

const expectOurFault = async (stage: Stage, operation: OperationId, { asking }: Spoiled, query = '') => {
  const answer = await stage.ask(operation, { ...asking, query });
  expectProblem(answer, 500, 'internal_error');
  const [alarm] = stage.alarms();
  expect(alarm).toMatchObject({ msg: 'request failed', operation, err: { kind: 'Corrupt' } });
  expect(alarm!.requestId).toBe(answer.headers.get('Request-Id'));
};

describeOnStage(
  'what was spoiled',
  (stage) => {
    let scene: Spoiled;
    beforeEach(async () => {
      scene = await setScene(stage);
    });
    afterEach(async () => {
      const path = { connectionId: scene.linked.connectionId };
      await stage.client().DELETE('/connections/{connectionId}', { params: { path } });
    });
    const spoiledTable = (table: string) => stage.service.service.db.write(table);

    describe('an entry', () => {
      test('is our fault where it is asked for, alone or on a page', async () => {
        await spoilEntry(stage, scene.asking.ids.accountId, entryCount - 1);
        await expectOurFault(stage, 'getTransaction', scene);
        await expectOurFault(stage, 'listTransactions', scene, '?limit=1');
      });

      test('is our fault where it comes first in a list of any length', async () => {
        await spoilEntry(stage, scene.asking.ids.accountId, entryCount - 1);
        await expectOurFault(stage, 'listTransactions', scene);
      });

      test('breaks an answer off that has begun already', async () => {
        await spoilEntry(stage, scene.asking.ids.accountId, entryCount / 2);
        const { ids, scopedToken } = scene.asking;
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
        expectAlarm(stage, 'listTransactions');
      });

      test('does not keep others from being read', async () => {
        await spoilEntry(stage, scene.asking.ids.accountId, 0);
        expect((await stage.ask('getTransaction', scene.asking)).status).toBe(200);
        const page = await stage.ask('listTransactions', {
          ...scene.asking,
          query: `?limit=${entryCount - 1}`,
        });
        expect(page.status).toBe(200);
        const query = `?limit=1&cursor=${page.body.pagination.nextCursor}`;
        await expectOurFault(stage, 'listTransactions', scene, query);
      });

      test('does not open in the place of another one', async () => {
        const { accountId } = scene.asking.ids;
        const rows = await spoiledTable('transactions')
          .where({ account_id: accountId })
          .orderBy('seq', 'desc')
          .limit(2)
          .select('id', 'sealed');
        const move = (to: number, from: number) =>
          spoiledTable('transactions').where({ id: rows[to].id }).update({ sealed: rows[from].sealed });
        await move(0, 1);
        await move(1, 0);
        await expectOurFault(stage, 'getTransaction', scene);
      });

      test('does not open in another account of the same user', async () => {
        const second = scene.linked.accounts[1]!.id;
        const { transactionId } = scene.asking.ids;
        await spoiledTable('transactions')
          .where({ id: transactionId })
          .update({ account_id: second, seq: 99_999 });
        const ids = { ...scene.asking.ids, accountId: second };
        await expectOurFault(stage, 'getTransaction', { ...scene, asking: { ...scene.asking, ids } });
      });
    });

    describe('an account', () => {
      test.each(['details_sealed', 'balance_sealed'])(
        'is our fault where its %s was changed',
        async (column) => {
          const place = { id: scene.asking.ids.accountId };
          const row = await spoiledTable('accounts').where(place).first(column);
          await spoiledTable('accounts')
            .where(place)
            .update({ [column]: flipped(row[column], 0) });
          await expectOurFault(stage, 'getAccount', scene);
          await expectOurFault(stage, 'listAccounts', scene);
        },
      );

      test('does not show another account’s balance', async () => {
        const [first, second] = scene.linked.accounts;
        const { balance_sealed } = await spoiledTable('accounts')
          .where({ id: second!.id })
          .first('balance_sealed');
        await spoiledTable('accounts').where({ id: first!.id }).update({ balance_sealed });
        await expectOurFault(stage, 'getAccount', scene);
      });
    });

    describe('a data key', () => {
      const keys = () => spoiledTable('data_keys').where({ connection_id: scene.linked.connectionId });

      test('is our fault where it is gone', async () => {
        await keys().delete();
        await expectOurFault(stage, 'getAccount', scene);
        await expectOurFault(stage, 'listTransactions', scene);
      });

      test('is our fault where it was changed, or is another user’s', async () => {
        const { sealed } = await keys().first('sealed');
        const theirs = await spoiledTable('data_keys')
          .where({ connection_id: stage.ben.north.connectionId })
          .first('sealed');
        for (const other of [flipped(sealed, 5), sealed.subarray(0, 40), theirs.sealed]) {
          // Without what the first reader wrapped, only what the worker has sealed is left to open.
          await keys().update({ sealed: other, wrapped: null });
          await expectOurFault(stage, 'getAccount', scene);
          await expectOurFault(stage, 'getTransaction', scene);
        }
      });

      test('is our fault where a reader has wrapped it and that was changed, or is another user’s', async () => {
        const wrapped = async (connectionId: string): Promise<Buffer> =>
          (await spoiledTable('data_keys').where({ connection_id: connectionId }).first('wrapped')).wrapped;
        const theirs = {
          ids: { ...stage.ids, accountId: stage.ben.north.accounts[0]!.id },
          scopedToken: stage.ben.token,
        };
        expect((await stage.ask('getAccount', theirs)).status).toBe(200);
        await expect.poll(() => wrapped(stage.ben.north.connectionId)).not.toBe(null);
        await expect.poll(() => wrapped(scene.linked.connectionId)).not.toBe(null);
        const own = await wrapped(scene.linked.connectionId);
        for (const other of [flipped(own, own.length - 1), await wrapped(stage.ben.north.connectionId)]) {
          await keys().update({ wrapped: other });
          await expectOurFault(stage, 'getAccount', scene);
          await expectOurFault(stage, 'getTransaction', scene);
        }
      });
    });
  },
  { wanted: directWays, limits: { streamChunkRows: chunkRows } },
);
