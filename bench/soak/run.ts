// npm run soak [-- --minutes 3 --seed 1 --distributed]: three workers and two API processes on PostgreSQL, or on the Citus
// cluster of TEST_DISTRIBUTED_URL, are killed at random while users link, banks change and consumers sync. At the end, each
// consumer's copy must equal its bank, no lease may be left and no transaction may be duplicated. Everything runs on
// loopback. The same seed makes the same choices.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createClient } from '../../client/index.ts';
import { days, seconds, toIsoDate } from '../../src/platform/values/clock.ts';
import { freePort } from '../../test/support/freePort.ts';
import { linkLogin } from '../data/linkLogin.ts';
import { startConsumer } from './consumer.ts';
import { type SoakFixture, startSoakFixture } from './fixture.ts';
import { collectResult, hasErrors, printResult, type SoakResult } from './result.ts';
import { makeScriptedLogin, type ScriptedLogin, scriptedUsername } from './scriptedLogin.ts';
import { makeSeededRandom, type SeededRandom } from './seededRandom.ts';
import { processesOf, type SoakRun, type SoakUser } from './soakRun.ts';
import { superviseProcess } from './supervisedProcess.ts';

/** Linked before the first kill. Each mutating user has only one connection, because a second one would also mutate it. */
const initialUsers: SoakUser[] = [
  ...['sandbox-bank', 'sandbox-credit-union', 'sandbox-savings'].map((institutionId) => {
    return { institutionId, username: 'moves' };
  }),
  { institutionId: 'sandbox-bank', username: 'rotates' },
  { institutionId: 'sandbox-savings', username: 'rotates' },
  { institutionId: 'sandbox-bank', username: scriptedUsername },
];
/** Linked while processes are killed. Signing in does not change their data. */
const laterUsernames = ['good', 'twins', 'usd', 'jpy', 'rotates'];

const startProcesses = async (fixture: SoakFixture, random: SeededRandom): Promise<SoakRun> => {
  const ports = [await freePort(), await freePort()];
  const apis = ports.map((port, index) => ({
    url: `http://127.0.0.1:${port}`,
    process: superviseProcess(`api ${index + 1}`, ['serve', '--no-worker'], {
      ...fixture.env,
      PORT: String(port),
      BASE_URL: `http://127.0.0.1:${port}`,
    }),
  }));
  const workers = [1, 2, 3].map((number) => superviseProcess(`worker ${number}`, ['worker'], fixture.env));
  for (const { url } of apis) await waitUntilUp(url);
  return { fixture, random, apis, workers, linked: [], consumers: [], failedLinks: 0 };
};

const waitUntilUp = async (url: string): Promise<void> => {
  for (let attempt = 0; attempt < 300; attempt++) {
    const up = await fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (up) return;
    await sleep(200);
  }
  throw new Error(`${url} does not respond.`);
};

/** Links a user, and starts a consumer at each API process for each of the accounts. */
const addUser = async (run: SoakRun, soakUser: SoakUser): Promise<void> => {
  const { fixture, random, apis } = run;
  const { id: applicationId, apiKey } = fixture.application;
  const request = { applicationId, ...soakUser, password: 'password', pollMs: 200, timeoutMs: 60_000 };
  const user = { ...soakUser, ...(await linkLogin(random.pick(apis).url, request)) };
  run.linked.push(user);
  for (const account of user.accounts) {
    for (const { url } of apis) {
      const client = createClient({ baseUrl: url, apiKey, scopedToken: user.scopedToken });
      const consumer = startConsumer(client, account.id, random.pick([7, 50, 333, 1000]));
      run.consumers.push({ consumer, user, account });
    }
  }
};

// --- concurrently, until the deadline

const killProcesses = async (run: SoakRun, deadline: number): Promise<void> => {
  const { random } = run;
  while (Date.now() < deadline) {
    await sleep(random.between(1500, 5000));
    await random.pick(processesOf(run)).kill(random.between(0, 1500));
  }
};

/** At least a quarter of a day at a time, so that everything becomes due repeatedly. */
const advanceClock = async ({ fixture, random }: SoakRun, deadline: number): Promise<void> => {
  while (Date.now() < deadline) {
    await fixture.advance(seconds(random.between(7, 12) * 3600));
    await sleep(random.between(2000, 5000));
  }
};

