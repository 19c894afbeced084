// npm run soak [-- --minutes 3 --seed 1]: three workers and two API processes on PostgreSQL are killed at random while
// users link, banks change and readers read. In the end every reader must hold what its bank shows, no lease may be
// stuck and no entry double. Everything is on loopback; the same seed makes the same choices.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createClient } from '../../client/index.ts';
import { days, seconds, toIsoDate } from '../../src/clock.ts';
import { freePort } from '../../test/support/freePort.ts';
import { type Consumer, startConsumer } from './consumer.ts';
import { difference, readBank } from './expectedState.ts';
import { type SoakFixture, startSoakFixture } from './fixture.ts';
import { type LinkedUser, linkUser, type SoakUser } from './linkUser.ts';
import { printTable, type SoakResult } from './resultTable.ts';
import { makeScript, scriptedLogin } from './scriptedLogin.ts';
import { makeSeededRandom, type SeededRandom } from './seededRandom.ts';
import { type SupervisedProcess, superviseProcess } from './supervisedProcess.ts';

const { values } = parseArgs({ options: { minutes: { type: 'string' }, seed: { type: 'string' } } });
const minutes = Number(values.minutes ?? 3);
const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000));

/** Linked before anybody is killed. One connection for each user that moves: a second would move it on, too. */
const initialUsers: SoakUser[] = [
  ...['sandbox-bank', 'sandbox-credit-union', 'sandbox-savings'].map((institutionId) => {
    return { institutionId, username: 'moves' };
  }),
  { institutionId: 'sandbox-bank', username: 'rotates' },
  { institutionId: 'sandbox-savings', username: 'rotates' },
  { institutionId: 'sandbox-bank', username: scriptedLogin },
];
/** Linked while others are killed; nothing of theirs is moved by being asked. */
const laterUsers = ['good', 'twins', 'usd', 'jpy', 'rotates'];

type SoakRun = {
  fixture: SoakFixture;
  random: SeededRandom;
  apis: { url: string; process: SupervisedProcess }[];
  workers: SupervisedProcess[];
  linked: LinkedUser[];
  consumers: { reader: Consumer; person: LinkedUser; account: LinkedUser['accounts'][number] }[];
  failedLinks: number;
};

const printLine = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

const startProcesses = async (fixture: SoakFixture, random: SeededRandom): Promise<SoakRun> => {
  const ports = [await freePort(), await freePort()];
  const apis = ports.map((port, at) => ({
    url: `http://127.0.0.1:${port}`,
    process: superviseProcess(`api ${at + 1}`, ['serve', '--no-worker'], {
      ...fixture.env,
      PORT: String(port),
      BASE_URL: `http://127.0.0.1:${port}`,
    }),
  }));
  const workers = [1, 2, 3].map((at) => superviseProcess(`worker ${at}`, ['worker'], fixture.env));
  const soak: SoakRun = { fixture, random, apis, workers, linked: [], consumers: [], failedLinks: 0 };
  for (const { url } of apis) await waitUntilUp(url);
  return soak;
};

const waitUntilUp = async (url: string): Promise<void> => {
  for (let tries = 0; tries < 300; tries++) {
    const up = await fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (up) return;
    await sleep(200);
  }
  throw new Error(`${url} does not come up.`);
};

/** Links somebody, and lets a reader at each API process copy each of their accounts. */
const addUser = async (soak: SoakRun, person: SoakUser): Promise<void> => {
  const { fixture, random, apis } = soak;
  const { id, apiKey } = fixture.application;
  const linked = await linkUser(random.pick(apis).url, id, person);
  soak.linked.push(linked);
  for (const account of linked.accounts) {
    for (const { url } of apis) {
      const client = createClient({ baseUrl: url, apiKey, scopedToken: linked.scopedToken });
      const reader = startConsumer(client, account.id, random.pick([7, 50, 333, 1000]));
      soak.consumers.push({ reader, person: linked, account });
    }
  }
};

// --- what goes on beside each other until the time is over

const killProcesses = async ({ random, apis, workers }: SoakRun, until: number): Promise<void> => {
  const all = [...apis.map(({ process }) => process), ...workers];
  while (Date.now() < until) {
    await sleep(random.between(1500, 5000));
    await random.pick(all).kill(random.between(0, 1500));
  }
};

/** A quarter of a day and a bit more, so that everything comes due again and again. */
const advanceClock = async ({ fixture, random }: SoakRun, until: number): Promise<void> => {
  while (Date.now() < until) {
    await fixture.advance(seconds(random.between(7, 12) * 3600));
    await sleep(random.between(2000, 5000));
  }
};

const changeScript = async ({ fixture, random }: SoakRun, script: Script, until: number): Promise<void> => {
  while (Date.now() < until) {
    await sleep(random.between(4000, 9000));
    await script.next(toIsoDate(fixture.now()));
  }
};

const linkMoreUsers = async (soak: SoakRun, until: number): Promise<void> => {
  while (Date.now() < until - 30_000) {
    await sleep(soak.random.between(8000, 16_000));
    const person = { institutionId: 'sandbox-bank', username: soak.random.pick(laterUsers) };
    await addUser(soak, person).catch(() => {
      soak.failedLinks += 1;
    });
  }
};

const reportProgress = async ({ apis, workers, linked }: SoakRun, until: number): Promise<void> => {
  while (Date.now() < until) {
    const kills = [...apis.map(({ process }) => process), ...workers].map(
      ({ name, kills }) => `${name} ${kills}`,
    );
    const left = Math.ceil((until - Date.now()) / 1000);
    printLine(`${left} s left, ${linked.length} connections, killed: ${kills.join(', ')}`);
    await sleep(Math.min(15_000, Math.max(100, until - Date.now())));
  }
};

