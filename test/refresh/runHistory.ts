// Plays a generated history against a real service: the bank changes, refreshes run, crash and race, readers
// walk; in the end the bank is quiet and every copy must be equal to it.
import { expect } from 'vitest';
import { type SyncState, syncTransactions, type Transaction } from '../../client/index.ts';
import { addMilliseconds, days, seconds, toIsoDate } from '../../src/clock.ts';
import { BankUnreachable } from '../../src/errors.ts';
import { canonicalDecimal } from '../../src/json.ts';
import { importConnection } from '../../src/linking/importConnection.ts';
import type { LinkJobDeps } from '../../src/linking/linkJob.ts';
import { reconnectConnection } from '../../src/linking/reconnectConnection.ts';
import { type ClaimedJob, claimJob, findDueJobs, LeaseLost } from '../../src/refresh/jobs.ts';
import { refreshConnection } from '../../src/refresh/refreshConnection.ts';
import { loadSecrets } from '../../src/secrets/secrets.ts';
import type { DatabaseKind } from '../support/databases.ts';
import {
  driveToImport,
  openLinkSession,
  startService,
  type TestApplication,
  type TestService,
} from '../support/testService.ts';
import { crashAtCall } from './crash.ts';
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

/** A service whose worker is the test. */
export const startHistoryFixture = async (database: DatabaseKind): Promise<HistoryFixture> => {
  const { connector, people: users } = makeModelConnector();
  // So few that a history meets both ways of merging: in memory, and in the staging table.
  const limits = { mergeInMemoryRows: 4 };
  const service = await startService({ database, connectors: [connector], limits, worker: false });
  const { db, clock, config, linking } = service.service;
  const secrets = await loadSecrets(db, config.secretsDir, { worker: true, now: clock.real() });
  const { keys, fingerprints } = secrets.worker!;
  const application = await service.addApplication({ environment: 'production' });
  const deps = {
    ...linking,
    workerKeys: keys,
    fingerprintKey: fingerprints,
    reportError: (_session: string, error: unknown) => {
      throw error;
    },
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
  /** The latest moment that this history has seen; its clock may have stepped back since. */
  latest: Date;
  removed: { account: ModelAccount; entry: ModelTransaction }[];
};

let runCount = 0;

export const runHistory = async (stage: HistoryFixture, history: History): Promise<void> => {
  const play = await startRun(stage, history);
  for (const happening of history.events) {
    await applyEvent(play, happening);
    const now = play.deps.clock.real();
    if (now > play.latest) play.latest = now;
  }
  play.user.responseMode = 'well';
  await refresh(play, true);
  for (const reader of play.consumers) await expectSameTransactions(play, reader);
};

const startRun = async (stage: HistoryFixture, history: History): Promise<HistoryRun> => {
  const username = `person-${runCount++}`;
  const accounts = Array.from({ length: history.accounts }, (_, at) => ({
    id: `${at}`,
    balance: '0',
    transactions: initialTransactions(stage, at === 0 ? history.initialCount : 0),
  }));
  const user: ModelUser = {
    accounts,
    ids: history.ids,
    responseMode: 'well',
    pause: async () => {},
    reads: 0,
  };
  stage.users.set(username, user);
  const session = await openLinkSession(stage.service, { applicationId: stage.application.id });
  await driveToImport(session, { username, institutionId: 'model' });
  await runJob(stage, await claim(stage, undefined));
  const view = await session.refresh();
  if (view.state !== 'finished') throw new Error(`Linking ended as ${JSON.stringify(view)}.`);
  await session.acknowledge();
  const { result } = view;
  const accountIds = result.accounts.map(({ id }) => id);
  return {
    ...stage,
    history,
    user,
    username,
    connectionId: result.connectionId,
    accountIds,
    client: stage.service.client(result.scopedToken, stage.application.apiKey),
    consumers: history.pageSizes.map((pageSize) => makeConsumer(pageSize, accountIds)),
    nextKey: history.initialCount,
    latest: stage.deps.clock.real(),
    removed: [],
  };
};

// --- the worker's part

/** Claims what is due for a connection, made due now; or the first import that is due. */
const claim = async (
  { service, deps }: HistoryFixture,
  connectionId: string | undefined,
): Promise<ClaimedJob> => {
  const { db, clock, limits } = deps;
  for (let tries = 0; tries < 100; tries++) {
    if (connectionId) {
      const dueAt = clock.now('production').toISOString();
      await db.write('jobs').where({ connection_id: connectionId }).update({ due_at: dueAt });
    }
    const due = await findDueJobs(db, clock, 100_000);
    const wanted = due.find((work) =>
      connectionId ? work.connectionId === connectionId : work.kind !== 'refresh' && work.attempts === 0,
    );
    const work = wanted && (await claimJob(db, wanted, { now: clock.real(), seconds: limits.leaseSeconds }));
    if (work) return work;
    // Still leased to somebody who died, perhaps by a clock that has stepped back since.
    service.advance(seconds(limits.leaseSeconds * 4 ** tries));
  }
  throw new Error('Nothing comes due.');
};

/** The next refresh of the connection; a full one comes a week after the latest moment that it has seen. */
const claimAfter = async (play: HistoryRun, full: boolean): Promise<ClaimedJob> => {
  const { clock, limits } = play.deps;
  const lost = play.latest.getTime() - clock.real().getTime();
  if (full) play.service.advance(Math.max(0, lost) + days(limits.fullRefreshDays));
  return claim(play, play.connectionId);
};

const runJob = async ({ deps }: HistoryFixture, work: ClaimedJob): Promise<unknown> => {
  const signal = new AbortController().signal;
  const handlers = { import: importConnection, reconnect: reconnectConnection, refresh: refreshConnection };
  return handlers[work.kind](deps, work, signal);
};

const refresh = async (play: HistoryRun, full: boolean): Promise<void> => {
  const work = await claimAfter(play, full);
  await runJob(play, work).catch((error) => {
    if (!(error instanceof BankUnreachable)) throw error;
  });
};

const refreshAndCrash = async (
  play: HistoryRun,
  { full, call }: { full: boolean; call: number },
): Promise<void> => {
  const work = await claimAfter(play, full);
  await crashAtCall(play.deps.db, call, () =>
    runJob(play, work).catch((error) => {
      if (!(error instanceof BankUnreachable)) throw error;
    }),
  );
};

/** One process asks the bank and is so slow that its lease ends; another refreshes meanwhile. */
const refreshLate = async (play: HistoryRun, change: boolean): Promise<void> => {
  const { user } = play;
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const paused = new Promise<void>((resolve) => {
    user.pause = async () => {
      resolve();
      await released;
    };
  });
  const slow = await claim(play, play.connectionId);
  const outcome = runJob(play, slow).then(
    () => 'published',
    (error) => error,
  );
  if ((await Promise.race([paused, outcome])) === undefined) {
    user.pause = async () => {};
    if (change) add(play, { account: 0, daysAgo: 0, text: 0, cents: 1, pending: false });
    await refresh(play, false);
    release();
    const result = await outcome;
    if (!(result instanceof LeaseLost) && !(result instanceof BankUnreachable)) {
      throw new Error(`A refresh without its lease ended as: ${result}`);
    }
  } else {
    release();
    const result = await outcome;
    if (result instanceof Error && !(result instanceof BankUnreachable)) throw result;
  }
  user.pause = async () => {};
};

const reconnect = async (play: HistoryRun): Promise<void> => {
  play.user.responseMode = 'well';
  const session = await openLinkSession(play.service, {
    applicationId: play.application.id,
    connectionId: play.connectionId,
  });
  await driveToImport(session, { username: play.username });
  await runJob(play, await claim(play, play.connectionId));
  const view = await session.refresh();
  if (view.state !== 'finished') throw new Error(`Reconnecting ended as ${JSON.stringify(view)}.`);
  expect(view.result.accounts.map(({ id }) => id)).toEqual(play.accountIds);
  await session.acknowledge();
};

// --- the bank's part

const texts = ['Coffee', 'Rent', 'Salary', 'Café – Überweisung'];

const add = (
  play: HistoryRun,
  { account, daysAgo, text, cents, pending }: Omit<Extract<HistoryEvent, { kind: 'add' }>, 'kind'>,
): void => {
  const { accounts } = play.user;
  const now = play.deps.clock.now('production');
  accounts[account % accounts.length]!.transactions.push({
    key: play.nextKey++,
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
    date: toIsoDate(addMilliseconds(deps.clock.now('production'), -days(key))),
    amount: '-1.00',
    description: texts[key % texts.length]!,
    reference: '',
    status: key % 3 === 0 ? 'pending' : 'posted',
  }));

const pickFrom = <Item>(items: Item[], pick: number): Item | undefined =>
  items[pick % Math.max(1, items.length)];

const allTransactions = ({ user }: HistoryRun) =>
  user.accounts.flatMap((account) => account.transactions.map((entry) => ({ account, entry })));

const duplicate = (play: HistoryRun, pick: number): void => {
  const found = pickFrom(allTransactions(play), pick);
  found?.account.transactions.push({ ...found.entry, key: play.nextKey++ });
};

const post = (
  play: HistoryRun,
  { pick, text, days: moved }: { pick: number; text: number; days: number },
): void => {
  const pending = allTransactions(play).filter(({ entry }) => entry.status === 'pending');
  const entry = pickFrom(pending, pick)?.entry;
  if (!entry) return;
  entry.status = 'posted';
  entry.description = texts[text]!;
  entry.date = toIsoDate(addMilliseconds(new Date(entry.date), days(moved)));
};

const withdraw = (play: HistoryRun, pick: number): void => {
  const found = pickFrom(allTransactions(play), pick);
  if (!found) return;
  found.account.transactions.splice(found.account.transactions.indexOf(found.entry), 1);
  play.removed.push(found);
};

const restore = ({ removed }: HistoryRun): void => {
  const found = removed.pop();
  found?.account.transactions.push(found.entry);
};

// --- the readers' part

type Copy = { state: SyncState; held: Map<string, Transaction>; shown: Set<string> };
type Consumer = { pageSize: number; copies: Map<string, Copy> };

const makeConsumer = (pageSize: number, accountIds: string[]): Consumer => ({
  pageSize,
  copies: new Map(accountIds.map((id) => [id, { state: {}, held: new Map(), shown: new Set() }])),
});

class StopAfterPage extends Error {}

/** Takes one page, or walks to the end, in every account. */
const read = async (play: HistoryRun, reader: Consumer, onePage: boolean): Promise<void> => {
  for (const [accountId, copy] of reader.copies) {
    const apply = (page: Transaction[], next: SyncState): void => {
      for (const transaction of page) storeTransaction(copy, transaction);
      copy.state = next;
      if (!next.inProgress) copy.shown.clear();
      if (onePage) throw new StopAfterPage();
    };
    await syncTransactions(play.client, accountId, copy.state, { apply, pageSize: reader.pageSize }).catch(
      (error) => {
        if (!(error instanceof StopAfterPage)) throw error;
      },
    );
  }
};

const storeTransaction = ({ held, shown }: Copy, transaction: Transaction): void => {
  if (shown.has(transaction.id)) throw new Error('A walk showed an entry twice.');
  shown.add(transaction.id);
  const known = held.get(transaction.id);
  if (!known || known.transactionRefresh <= transaction.transactionRefresh)
    held.set(transaction.id, transaction);
};

const abandonWalk = (reader: Consumer): void => {
  for (const copy of reader.copies.values()) {
    copy.state = { refreshedSince: copy.state.refreshedSince };
    copy.shown.clear();
  }
};

const resetConsumer = (reader: Consumer): void => {
  for (const copy of reader.copies.values()) {
    copy.state = {};
    copy.held.clear();
    copy.shown.clear();
  }
};

const expectSameTransactions = async (play: HistoryRun, reader: Consumer): Promise<void> => {
  // The first walk may have begun before the bank was quiet; the next one did not.
  await read(play, reader, false);
  await read(play, reader, false);
  for (const [at, [accountId, copy]] of [...reader.copies].entries()) {
    const account = play.user.accounts[at]!;
    const live = [...copy.held.values()].filter(({ status }) => status !== 'void');
    expect(live.map(toComparable).sort()).toEqual(account.transactions.map(toComparable).sort());
    const { data } = await play.client.GET('/accounts/{accountId}', { params: { path: { accountId } } });
    expect(data?.account.balance.current).toBe(Number(account.balance));
    if (play.history.ids === 'stable') expect(copy.held.size).toBeLessThanOrEqual(play.nextKey);
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

// --- everything

const applyEvent = async (play: HistoryRun, happening: HistoryEvent): Promise<unknown> => {
  const { user } = play;
  switch (happening.kind) {
    case 'add':
      return add(play, happening);
    case 'twin':
      return duplicate(play, happening.pick);
    case 'post':
      return post(play, happening);
    case 'reword': {
      const found = pickFrom(allTransactions(play), happening.pick);
      if (found) found.entry.description = texts[happening.text]!;
      return;
    }
    case 'withdraw':
      return withdraw(play, happening.pick);
    case 'restore':
      return restore(play);
    case 'balance': {
      const account = user.accounts[happening.account % user.accounts.length]!;
      account.balance = (happening.cents / 100).toFixed(2);
      return;
    }
    case 'refresh':
      user.responseMode = happening.mood;
      await refresh(play, happening.full);
      user.responseMode = 'well';
      return;
    case 'crash':
      return refreshAndCrash(play, happening);
    case 'late':
      return refreshLate(play, happening.change);
    case 'reconnect':
      return reconnect(play);
    case 'clock':
      return play.service.advance(seconds(happening.minutes * 60));
    case 'read':
      return read(play, play.consumers[happening.reader]!, true);
    case 'walk':
      return read(play, play.consumers[happening.reader]!, false);
    case 'abandon':
      return abandonWalk(play.consumers[happening.reader]!);
    case 'forget':
      return resetConsumer(play.consumers[happening.reader]!);
  }
};