const changeScriptedLogin = async (
  { fixture, random }: SoakRun,
  login: ScriptedLogin,
  deadline: number,
): Promise<void> => {
  while (Date.now() < deadline) {
    await sleep(random.between(4000, 9000));
    await login.change(toIsoDate(fixture.now()));
    await fixture.load(login.file);
  }
};

const linkMoreUsers = async (run: SoakRun, deadline: number): Promise<void> => {
  while (Date.now() < deadline - 30_000) {
    await sleep(run.random.between(8000, 16_000));
    const username = run.random.pick(laterUsernames);
    await addUser(run, { institutionId: 'sandbox-bank', username }).catch(() => {
      run.failedLinks += 1;
    });
  }
};

const reportProgress = async (run: SoakRun, deadline: number): Promise<void> => {
  while (Date.now() < deadline) {
    const kills = processesOf(run).map(({ name, kills }) => `${name} ${kills}`);
    const left = Math.ceil((deadline - Date.now()) / 1000);
    console.error(`${left} s left, ${run.linked.length} connections, killed: ${kills.join(', ')}`);
    await sleep(Math.min(15_000, Math.max(100, deadline - Date.now())));
  }
};

// --- the end

const finishTimeoutMs = 180_000;

/** Runs one more full refresh of each connection, without kills. False if that does not finish in time. */
const finishRefreshes = async ({ fixture, apis }: SoakRun): Promise<boolean> => {
  for (const { url } of apis) await waitUntilUp(url);
  await waitForIdleJobs(fixture);
  // At noon, so that the date does not change between the last refresh and reading the bank.
  const noon = Math.ceil((fixture.now().getTime() + days(8)) / days(1)) * days(1) + days(1) / 2;
  await fixture.advance(noon - fixture.now().getTime());
  await sleep(2000);
  return waitForIdleJobs(fixture);
};

const waitForIdleJobs = async ({ db, now }: SoakFixture): Promise<boolean> => {
  const deadline = Date.now() + finishTimeoutMs;
  while (Date.now() < deadline) {
    const job = await db
      .read('jobs')
      .whereNotNull('lease_token')
      .orWhere('due_at', '<=', now().toISOString())
      .first('connection_id');
    if (!job) return true;
    await sleep(500);
  }
  return false;
};

type SoakOptions = { minutes: number; seed: number };

const soak = async (
  fixture: SoakFixture,
  directory: string,
  { minutes, seed }: SoakOptions,
): Promise<SoakResult> => {
  const random = makeSeededRandom(seed);
  const login = makeScriptedLogin(random, join(directory, 'scripted.csv'));
  await login.change(toIsoDate(fixture.now()));
  await fixture.load(login.file);
  const run = await startProcesses(fixture, random);
  try {
    for (const user of initialUsers) await addUser(run, user);
    const deadline = Date.now() + minutes * 60_000;
    await Promise.all([
      killProcesses(run, deadline),
      advanceClock(run, deadline),
      changeScriptedLogin(run, login, deadline),
      linkMoreUsers(run, deadline),
      reportProgress(run, deadline),
    ]);
    console.error('No more kills. Waiting for the last refreshes.');
    return await collectResult(run, await finishRefreshes(run));
  } finally {
    for (const { consumer } of run.consumers) await consumer.stop();
    await Promise.all(processesOf(run).map((one) => one.stop()));
  }
};

const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    seed: { type: 'string' },
    distributed: { type: 'boolean', default: false },
  },
});
const options: SoakOptions = {
  minutes: Number(values.minutes ?? 3),
  seed: Number(values.seed ?? Math.floor(Math.random() * 1_000_000)),
};
console.error(`Soak of ${options.minutes} minutes, seed ${options.seed}.`);
const directory = await mkdtemp(join(tmpdir(), 'bank-connection-soak-'));
const fixture = await startSoakFixture(directory, { distributed: values.distributed });
try {
  const result = await soak(fixture, directory, options);
  printResult(result, options);
  if (hasErrors(result)) process.exitCode = 1;
} finally {
  await fixture.close();
  await rm(directory, { recursive: true, force: true });
}
