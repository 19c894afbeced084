// The promise of the copy: whatever changes, crashes and page sizes come, the next completed walk makes it equal.
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  createClient,
  ProblemError,
  type SyncState,
  syncTransactions,
  type Transaction,
} from '../../client/index.ts';
import { entry, respondProblem, refreshCursor, type FakeService, startFakeService } from './fakeService.ts';

let service: FakeService;
beforeEach(async () => {
  service = await startFakeService();
});
afterEach(() => service.close());
const clientOf = () => createClient({ baseUrl: service.url, apiKey: 'k', scopedToken: 'sct_a' });

class Crash extends Error {}

/** A caller's database: entries and state, changed together or not at all. */
const makeCopy = () => {
  const rows = new Map<string, Transaction>();
  const copy = {
    rows,
    state: {} as SyncState,
    states: [] as SyncState[],
    apply: (entries: Transaction[], next: SyncState) => {
      for (const one of entries) {
        const held = rows.get(one.id);
        if (!held || held.transactionRefresh <= one.transactionRefresh) rows.set(one.id, one);
      }
      // What a database keeps is text: nothing may hang on the identity of the object.
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

test('the first walk copies everything and remembers the latestRefresh refresh', async () => {
  service.transactions = [entry(1, 3), entry(2, 7), entry(3, 5)];
  const copy = makeCopy();
  const state = await sync(copy, 2);
  expect(byId(copy.rows.values())).toEqual(service.transactions);
  expect(state).toEqual({ refreshedSince: refreshCursor(7) });
  expect(copy.state).toEqual(state);
});

test('refreshedSince moves only with the last page', async () => {
  service.transactions = Array.from({ length: 5 }, (_, at) => entry(at, at + 1));
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

test('the next walk asks only for what changed, and an entry keeps its row', async () => {
  service.transactions = [entry(1, 1), entry(2, 1, { status: 'pending' })];
  const copy = makeCopy();
  await sync(copy, 10);
  service.transactions = [entry(1, 1), entry(2, 2, { status: 'void' }), entry(3, 2)];
  await sync(copy, 10);
  expect(service.requests[1]?.url).toContain(`refreshedSince=${refreshCursor(1)}`);
  expect(byId(copy.rows.values())).toEqual(service.transactions);
});

test('nothing new leaves the state as it was, and an empty account has none', async () => {
  const copy = makeCopy();
  expect(await sync(copy, 10)).toEqual({});
  service.transactions = [entry(1, 1)];
  await sync(copy, 10);
  expect(await sync(copy, 10)).toEqual({ refreshedSince: refreshCursor(1) });
});

test('a crash goes on with the page that was not stored', async () => {
  service.transactions = Array.from({ length: 6 }, (_, at) => entry(at));
  const copy = makeCopy();
  const crashAtSecond = (entries: Transaction[], next: SyncState) => {
    if (copy.states.length === 1) throw new Crash();
    copy.apply(entries, next);
  };
  await expect(sync(copy, 2, crashAtSecond)).rejects.toBeInstanceOf(Crash);
  const before = service.requests.length;
  await sync(copy, 2);
  expect(service.requests[before]?.url).toBe(service.requests[before - 1]?.url);
  expect(byId(copy.rows.values())).toEqual(service.transactions);
});

test('a place that the service no longer knows starts the walk anew, once', async () => {
  service.transactions = Array.from({ length: 6 }, (_, at) => entry(at));
  const copy = makeCopy();
  const crashAtSecond = (entries: Transaction[], next: SyncState) => {
    if (copy.states.length === 1) throw new Crash();
    copy.apply(entries, next);
  };
  await expect(sync(copy, 2, crashAtSecond)).rejects.toBeInstanceOf(Crash);
  service.forgetCursors();
  expect(await sync(copy, 2)).toEqual({ refreshedSince: refreshCursor(1) });
  expect(byId(copy.rows.values())).toEqual(service.transactions);
});

test('a service that never knows its own cursors is an error, not a loop', async () => {
  service.transactions = Array.from({ length: 6 }, (_, at) => entry(at));
  const copy = makeCopy();
  const forgetful = (entries: Transaction[], next: SyncState) => {
    copy.apply(entries, next);
    service.forgetCursors();
  };
  await expect(sync(copy, 2, forgetful)).rejects.toMatchObject({ code: 'invalid_cursor' });
});

test('a refusal changes nothing', async () => {
  service.transactions = Array.from({ length: 6 }, (_, at) => entry(at));
  const copy = makeCopy();
  service.nextResponders.push(respondProblem(403, 'forbidden'));
  await expect(sync(copy, 2)).rejects.toBeInstanceOf(ProblemError);
  expect(copy.states).toEqual([]);
});

test('any history of changes, page sizes and crashes ends in an equal copy', async () => {
  const step = fc.record({
    changes: fc.array(fc.integer({ min: 0, max: 15 }), { maxLength: 6 }),
    duringWalk: fc.array(fc.integer({ min: 0, max: 15 }), { maxLength: 3 }),
    pageSize: fc.integer({ min: 1, max: 8 }),
    crashAfter: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
    forgets: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
      const bank = new Map<number, Transaction>();
      let refresh = 0;
      const change = (numbers: number[]) => {
        refresh++;
        for (const number of numbers) {
          bank.set(number, entry(number, refresh, { description: `AT ${refresh}` }));
        }
        service.transactions = [...bank.values()];
      };
      change([]);
      const copy = makeCopy();
      for (const { changes, duringWalk, pageSize, crashAfter, forgets } of steps) {
        change(changes);
        let pages = 0;
        const apply = (entries: Transaction[], next: SyncState) => {
          if (pages++ === crashAfter) throw new Crash();
          expect(next.refreshedSince === copy.state.refreshedSince || !next.inProgress).toBe(true);
          copy.apply(entries, next);
          if (pages === 1) change(duringWalk);
        };
        await sync(copy, pageSize, apply).catch((error) => {
          if (!(error instanceof Crash)) throw error;
        });
        if (forgets) service.forgetCursors();
      }
      // Quiet now: one walk ends what a crash left, the next brings what changed meanwhile.
      await sync(copy, 3);
      await sync(copy, 3);
      expect(byId(copy.rows.values())).toEqual(byId(bank.values()));
    }),
    { numRuns: 60 },
  );
}, 60_000);
