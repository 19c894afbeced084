// Stored bytes that a valid token cannot unseal: 500 and a log entry at level error, never 403 or 404, and never a
// response that looks complete. The tests corrupt the database directly.
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { toDayNumber } from '../../../src/platform/values/clock.ts';
import { fromBase62 } from '../../../src/platform/values/ids.ts';
import { scriptedAccount, scriptedTransaction } from '../../support/scriptedConnector.ts';
import { expectProblem } from './commonErrors.ts';
import {
  type ApiFixture,
  describeApi,
  directVariants,
  directVariantsOfEach,
  type LinkResult,
  toRequest,
} from './fixture.ts';
import type { OperationId } from './operations.ts';

const transactionCount = 200;
const chunkRows = 20;

type CorruptedAccount = { linked: LinkResult; request: { ids: ApiFixture['ids']; scopedToken: string } };

const linkAccount = async (fixture: ApiFixture): Promise<CorruptedAccount> => {
  const transactions = Array.from({ length: transactionCount }, (_, at) =>
    scriptedTransaction({ id: `e${at}`, date: '2024-01-01', description: `transaction ${at}` }),
  );
  fixture.connector.setAccounts('corrupted', [
    scriptedAccount({ transactions }),
    scriptedAccount({ id: 'second', number: 'XX2', transactions }),
  ]);
  const linked = await fixture.link({ username: 'corrupted' });
  const accountId = linked.accounts[0]!.id;
  const { data } = await fixture.client(linked.scopedToken).GET('/accounts/{accountId}/transactions', {
    params: { path: { accountId }, query: { limit: 1 } },
  });
  const { connectionId } = linked;
  // The read stores the wrapped key after its response, but must not do so after a test has removed the key.
  const findWrapped = () =>
    fixture.service.service.db.read('data_keys').where({ connectionId }).whereNotNull('wrapped').first('id');
  await expect.poll(findWrapped).toBeDefined();
  const { ids } = toRequest(fixture, linked);
  const transactionId = data!.transactions[0]!.id;
  return { linked, request: { ids: { ...ids, transactionId }, scopedToken: linked.scopedToken! } };
};

const flipBit = (bytes: Buffer, at: number): Buffer => {
  const flipped = Buffer.from(bytes);
  flipped[at] = flipped[at]! ^ 1;
  return flipped;
};

const ownerOf = async (fixture: ApiFixture, accountId: string) => {
  const { read } = fixture.service.service.db;
  const account = await read('accounts').where({ id: accountId }).first('endUserId', 'shortId');
  return { endUserId: account!.endUserId, accountShortId: account!.shortId };
};

/**
 * Flips one bit of the block that contains the transaction with this `seq`; 0 is the oldest, which is listed last. A block
 * contains 64 transactions.
 */
const corruptTransaction = async (fixture: ApiFixture, accountId: string, seq: number): Promise<void> => {
  const { write } = fixture.service.service.db;
  const owner = await ownerOf(fixture, accountId);
  const { block } = (await write('transactions')
    .where({ ...owner, seq })
    .first('block'))!;
  const key = { ...owner, block };
  const row = await write('transaction_blocks').where(key).first('sealed');
  const sealed = flipBit(row!.sealed, row!.sealed.length - 1);
  expect(await write('transaction_blocks').where(key).update({ sealed })).toBe(1);
};

const expectErrorLog = (
  fixture: ApiFixture,
  operation: OperationId,
  requestId = expect.any(String),
): void => {
  const errorLogs = fixture.takeErrorLogs();
  const expected = { msg: 'request failed', operation, requestId, err: { kind: 'CorruptData' } };
  expect(errorLogs).toMatchObject([expected]);
  expect(JSON.stringify(errorLogs)).not.toMatch(/transaction \d|corrupted|acc_|txn_/);
};

