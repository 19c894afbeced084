// syncTransactions: after any changes, crashes and page sizes, the next complete sync makes the copy equal.
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  createClient,
  ProblemError,
  type SyncState,
  syncTransactions,
  type Transaction,
  UsageError,
} from '../../client/index.ts';
import {
  type FakeService,
  makeTransaction,
  refreshCursor,
  respondProblem,
  startFakeService,
} from './fakeService.ts';

let service: FakeService;
beforeEach(async () => {
  service = await startFakeService();
});
afterEach(() => service.close());
const clientOf = () => createClient({ baseUrl: service.url, apiKey: 'k', scopedToken: 'sct_a' });

class Crash extends Error {}

/** A consumer's database that stores transactions and state atomically. */
const makeCopy = () => {
  const rows = new Map<string, Transaction>();
  const copy = {
    rows,
    state: {} as SyncState,
    states: [] as SyncState[],
    apply: (page: Transaction[], next: SyncState) => {
      for (const transaction of page) {
        const existing = rows.get(transaction.id);
        if (!existing || existing.transactionRefresh <= transaction.transactionRefresh)
          rows.set(transaction.id, transaction);
      }
      // Stored as text, because a database does not keep the identity of objects.
      copy.state = JSON.parse(JSON.stringify(next));
      copy.states.push(copy.state);
    },
  };
  return copy;
};
type Copy = ReturnType<typeof makeCopy>;

const sync = (copy: Copy, pageSize: number, apply: Copy['apply'] = copy.apply) =>
  syncTransactions(clientOf(), 'acc_1', copy.state, { apply, pageSize });
const byId = (rows: Iterable<Transaction>) => [...rows].sort((a, b) => (a.id < b.id ? -1 : 1));

test('refreshedSince advances only with the last page', async () => {
  service.transactions = Array.from({ length: 5 }, (_, index) => makeTransaction(index, index + 1));
  const copy = makeCopy();
  await sync(copy, 2);
  expect(
    copy.states.map(({ refreshedSince, inProgress }) => [refreshedSince, inProgress?.latestRefresh]),
  ).toEqual([
    [undefined, refreshCursor(2)],
    [undefined, refreshCursor(4)],
    [refreshCursor(5), undefined],
  ]);
});

test('a sync without changes keeps the state, and an empty account has no state', async () => {
  const copy = makeCopy();
  expect(await sync(copy, 10)).toEqual({});
  service.transactions = [makeTransaction(1, 1)];
  await sync(copy, 10);
  expect(await sync(copy, 10)).toEqual({ refreshedSince: refreshCursor(1) });
});

/** Syncs in pages of two, and crashes before the second page is stored. */
const syncUntilSecondPage = async (copy: Copy): Promise<void> => {
  const crashAtSecond = (page: Transaction[], next: SyncState) => {
    if (copy.states.length === 1) throw new Crash();
    copy.apply(page, next);
  };
  await expect(sync(copy, 2, crashAtSecond)).rejects.toBeInstanceOf(Crash);
};

test('after a crash, the sync continues with the page that was not stored', async () => {
  service.transactions = Array.from({ length: 6 }, (_, index) => makeTransaction(index));
  const copy = makeCopy();
  await syncUntilSecondPage(copy);
  const before = service.requests.length;
  await sync(copy, 2);
  expect(service.requests[before]?.url).toBe(service.requests[before - 1]?.url);
  expect(byId(copy.rows.values())).toEqual(service.transactions);
});

test('an invalid stored cursor restarts the sync once', async () => {
  service.transactions = Array.from({ length: 6 }, (_, index) => makeTransaction(index));
  const copy = makeCopy();
  await syncUntilSecondPage(copy);
  service.invalidateCursors();
  expect(await sync(copy, 2)).toEqual({ refreshedSince: refreshCursor(1) });
  expect(byId(copy.rows.values())).toEqual(service.transactions);
});

test('cursors that are always invalid are an error, not a loop', async () => {
  service.transactions = Array.from({ length: 6 }, (_, index) => makeTransaction(index));
  const copy = makeCopy();
  const applyAndInvalidate = (page: Transaction[], next: SyncState) => {
    copy.apply(page, next);
    service.invalidateCursors();
  };
  await expect(sync(copy, 2, applyAndInvalidate)).rejects.toMatchObject({ code: 'invalid_cursor' });
});

test('an error response changes nothing', async () => {
  service.transactions = Array.from({ length: 6 }, (_, index) => makeTransaction(index));
  const copy = makeCopy();
  service.nextResponders.push(respondProblem(403, 'forbidden'));
  await expect(sync(copy, 2)).rejects.toBeInstanceOf(ProblemError);
  expect(copy.states).toEqual([]);
});

test('any sequence of changes, page sizes and crashes ends in an equal copy', async () => {
  const step = fc.record({
    changes: fc.array(fc.integer({ min: 0, max: 15 }), { maxLength: 6 }),
    duringSync: fc.array(fc.integer({ min: 0, max: 15 }), { maxLength: 3 }),
    pageSize: fc.integer({ min: 1, max: 8 }),
    crashAfter: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
    invalidatesCursors: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
      const serviceTransactions = new Map<number, Transaction>();
      let refresh = 0;
      const change = (numbers: number[]) => {
        refresh++;
        for (const number of numbers) {
          serviceTransactions.set(number, makeTransaction(number, refresh, { description: `AT ${refresh}` }));
        }
        service.transactions = [...serviceTransactions.values()];
      };
      change([]);
      const copy = makeCopy();
      for (const { changes, duringSync, pageSize, crashAfter, invalidatesCursors } of steps) {
        change(changes);
        let pages = 0;
        const apply = (page: Transaction[], next: SyncState) => {
          if (pages++ === crashAfter) throw new Crash();
          expect(next.refreshedSince === copy.state.refreshedSince || !next.inProgress).toBe(true);
          copy.apply(page, next);
          if (pages === 1) change(duringSync);
        };
        await sync(copy, pageSize, apply).catch((error) => {
          if (!(error instanceof Crash)) throw error;
        });
        if (invalidatesCursors) service.invalidateCursors();
      }
      // The first sync completes the interrupted one, the second gets later changes.
      await sync(copy, 3);
      await sync(copy, 3);
      expect(byId(copy.rows.values())).toEqual(byId(serviceTransactions.values()));
    }),
    { numRuns: 60 },
  );
}, 60_000);

test('a missing state is reported before any request', async () => {
  const apply = () => {};
  await expect(syncTransactions(clientOf(), 'acc_1', undefined as never, { apply })).rejects.toThrow(
    UsageError,
  );
  expect(service.requests).toEqual([]);
});
