// Runs a generated history against a real service: the bank changes, refreshes run, crash and race, consumers read. At
// the end the bank stops changing, and every consumer's copy must equal the bank's data.
import { expect } from 'vitest';
import { type SyncState, syncTransactions, type Transaction } from '../../client/index.ts';
import { importConnection } from '../../src/flows/import/importConnection.ts';
import type { LinkJobDeps } from '../../src/flows/import/linkJob.ts';
import { reconnectConnection } from '../../src/flows/import/reconnectConnection.ts';
import { type ClaimedJob, claimJob, findDueJobs, LeaseLost } from '../../src/flows/refresh/jobs.ts';
import { refreshConnection } from '../../src/flows/refresh/refreshConnection.ts';
import { openSecrets } from '../../src/operations/secrets/secrets.ts';
import { addMilliseconds, days, seconds, toIsoDate } from '../../src/platform/values/clock.ts';
import { BankUnreachable } from '../../src/platform/values/errors.ts';
import { canonicalDecimal } from '../../src/platform/values/json.ts';
import type { DatabaseKind } from '../support/databases.ts';
import {
  driveToImport,
  openLinkSession,
  startService,
  type TestApplication,
  type TestService,
} from '../support/testService.ts';
import { crashAtQuery } from './crash.ts';
import type { History, HistoryEvent } from './historyArbitrary.ts';
import {
  type ModelAccount,
  type ModelTransaction,
  type ModelUser,
  makeModelConnector,
} from './modelConnector.ts';

export type HistoryFixture = {
  service: TestService;
  application: TestApplication;
  users: Map<string, ModelUser>;
  deps: LinkJobDeps;
  close(): Promise<void>;
};

/** A service without a worker: the test runs its jobs. */
export const startHistoryFixture = async (database: DatabaseKind): Promise<HistoryFixture> => {
  const { connector, users } = makeModelConnector();
  // Low enough that texts are kept both in memory and staged, and that stored transactions are read in several steps.
  const limits = { mergeMemoryBytes: 600, blockSortBytes: 400, mergeReadRows: 3 };
  const service = await startService({ database, connectors: [connector], limits, worker: false });
  const { db, clock, config, linking } = service.service;
  const secrets = await openSecrets(db, {
    ...{ directory: config.secretsDir, worker: true, kind: 'command', clock },
    ...{ limits: config.limits, log: service.service.log },
  });
  await secrets.stop();
  const { keys, signing } = secrets.worker!;
  const application = await service.addApplication({ environment: 'production' });
  const deps = {
    ...linking,
    workerKeys: keys,
    signingKeys: signing,
    reportError: (_session: string, error: unknown) => {
      throw error;
    },
    reportAbsences: () => {},
  };
  return { service, application, users, deps, close: service.close };
};

type HistoryRun = HistoryFixture & {
  history: History;
  user: ModelUser;
  username: string;
  connectionId: string;
  accountIds: string[];
  client: ReturnType<TestService['client']>;
  consumers: Consumer[];
  nextKey: number;
  /** The latest time of this history, whose clock may have been set back since then. */
  latest: Date;
  removed: { account: ModelAccount; transaction: ModelTransaction }[];
  /** Transactions that may have received a second id although the bank's ids are stable. */
  newIdAllowed: Set<number>;
  /** The transactions that had a content at any time, by content. */
  keysByContent: Map<string, Set<number>>;
};

let runCount = 0;

export const runHistory = async (fixture: HistoryFixture, history: History): Promise<void> => {
  const run = await startRun(fixture, history);
  noteContents(run);
  for (const event of history.events) {
    await applyEvent(run, event);
    noteContents(run);
    const now = run.deps.clock.real();
    if (now > run.latest) run.latest = now;
  }
  allowNewIds(run);
  run.user.responseMode = 'complete';
  await refresh(run, true);
  // A transaction that the bank still leaves out 20 hours later is void.
  run.service.advance(seconds(20 * 3600));
  await refresh(run, false);
  for (const consumer of run.consumers) await expectSameTransactions(run, consumer);
};

