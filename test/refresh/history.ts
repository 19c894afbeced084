// Plays a generated history against a real service: the bank changes, refreshes run, crash and race, readers
// walk; in the end the bank is quiet and every copy must be equal to it.
import { expect } from 'vitest';
import { type SyncState, syncTransactions, type Transaction } from '../../client/index.ts';
import { addMilliseconds, toIsoDate, days, seconds } from '../../src/clock.ts';
import { BankUnreachable } from '../../src/errors.ts';
import { canonicalDecimal } from '../../src/json.ts';
import { importConnection } from '../../src/linking/importConnection.ts';
import type { LinkJobDeps } from '../../src/linking/linkJob.ts';
import { reconnectConnection } from '../../src/linking/reconnectConnection.ts';
import { type ClaimedJob, claimJob, findDueJobs, LeaseLost } from '../../src/refresh/jobs.ts';
import { refreshConnection } from '../../src/refresh/refreshConnection.ts';
import { loadSecrets } from '../../src/secrets/secrets.ts';
import type { DatabaseKind } from '../databases.ts';
import {
  driveToImport,
  openTestSession,
  startService,
  type TestApplication,
  type TestService,
} from '../harness.ts';
import { crashAtCall } from './crash.ts';
import type { Happening, History } from './generated.ts';
import { type ModelAccount, type ModelEntry, makeModelBank, type Person } from './modelBank.ts';

export type Stage = {
  service: TestService;
  application: TestApplication;
  people: Map<string, Person>;
  tools: LinkJobDeps;
  close(): Promise<void>;
};

/** A service whose worker is the test. */
export const startStage = async (database: DatabaseKind): Promise<Stage> => {
  const { connector, people } = makeModelBank();
  // So few that a history meets both ways of merging: in memory, and in the staging table.
  const limits = { mergeInMemoryRows: 4 };
  const service = await startService({ database, connectors: [connector], limits, worker: false });
  const { db, clock, config, linking } = service.service;
  const secrets = await loadSecrets(db, config.secretsDir, { worker: true, now: clock.real() });
  const { keys, fingerprints } = secrets.worker!;
  const application = await service.addApplication({ environment: 'production' });
  const tools = {
    ...linking,
    workerKeys: keys,
    fingerprintKey: fingerprints,
    reportError: (_session: string, error: unknown) => {
      throw error;
    },
  };
  return { service, application, people, tools, close: service.close };
};

type Play = Stage & {
  history: History;
  person: Person;
  username: string;
  connectionId: string;
  accountIds: string[];
  client: ReturnType<TestService['client']>;
  readers: Reader[];
  nextKey: number;
  /** The latest moment that this history has seen; its clock may have stepped back since. */
  latest: Date;
  withdrawn: { account: ModelAccount; entry: ModelEntry }[];
};

let plays = 0;

export const playHistory = async (stage: Stage, history: History): Promise<void> => {
  const play = await begin(stage, history);
  for (const happening of history.happenings) {
    await happen(play, happening);
    const now = play.tools.clock.real();
    if (now > play.latest) play.latest = now;
  }
  play.person.mood = 'well';
  await refresh(play, true);
  for (const reader of play.readers) await expectEqual(play, reader);
};

const begin = async (stage: Stage, history: History): Promise<Play> => {
  const username = `person-${plays++}`;
  const accounts = Array.from({ length: history.accounts }, (_, at) => ({
    id: `${at}`,
    balance: '0',
    entries: seedEntries(stage, at === 0 ? history.seeds : 0),
  }));
  const person: Person = { accounts, ids: history.ids, mood: 'well', pause: async () => {}, readings: 0 };
  stage.people.set(username, person);
  const session = await openTestSession(stage.service, { applicationId: stage.application.id });
  await driveToImport(session, { username, institutionId: 'model' });
  await perform(stage, await claim(stage, undefined));
  const view = await session.refresh();
  if (view.state !== 'finished') throw new Error(`Linking ended as ${JSON.stringify(view)}.`);
  await session.acknowledge();
  const { result } = view;
  const accountIds = result.accounts.map(({ id }) => id);
  return {
    ...stage,
    history,
    person,
    username,
    connectionId: result.connectionId,
    accountIds,
    client: stage.service.client(result.scopedToken, stage.application.apiKey),
    readers: history.pageSizes.map((pageSize) => newReader(pageSize, accountIds)),
    nextKey: history.seeds,
    latest: stage.tools.clock.real(),
    withdrawn: [],
  };
};