const expectInternalError = async (
  fixture: ApiFixture,
  operation: OperationId,
  { request }: CorruptedAccount,
  query = '',
) => {
  const response = await fixture.request(operation, { ...request, query });
  expectProblem(response, 500, 'internal_error');
  expectErrorLog(fixture, operation, response.headers.get('Request-Id'));
};

/** Links an account before each test, for it to corrupt. */
const linkForEach = (fixture: ApiFixture): CorruptedAccount => {
  const corrupted = {} as CorruptedAccount;
  beforeEach(async () => {
    Object.assign(corrupted, await linkAccount(fixture));
  });
  afterEach(async () => {
    const path = { connectionId: corrupted.linked.connectionId };
    await fixture.client().DELETE('/connections/{connectionId}', { params: { path } });
  });
  return corrupted;
};

describeApi(
  'corrupted data',
  (fixture) => {
    const corrupted = linkForEach(fixture);
    const table = (name: string) => fixture.service.service.db.write(name);

    describe('a transaction', () => {
      test('gives 500, alone or on a page', async () => {
        await corruptTransaction(fixture, corrupted.request.ids.accountId, transactionCount - 1);
        await expectInternalError(fixture, 'getTransaction', corrupted);
        await expectInternalError(fixture, 'listTransactions', corrupted, '?limit=1');
      });

      test('does not prevent others from being read', async () => {
        await corruptTransaction(fixture, corrupted.request.ids.accountId, 0);
        expect((await fixture.request('getTransaction', corrupted.request)).status).toBe(200);
        const page = await fixture.request('listTransactions', {
          ...corrupted.request,
          query: `?limit=${transactionCount - 64}`,
        });
        expect(page.status).toBe(200);
        const query = `?limit=1&cursor=${page.body.pagination.nextCursor}`;
        await expectInternalError(fixture, 'listTransactions', corrupted, query);
      });

      const rowOf = (transactionId: string) =>
        table('transactions').where({ id: fromBase62(transactionId.slice('txn_'.length)) });

      test.each([
        // The day after the transaction.
        { date: toDayNumber('2024-01-02') },
        ...[{ status: 3 }, { status: -1 }, { refreshTime: -1 }, { refreshTime: 2 ** 48 }],
        ...[{ position: 64 }, { position: -1 }, { seq: 99_999 }, { block: 99 }],
      ])('gives 500 if the database was changed to %j', async (change) => {
        const { transactionId } = corrupted.request.ids;
        expect(await rowOf(transactionId).update(change)).toBe(1);
        await expectInternalError(fixture, 'getTransaction', corrupted);
        if ('date' in change) await expectInternalError(fixture, 'listTransactions', corrupted, '?limit=1');
      });

      test('gives 500 if it refers to the text of another one', async () => {
        const { accountId, transactionId } = corrupted.request.ids;
        const owner = await ownerOf(fixture, accountId);
        const { block, position } = await table('transactions')
          .where({ ...owner, seq: transactionCount - 2 })
          .first('block', 'position');
        expect(await rowOf(transactionId).update({ block, position })).toBe(1);
        await expectInternalError(fixture, 'getTransaction', corrupted);
      });

      test('gives 500 with the block of another account of the same end user', async () => {
        const { accountId, transactionId } = corrupted.request.ids;
        const { block } = await rowOf(transactionId).first('block');
        const [own, other] = [
          await ownerOf(fixture, accountId),
          await ownerOf(fixture, corrupted.linked.accounts[1]!.id),
        ];
        const { sealed, dataKeyId } = await table('transaction_blocks')
          .where(other)
          .first('sealed', 'dataKeyId');
        expect(
          await table('transaction_blocks')
            .where({ ...own, block })
            .update({ sealed, dataKeyId }),
        ).toBe(1);
        await expectInternalError(fixture, 'getTransaction', corrupted);
      });
    });

    describe('an account', () => {
      test('gives 500 if its sealed record was changed', async () => {
        const key = { id: corrupted.request.ids.accountId };
        const { sealed } = await table('accounts').where(key).first('sealed');
        await table('accounts')
          .where(key)
          .update({ sealed: flipBit(sealed, 0) });
        await expectInternalError(fixture, 'getAccount', corrupted);
        await expectInternalError(fixture, 'listAccounts', corrupted);
      });

      test('gives 500 with the sealed record and key of another account', async () => {
        const [first, second] = corrupted.linked.accounts;
        const other = await table('accounts')
          .where({ id: second!.id })
          .first('sealed', 'keySealed', 'keyWrapped');
        await table('accounts').where({ id: first!.id }).update(other);
        await expectInternalError(fixture, 'getAccount', corrupted);
      });
    });

    describe.each([
      {
        ...{ name: 'a data key', tableName: 'data_keys', operation: 'getTransaction' as const },
        ...{ sealed: 'sealed', wrapped: 'wrapped' },
      },
      {
        ...{ name: 'the key of an account', tableName: 'accounts', operation: 'getAccount' as const },
        ...{ sealed: 'keySealed', wrapped: 'keyWrapped' },
      },
    ] as const)('$name', ({ tableName, sealed, wrapped, operation }) => {
      const rows = (connectionId: string) => table(tableName).where({ connectionId });
      const own = () => rows(corrupted.linked.connectionId);

      if (tableName === 'data_keys') {
        test('gives 500 if it is missing', async () => {
          await own().delete();
          await expectInternalError(fixture, operation, corrupted);
          await expectInternalError(fixture, 'listTransactions', corrupted);
        });
      }

      test('gives 500 if it was changed or belongs to another end user', async () => {
        const key = (await own().first(sealed))[sealed];
        const foreign = (await rows(fixture.ben.north.connectionId).first(sealed))[sealed];
        for (const other of [flipBit(key, 5), key.subarray(0, 40), foreign]) {
          // Removes the wrapped key, so that the sealed one must be opened.
          await own().update({ [sealed]: other, [wrapped]: null });
          await expectInternalError(fixture, operation, corrupted);
        }
      });

      test('gives 500 if the wrapped key was changed or belongs to another end user', async () => {
        const read = async ({ connectionId, accounts, scopedToken }: LinkResult): Promise<Buffer> => {
          const params = { path: { accountId: accounts[0]!.id } };
          const client = fixture.client(scopedToken);
          await client.GET('/accounts/{accountId}', { params });
          await client.GET('/accounts/{accountId}/transactions', { params });
          const find = async () => (await rows(connectionId).whereNotNull(wrapped).first(wrapped))?.[wrapped];
          return vi.waitUntil(find, 30_000);
        };
        const key = await read(corrupted.linked);
        const foreign = await read(fixture.ben.north);
        for (const other of [flipBit(key, key.length - 1), foreign]) {
          await own().update({ [wrapped]: other });
          await expectInternalError(fixture, operation, corrupted);
        }
      });
    });
  },
  { only: directVariants, limits: { streamChunkRows: chunkRows } },
);

describeApi(
  'corrupted data',
  (fixture) => {
    const corrupted = linkForEach(fixture);

    describe('a transaction', () => {
      test('gives 500 at the beginning of a stream', async () => {
        await corruptTransaction(fixture, corrupted.request.ids.accountId, transactionCount - 1);
        await expectInternalError(fixture, 'listTransactions', corrupted);
      });

      test('aborts a stream that has begun', async () => {
        await corruptTransaction(fixture, corrupted.request.ids.accountId, transactionCount / 2);
        const { ids, scopedToken } = corrupted.request;
        const response = await fetch(`${fixture.service.url}/accounts/${ids.accountId}/transactions`, {
          headers: { Authorization: `Bearer ${fixture.shop.apiKey}`, 'X-Scoped-Token': scopedToken },
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
        expectErrorLog(fixture, 'listTransactions');
      });
    });
  },
  { only: directVariantsOfEach, limits: { streamChunkRows: chunkRows } },
);