const startRun = async (fixture: HistoryFixture, history: History): Promise<HistoryRun> => {
  const username = `user-${runCount++}`;
  const accounts = Array.from({ length: history.accounts }, (_, index) => ({
    id: `${index}`,
    balance: '0',
    transactions: initialTransactions(fixture, index === 0 ? history.initialCount : 0),
  }));
  const user: ModelUser = {
    accounts,
    ids: history.ids,
    responseMode: 'complete',
    pause: async () => {},
    reads: 0,
    deviceToken: 0,
    usedDeviceToken: 0,
  };
  fixture.users.set(username, user);
  const session = await openLinkSession(fixture.service, { applicationId: fixture.application.id });
  await driveToImport(session, { username, institutionId: 'model' });
  await runJob(fixture, await claim(fixture, undefined));
  const view = await session.refresh();
  if (view.state !== 'finished') throw new Error(`Linking ended as ${JSON.stringify(view)}.`);
  await session.acknowledge();
  const { result } = view;
  const accountIds = result.accounts.map(({ id }) => id);
  return {
    ...fixture,
    history,
    user,
    username,
    connectionId: result.connectionId,
    accountIds,
    client: fixture.service.client(result.scopedToken, fixture.application.apiKey),
    consumers: history.pageSizes.map((pageSize) => makeConsumer(pageSize, accountIds)),
    nextKey: history.initialCount,
    latest: fixture.deps.clock.real(),
    removed: [],
    newIdAllowed: new Set(),
    keysByContent: new Map(),
  };
};

// --- the worker

/** Makes a connection's job due and claims it; without a connection, claims the first new import. */
const claim = async (
  { service, deps }: HistoryFixture,
  connectionId: string | undefined,
): Promise<ClaimedJob> => {
  const { db, clock, limits } = deps;
  for (let attempt = 0; attempt < 100; attempt++) {
    if (connectionId) {
      const dueAt = clock.real().toISOString();
      await db.write('jobs').where({ connectionId }).update({ dueAt });
    }
    const due = await findDueJobs(db, clock, 100_000);
    const match = due.find((job) =>
      connectionId ? job.connectionId === connectionId : job.kind !== 'refresh' && job.attempts === 0,
    );
    const job = match && (await claimJob(deps, match));
    if (job) return job;
    // A crashed process still has the lease, perhaps by a clock that has been set back since.
    service.advance(seconds(limits.leaseSeconds * 4 ** attempt));
  }
  throw new Error('No job is due.');
};

/** Claims the next refresh of the connection; a full one is due a week after the latest time. */
const claimRefresh = async (run: HistoryRun, full: boolean): Promise<ClaimedJob> => {
  const { clock, limits } = run.deps;
  const setBack = run.latest.getTime() - clock.real().getTime();
  if (full) run.service.advance(Math.max(0, setBack) + days(limits.fullRefreshDays));
  return claim(run, run.connectionId);
};

const runJob = async ({ deps }: HistoryFixture, job: ClaimedJob): Promise<unknown> => {
  const signal = new AbortController().signal;
  const handlers = { import: importConnection, reconnect: reconnectConnection, refresh: refreshConnection };
  return handlers[job.kind](deps, job, signal);
};

const refresh = async (run: HistoryRun, full: boolean): Promise<void> => {
  const job = await claimRefresh(run, full);
  await runJob(run, job).catch((error) => {
    if (!(error instanceof BankUnreachable)) throw error;
  });
};

const refreshAndCrash = async (
  run: HistoryRun,
  { full, query }: { full: boolean; query: number },
): Promise<void> => {
  const job = await claimRefresh(run, full);
  await crashAtQuery(run.deps.db, query, () =>
    runJob(run, job).catch((error) => {
      if (!(error instanceof BankUnreachable)) throw error;
    }),
  );
};

/** One process is so slow that its lease expires; another one refreshes meanwhile. */
const refreshLate = async (run: HistoryRun, change: boolean): Promise<void> => {
  const { user } = run;
  const released = Promise.withResolvers<void>();
  const paused = new Promise<void>((resolve) => {
    user.pause = () => {
      resolve();
      return released.promise;
    };
  });
  const slow = await claim(run, run.connectionId);
  const outcome = runJob(run, slow).then(
    () => 'published',
    (error) => error,
  );
  if ((await Promise.race([paused, outcome])) === undefined) {
    user.pause = async () => {};
    if (change) add(run, { account: 0, daysAgo: 0, text: 0, cents: 1, pending: false });
    await refresh(run, false);
    released.resolve();
    const result = await outcome;
    if (!(result instanceof LeaseLost) && !(result instanceof BankUnreachable)) {
      throw new Error(`A refresh without its lease ended as: ${result}`);
    }
  } else {
    released.resolve();
    const result = await outcome;
    if (result instanceof Error && !(result instanceof BankUnreachable)) throw result;
  }
  user.pause = async () => {};
};