// --- the end

/** Lets everything be refreshed once more, in full, with nobody killed; false where that never comes to an end. */
const finishRefreshes = async ({ fixture, apis }: SoakRun): Promise<boolean> => {
  for (const { url } of apis) await waitUntilUp(url);
  await waitForIdleJobs(fixture);
  // At noon: no date changes between the last refresh and our own look at the bank.
  const noon = Math.ceil((fixture.now().getTime() + days(8)) / days(1)) * days(1) + days(1) / 2;
  await fixture.advance(noon - fixture.now().getTime());
  await sleep(2000);
  return waitForIdleJobs(fixture);
};

const finishTimeoutMs = 180_000;

const waitForIdleJobs = async ({ db, now }: SoakFixture): Promise<boolean> => {
  const giveUp = Date.now() + finishTimeoutMs;
  while (Date.now() < giveUp) {
    const waiting = await db
      .read('jobs')
      .whereNotNull('lease_token')
      .orWhere('due_at', '<=', now().toISOString())
      .first('connection_id');
    if (!waiting) return true;
    await sleep(500);
  }
  return false;
};

const compareConsumers = async (
  soak: SoakRun,
): Promise<{ extra: number; missing: number; unlike: number }> => {
  const sum = { extra: 0, missing: 0, unlike: 0 };
  const truths = new Map<string, Awaited<ReturnType<typeof readBank>>>();
  for (const { reader, person, account } of soak.consumers) {
    await reader.stop();
    await reader.catchUp();
    const key = `${person.institutionId} ${person.username}`;
    if (!truths.has(key)) truths.set(key, await readBank(soak.fixture.connector, person, soak.fixture.now()));
    const truth = truths.get(key)!.find(({ name }) => name === account.name)!;
    const { extra, missing } = difference(truth, reader.transactions.values());
    if (extra + missing > 0) printLine(`${key}, ${account.name}: ${extra} too many, ${missing} missing`);
    sum.extra += extra;
    sum.missing += missing;
    sum.unlike += extra + missing > 0 ? 1 : 0;
  }
  return sum;
};

const resultOf = async (soak: SoakRun, drainedInTime: boolean): Promise<SoakResult> => {
  const { fixture, consumers, linked } = soak;
  const differences = await compareConsumers(soak);
  const { read } = fixture.db;
  const count = async (query: PromiseLike<unknown>): Promise<number> =>
    Number((((await query) as { count: number }[])[0] ?? { count: 0 }).count);
  const leases = await count(read('jobs').whereNotNull('lease_token').count({ count: '*' }));
  const connections = await count(read('connections').whereNull('delivery_expires_at').count({ count: '*' }));
  const refreshes = await count(read('transactions').countDistinct({ count: 'refresh_cursor' }));
  const sum = (name: 'completedWalks' | 'failedWalks' | 'duplicates'): number =>
    consumers.reduce((total, { reader }) => total + reader[name], 0);
  return {
    processes: [...soak.apis.map(({ process }) => process), ...soak.workers],
    counts: {
      ...{ connections, refreshes, 'linkings lost to a kill': soak.failedLinks },
      ...{
        readers: consumers.length,
        'completed walks': sum('completedWalks'),
        'broken walks': sum('failedWalks'),
      },
      'entries held': consumers.reduce((total, { reader }) => total + reader.transactions.size, 0),
    },
    errors: {
      'readers unlike their bank': differences.unlike,
      'entries too many': differences.extra,
      'entries missing': differences.missing,
      'entries shown twice in a walk': sum('duplicates'),
      'leases stuck': leases + (drainedInTime ? 0 : 1),
      'connections lost or double': Math.abs(connections - linked.length),
      'processes that ended by themselves': [...soak.apis.map((api) => api.process), ...soak.workers].reduce(
        (total, { unexpectedExits }) => total + unexpectedExits,
        0,
      ),
    },
  };
};

type Script = { next(date: string): Promise<void> };

const runSoak = async (stage: SoakFixture, directory: string): Promise<SoakResult> => {
  const dice = makeSeededRandom(seed);
  const file = join(directory, 'scripted.csv');
  const lines = makeScript(dice, file);
  const script: Script = {
    next: async (date) => {
      await lines.write(date);
      await stage.load(file);
    },
  };
  await script.next(toIsoDate(stage.now()));
  const soak = await startProcesses(stage, dice);
  try {
    for (const person of initialUsers) await addUser(soak, person);
    const until = Date.now() + minutes * 60_000;
    await Promise.all([
      killProcesses(soak, until),
      advanceClock(soak, until),
      changeScript(soak, script, until),
      linkMoreUsers(soak, until),
      reportProgress(soak, until),
    ]);
    printLine('Nobody is killed any more; the last refreshes.');
    return await resultOf(soak, await finishRefreshes(soak));
  } finally {
    for (const { reader } of soak.consumers) await reader.stop();
    await Promise.all([...soak.apis.map(({ process }) => process), ...soak.workers].map((one) => one.stop()));
  }
};

printLine(`Soak of ${minutes} minutes, seed ${seed}.`);
const directory = await mkdtemp(join(tmpdir(), 'bank-connection-soak-'));
const stage = await startSoakFixture(directory);
try {
  const result = await runSoak(stage, directory);
  printTable({ seed, minutes, ...result });
  if (Object.values(result.errors).some((found) => found > 0)) process.exitCode = 1;
} finally {
  await stage.close();
  await rm(directory, { recursive: true, force: true });
}