// --- the worker's part

/** Claims what is due for a connection, made due now; or the first import that is due. */
const claim = async ({ service, tools }: Stage, connectionId: string | undefined): Promise<ClaimedJob> => {
  const { db, clock, limits } = tools;
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
const claimAfter = async (play: Play, full: boolean): Promise<ClaimedJob> => {
  const { clock, limits } = play.tools;
  const lost = play.latest.getTime() - clock.real().getTime();
  if (full) play.service.advance(Math.max(0, lost) + days(limits.fullRefreshDays));
  return claim(play, play.connectionId);
};

const perform = async ({ tools }: Stage, work: ClaimedJob): Promise<unknown> => {
  const signal = new AbortController().signal;
  const handlers = { import: importConnection, reconnect: reconnectConnection, refresh: refreshConnection };
  return handlers[work.kind](tools, work, signal);
};

const refresh = async (play: Play, full: boolean): Promise<void> => {
  const work = await claimAfter(play, full);
  await perform(play, work).catch((error) => {
    if (!(error instanceof BankUnreachable)) throw error;
  });
};

const refreshAndCrash = async (
  play: Play,
  { full, call }: { full: boolean; call: number },
): Promise<void> => {
  const work = await claimAfter(play, full);
  await crashAtCall(play.tools.db, call, () =>
    perform(play, work).catch((error) => {
      if (!(error instanceof BankUnreachable)) throw error;
    }),
  );
};

/** One process asks the bank and is so slow that its lease ends; another refreshes meanwhile. */
const refreshLate = async (play: Play, change: boolean): Promise<void> => {
  const { person } = play;
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const paused = new Promise<void>((resolve) => {
    person.pause = async () => {
      resolve();
      await released;
    };
  });
  const slow = await claim(play, play.connectionId);
  const outcome = perform(play, slow).then(
    () => 'published',
    (error) => error,
  );
  if ((await Promise.race([paused, outcome])) === undefined) {
    person.pause = async () => {};
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
  person.pause = async () => {};
};

const reconnect = async (play: Play): Promise<void> => {
  play.person.mood = 'well';
  const session = await openTestSession(play.service, {
    applicationId: play.application.id,
    connectionId: play.connectionId,
  });
  await driveToImport(session, { username: play.username });
  await perform(play, await claim(play, play.connectionId));
  const view = await session.refresh();
  if (view.state !== 'finished') throw new Error(`Reconnecting ended as ${JSON.stringify(view)}.`);
  expect(view.result.accounts.map(({ id }) => id)).toEqual(play.accountIds);
  await session.acknowledge();
};

// --- the bank's part

const texts = ['Coffee', 'Rent', 'Salary', 'Café – Überweisung'];

const add = (
  play: Play,
  { account, daysAgo, text, cents, pending }: Omit<Extract<Happening, { kind: 'add' }>, 'kind'>,
): void => {
  const { accounts } = play.person;
  const now = play.tools.clock.now('production');
  accounts[account % accounts.length]!.entries.push({
    key: play.nextKey++,
    date: toIsoDate(addMilliseconds(now, -days(daysAgo))),
    amount: (cents / 100).toFixed(2),
    description: texts[text]!,
    reference: '',
    status: pending ? 'pending' : 'posted',
  });
};

const seedEntries = ({ tools }: Stage, count: number): ModelEntry[] =>
  Array.from({ length: count }, (_, key) => ({
    key,
    date: toIsoDate(addMilliseconds(tools.clock.now('production'), -days(key))),
    amount: '-1.00',
    description: texts[key % texts.length]!,
    reference: '',
    status: key % 3 === 0 ? 'pending' : 'posted',
  }));

const pickFrom = <Item>(items: Item[], pick: number): Item | undefined =>
  items[pick % Math.max(1, items.length)];

const allEntries = ({ person }: Play) =>
  person.accounts.flatMap((account) => account.entries.map((entry) => ({ account, entry })));

const twin = (play: Play, pick: number): void => {
  const found = pickFrom(allEntries(play), pick);
  found?.account.entries.push({ ...found.entry, key: play.nextKey++ });
};

const post = (
  play: Play,
  { pick, text, days: moved }: { pick: number; text: number; days: number },
): void => {
  const pending = allEntries(play).filter(({ entry }) => entry.status === 'pending');
  const entry = pickFrom(pending, pick)?.entry;
  if (!entry) return;
  entry.status = 'posted';
  entry.description = texts[text]!;
  entry.date = toIsoDate(addMilliseconds(new Date(entry.date), days(moved)));
};

const withdraw = (play: Play, pick: number): void => {
  const found = pickFrom(allEntries(play), pick);
  if (!found) return;
  found.account.entries.splice(found.account.entries.indexOf(found.entry), 1);
  play.withdrawn.push(found);
};

const restore = ({ withdrawn }: Play): void => {
  const found = withdrawn.pop();
  found?.account.entries.push(found.entry);
};

// --- the readers' part

type Copy = { state: SyncState; held: Map<string, Transaction>; shown: Set<string> };
type Reader = { pageSize: number; copies: Map<string, Copy> };

const newReader = (pageSize: number, accountIds: string[]): Reader => ({
  pageSize,
  copies: new Map(accountIds.map((id) => [id, { state: {}, held: new Map(), shown: new Set() }])),
});

class OnePage extends Error {}

/** Takes one page, or walks to the end, in every account. */
const read = async (play: Play, reader: Reader, onePage: boolean): Promise<void> => {
  for (const [accountId, copy] of reader.copies) {
    const apply = (page: Transaction[], next: SyncState): void => {
      for (const transaction of page) store(copy, transaction);
      copy.state = next;
      if (!next.inProgress) copy.shown.clear();
      if (onePage) throw new OnePage();
    };
    await syncTransactions(play.client, accountId, copy.state, { apply, pageSize: reader.pageSize }).catch(
      (error) => {
        if (!(error instanceof OnePage)) throw error;
      },
    );
  }
};

const store = ({ held, shown }: Copy, transaction: Transaction): void => {
  if (shown.has(transaction.id)) throw new Error('A walk showed an entry twice.');
  shown.add(transaction.id);
  const known = held.get(transaction.id);
  if (!known || known.transactionRefresh <= transaction.transactionRefresh)
    held.set(transaction.id, transaction);
};

const abandon = (reader: Reader): void => {
  for (const copy of reader.copies.values()) {
    copy.state = { refreshedSince: copy.state.refreshedSince };
    copy.shown.clear();
  }
};

const forget = (reader: Reader): void => {
  for (const copy of reader.copies.values()) {
    copy.state = {};
    copy.held.clear();
    copy.shown.clear();
  }
};

const expectEqual = async (play: Play, reader: Reader): Promise<void> => {
  // The first walk may have begun before the bank was quiet; the next one did not.
  await read(play, reader, false);
  await read(play, reader, false);
  for (const [at, [accountId, copy]] of [...reader.copies].entries()) {
    const account = play.person.accounts[at]!;
    const live = [...copy.held.values()].filter(({ status }) => status !== 'void');
    expect(live.map(spell).sort()).toEqual(account.entries.map(spell).sort());
    const { data } = await play.client.GET('/accounts/{accountId}', { params: { path: { accountId } } });
    expect(data?.account.balance.current).toBe(Number(account.balance));
    if (play.history.ids === 'stable') expect(copy.held.size).toBeLessThanOrEqual(play.nextKey);
  }
};

const spell = ({
  date,
  amount,
  description,
  reference,
  status,
}: (Omit<ModelEntry, 'key' | 'amount'> & { amount: string | number }) | Transaction) =>
  JSON.stringify([date, canonicalDecimal(String(amount)), description, reference, status]);

// --- everything

const happen = async (play: Play, happening: Happening): Promise<unknown> => {
  const { person } = play;
  switch (happening.kind) {
    case 'add':
      return add(play, happening);
    case 'twin':
      return twin(play, happening.pick);
    case 'post':
      return post(play, happening);
    case 'reword': {
      const found = pickFrom(allEntries(play), happening.pick);
      if (found) found.entry.description = texts[happening.text]!;
      return;
    }
    case 'withdraw':
      return withdraw(play, happening.pick);
    case 'restore':
      return restore(play);
    case 'balance': {
      const account = person.accounts[happening.account % person.accounts.length]!;
      account.balance = (happening.cents / 100).toFixed(2);
      return;
    }
    case 'refresh':
      person.mood = happening.mood;
      await refresh(play, happening.full);
      person.mood = 'well';
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
      return read(play, play.readers[happening.reader]!, true);
    case 'walk':
      return read(play, play.readers[happening.reader]!, false);
    case 'abandon':
      return abandon(play.readers[happening.reader]!);
    case 'forget':
      return forget(play.readers[happening.reader]!);
  }
};