const reconnect = async (run: HistoryRun): Promise<void> => {
  run.user.responseMode = 'complete';
  const session = await openLinkSession(run.service, {
    applicationId: run.application.id,
    connectionId: run.connectionId,
  });
  await driveToImport(session, { username: run.username });
  await runJob(run, await claim(run, run.connectionId));
  const view = await session.refresh();
  if (view.state !== 'finished') throw new Error(`Reconnecting ended as ${JSON.stringify(view)}.`);
  expect(view.result.accounts.map(({ id }) => id)).toEqual(run.accountIds);
  await session.acknowledge();
};

// --- the bank

const texts = ['Coffee', 'Rent', 'Salary', 'Café – Überweisung'];

const add = (
  run: HistoryRun,
  { account, daysAgo, text, cents, pending }: Omit<Extract<HistoryEvent, { kind: 'add' }>, 'kind'>,
): void => {
  const { accounts } = run.user;
  const now = run.deps.clock.real();
  accounts[account % accounts.length]!.transactions.push({
    key: run.nextKey++,
    date: toIsoDate(addMilliseconds(now, -days(daysAgo))),
    amount: (cents / 100).toFixed(2),
    description: texts[text]!,
    reference: '',
    status: pending ? 'pending' : 'posted',
  });
};

const initialTransactions = ({ deps }: HistoryFixture, count: number): ModelTransaction[] =>
  Array.from({ length: count }, (_, key) => ({
    key,
    date: toIsoDate(addMilliseconds(deps.clock.real(), -days(key))),
    amount: '-1.00',
    description: texts[key % texts.length]!,
    reference: '',
    status: key % 3 === 0 ? 'pending' : 'posted',
  }));

const pickFrom = <Item>(items: Item[], pick: number): Item | undefined =>
  items[pick % Math.max(1, items.length)];

const allTransactions = ({ user }: HistoryRun) =>
  user.accounts.flatMap((account) => account.transactions.map((transaction) => ({ account, transaction })));

const duplicate = (run: HistoryRun, pick: number): void => {
  const found = pickFrom(allTransactions(run), pick);
  found?.account.transactions.push({ ...found.transaction, key: run.nextKey++ });
};

const post = (
  run: HistoryRun,
  { pick, text, days: movedDays }: { pick: number; text: number; days: number },
): void => {
  const pending = allTransactions(run).filter(({ transaction }) => transaction.status === 'pending');
  const transaction = pickFrom(pending, pick)?.transaction;
  if (!transaction) return;
  transaction.status = 'posted';
  transaction.description = texts[text]!;
  transaction.date = toIsoDate(addMilliseconds(new Date(transaction.date), days(movedDays)));
};

const remove = (run: HistoryRun, pick: number): void => {
  const found = pickFrom(allTransactions(run), pick);
  if (!found) return;
  found.account.transactions.splice(found.account.transactions.indexOf(found.transaction), 1);
  run.removed.push(found);
};

const restore = ({ removed }: HistoryRun): void => {
  const found = removed.pop();
  found?.account.transactions.push(found.transaction);
};

const noteContents = ({ user, keysByContent }: HistoryRun): void => {
  for (const { key, ...transaction } of user.accounts.flatMap(({ transactions }) => transactions)) {
    const content = toComparable({ ...transaction, status: 'posted' });
    keysByContent.set(content, (keysByContent.get(content) ?? new Set()).add(key));
  }
};

/**
 * Equal contents match before the bank's ids. If one of two transactions takes over the content of the other, they can therefore
 * exchange ids. If one of them is already void, because a refresh began later than usual after the bank did not list the account,
 * the other one gets a new id.
 */
const allowNewIds = ({ history, keysByContent, newIdAllowed }: HistoryRun): void => {
  const isUnlisted = history.events.some(
    (event) => event.kind === 'refresh' && event.responseMode === 'withoutFirstAccount',
  );
  if (!isUnlisted) return;
  for (const keys of keysByContent.values()) if (keys.size > 1) for (const key of keys) newIdAllowed.add(key);
};

// --- the consumers

/** `readIds` are the transactions of the current read. */
type Copy = { state: SyncState; transactions: Map<string, Transaction>; readIds: Set<string> };
type Consumer = { pageSize: number; copies: Map<string, Copy> };

const makeConsumer = (pageSize: number, accountIds: string[]): Consumer => ({
  pageSize,
  copies: new Map(accountIds.map((id) => [id, { state: {}, transactions: new Map(), readIds: new Set() }])),
});

class StopAfterPage extends Error {}

/** Reads one page, or all pages, of every account. */
const read = async (run: HistoryRun, consumer: Consumer, onePage: boolean): Promise<void> => {
  for (const [accountId, copy] of consumer.copies) {
    const apply = (page: Transaction[], next: SyncState): void => {
      for (const transaction of page) storeTransaction(copy, transaction);
      copy.state = next;
      if (!next.inProgress) copy.readIds.clear();
      if (onePage) throw new StopAfterPage();
    };
    await syncTransactions(run.client, accountId, copy.state, { apply, pageSize: consumer.pageSize }).catch(
      (error) => {
        if (!(error instanceof StopAfterPage)) throw error;
      },
    );
  }
};

const storeTransaction = ({ transactions, readIds }: Copy, transaction: Transaction): void => {
  if (readIds.has(transaction.id)) throw new Error('A read returned a transaction twice.');
  readIds.add(transaction.id);
  const stored = transactions.get(transaction.id);
  if (!stored || stored.transactionRefresh <= transaction.transactionRefresh)
    transactions.set(transaction.id, transaction);
};

const abandonRead = (consumer: Consumer): void => {
  for (const copy of consumer.copies.values()) {
    copy.state = { refreshedSince: copy.state.refreshedSince };
    copy.readIds.clear();
  }
};

const resetConsumer = (consumer: Consumer): void => {
  for (const copy of consumer.copies.values()) {
    copy.state = {};
    copy.transactions.clear();
    copy.readIds.clear();
  }
};

const expectSameTransactions = async (run: HistoryRun, consumer: Consumer): Promise<void> => {
  // The first read may have started before the bank stopped changing; the second one did not.
  await read(run, consumer, false);
  await read(run, consumer, false);
  for (const [index, [accountId, copy]] of [...consumer.copies].entries()) {
    const account = run.user.accounts[index]!;
    const valid = [...copy.transactions.values()].filter(({ status }) => status !== 'void');
    expect(valid.map(toComparable).sort()).toEqual(account.transactions.map(toComparable).sort());
    const { data } = await run.client.GET('/accounts/{accountId}', { params: { path: { accountId } } });
    expect(data?.account.balance.current).toBe(Number(account.balance));
    if (run.history.ids === 'stable')
      expect(copy.transactions.size).toBeLessThanOrEqual(run.nextKey + run.newIdAllowed.size);
  }
};

const toComparable = ({
  date,
  amount,
  description,
  reference,
  status,
}: (Omit<ModelTransaction, 'key' | 'amount'> & { amount: string | number }) | Transaction) =>
  JSON.stringify([date, canonicalDecimal(String(amount)), description, reference, status]);

// --- all events

const applyEvent = async (run: HistoryRun, event: HistoryEvent): Promise<unknown> => {
  const { user } = run;
  switch (event.kind) {
    case 'add':
      return add(run, event);
    case 'twin':
      return duplicate(run, event.pick);
    case 'post':
      return post(run, event);
    case 'changeText': {
      const found = pickFrom(allTransactions(run), event.pick);
      if (found) found.transaction.description = texts[event.text]!;
      return;
    }
    case 'remove':
      return remove(run, event.pick);
    case 'restore':
      return restore(run);
    case 'balance': {
      const account = user.accounts[event.account % user.accounts.length]!;
      account.balance = (event.cents / 100).toFixed(2);
      return;
    }
    case 'refresh':
      user.responseMode = event.responseMode;
      await refresh(run, event.full);
      user.responseMode = 'complete';
      return;
    case 'crash':
      return refreshAndCrash(run, event);
    case 'lateRefresh':
      return refreshLate(run, event.change);
    case 'reconnect':
      return reconnect(run);
    case 'clock':
      return run.service.advance(seconds(event.minutes * 60));
    case 'readPage':
      return read(run, run.consumers[event.consumer]!, true);
    case 'readAll':
      return read(run, run.consumers[event.consumer]!, false);
    case 'abandonRead':
      return abandonRead(run.consumers[event.consumer]!);
    case 'reset':
      return resetConsumer(run.consumers[event.consumer]!);
  }
};
