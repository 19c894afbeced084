// npm run soak [-- --minutes 3 --seed 1]: three workers and two API processes on PostgreSQL are killed at random while
// users link, banks change and readers read. In the end every reader must hold what its bank shows, no lease may be
// stuck and no entry double. Everything is on loopback; the same seed makes the same choices.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createClient } from '../../client/index.ts';
import { toIsoDate, days, seconds } from '../../src/clock.ts';
import { freePort } from '../../test/freePort.ts';
import { type Dice, makeDice } from './dice.ts';
import { type KeptProcess, keepProcess } from './keptProcess.ts';
import { type Linked, linkPerson, type Person } from './link.ts';
import { type Reader, startReader } from './reader.ts';
import { makeScript, scriptedLogin } from './script.ts';
import { type Stage, setStage } from './stage.ts';
import { printTable, type Result } from './table.ts';
import { askBank, difference } from './truth.ts';

const { values } = parseArgs({ options: { minutes: { type: 'string' }, seed: { type: 'string' } } });
const minutes = Number(values.minutes ?? 3);
const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000));

/** Linked before anybody is killed. One connection for each user that moves: a second would move it on, too. */
const people: Person[] = [
  ...['sandbox-bank', 'sandbox-credit-union', 'sandbox-savings'].map((institutionId) => {
    return { institutionId, username: 'moves' };
  }),
  { institutionId: 'sandbox-bank', username: 'rotates' },
  { institutionId: 'sandbox-savings', username: 'rotates' },
  { institutionId: 'sandbox-bank', username: scriptedLogin },
];
/** Linked while others are killed; nothing of theirs is moved by being asked. */
const latecomers = ['good', 'twins', 'usd', 'jpy', 'rotates'];

type Soak = {
  stage: Stage;
  dice: Dice;
  apis: { url: string; process: KeptProcess }[];
  workers: KeptProcess[];
  linked: Linked[];
  readers: { reader: Reader; person: Linked; account: Linked['accounts'][number] }[];
  linkingsLost: number;
};

const say = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

const start = async (stage: Stage, dice: Dice): Promise<Soak> => {
  const ports = [await freePort(), await freePort()];
  const apis = ports.map((port, at) => ({
    url: `http://127.0.0.1:${port}`,
    process: keepProcess(`api ${at + 1}`, ['serve', '--no-worker'], {
      ...stage.env,
      PORT: String(port),
      BASE_URL: `http://127.0.0.1:${port}`,
    }),
  }));
  const workers = [1, 2, 3].map((at) => keepProcess(`worker ${at}`, ['work'], stage.env));
  const soak: Soak = { stage, dice, apis, workers, linked: [], readers: [], linkingsLost: 0 };
  for (const { url } of apis) await untilUp(url);
  return soak;
};

const untilUp = async (url: string): Promise<void> => {
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
const meet = async (soak: Soak, person: Person): Promise<void> => {
  const { stage, dice, apis } = soak;
  const { id, apiKey } = stage.application;
  const linked = await linkPerson(dice.pick(apis).url, id, person);
  soak.linked.push(linked);
  for (const account of linked.accounts) {
    for (const { url } of apis) {
      const client = createClient({ baseUrl: url, apiKey, scopedToken: linked.scopedToken });
      const reader = startReader(client, account.id, dice.pick([7, 50, 333, 1000]));
      soak.readers.push({ reader, person: linked, account });
    }
  }
};

// --- what goes on beside each other until the time is over

const killNowAndThen = async ({ dice, apis, workers }: Soak, until: number): Promise<void> => {
  const all = [...apis.map(({ process }) => process), ...workers];
  while (Date.now() < until) {
    await sleep(dice.between(1500, 5000));
    await dice.pick(all).kill(dice.between(0, 1500));
  }
};

/** A quarter of a day and a bit more, so that everything comes due again and again. */
const moveTime = async ({ stage, dice }: Soak, until: number): Promise<void> => {
  while (Date.now() < until) {
    await stage.advance(seconds(dice.between(7, 12) * 3600));
    await sleep(dice.between(2000, 5000));
  }
};

const changeScript = async ({ stage, dice }: Soak, script: Script, until: number): Promise<void> => {
  while (Date.now() < until) {
    await sleep(dice.between(4000, 9000));
    await script.next(toIsoDate(stage.now()));
  }
};

const linkMore = async (soak: Soak, until: number): Promise<void> => {
  while (Date.now() < until - 30_000) {
    await sleep(soak.dice.between(8000, 16_000));
    const person = { institutionId: 'sandbox-bank', username: soak.dice.pick(latecomers) };
    await meet(soak, person).catch(() => {
      soak.linkingsLost += 1;
    });
  }
};

const report = async ({ apis, workers, linked }: Soak, until: number): Promise<void> => {
  while (Date.now() < until) {
    const kills = [...apis.map(({ process }) => process), ...workers].map(
      ({ name, kills }) => `${name} ${kills}`,
    );
    const left = Math.ceil((until - Date.now()) / 1000);
    say(`${left} s left, ${linked.length} connections, killed: ${kills.join(', ')}`);
    await sleep(Math.min(15_000, Math.max(100, until - Date.now())));
  }
};

// --- the end

/** Lets everything be refreshed once more, in full, with nobody killed; false where that never comes to an end. */
const settle = async ({ stage, apis }: Soak): Promise<boolean> => {
  for (const { url } of apis) await untilUp(url);
  await drained(stage);
  // At noon: no date changes between the last refresh and our own look at the bank.
  const noon = Math.ceil((stage.now().getTime() + days(8)) / days(1)) * days(1) + days(1) / 2;
  await stage.advance(noon - stage.now().getTime());
  await sleep(2000);
  return drained(stage);
};

const settleMs = 180_000;

const drained = async ({ db, now }: Stage): Promise<boolean> => {
  const giveUp = Date.now() + settleMs;
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

const compare = async (soak: Soak): Promise<{ extra: number; missing: number; unlike: number }> => {
  const sum = { extra: 0, missing: 0, unlike: 0 };
  const truths = new Map<string, Awaited<ReturnType<typeof askBank>>>();
  for (const { reader, person, account } of soak.readers) {
    await reader.stop();
    await reader.catchUp();
    const key = `${person.institutionId} ${person.username}`;
    if (!truths.has(key)) truths.set(key, await askBank(soak.stage.bank, person, soak.stage.now()));
    const truth = truths.get(key)!.find(({ name }) => name === account.name)!;
    const { extra, missing } = difference(truth, reader.held.values());
    if (extra + missing > 0) say(`${key}, ${account.name}: ${extra} too many, ${missing} missing`);
    sum.extra += extra;
    sum.missing += missing;
    sum.unlike += extra + missing > 0 ? 1 : 0;
  }
  return sum;
};

const resultOf = async (soak: Soak, drainedInTime: boolean): Promise<Result> => {
  const { stage, readers, linked } = soak;
  const differences = await compare(soak);
  const { read } = stage.db;
  const count = async (query: PromiseLike<unknown>): Promise<number> =>
    Number((((await query) as { count: number }[])[0] ?? { count: 0 }).count);
  const leases = await count(read('jobs').whereNotNull('lease_token').count({ count: '*' }));
  const connections = await count(read('connections').whereNull('delivery_expires_at').count({ count: '*' }));
  const refreshes = await count(read('transactions').countDistinct({ count: 'refresh_cursor' }));
  const sum = (name: 'walks' | 'broken' | 'shownTwice'): number =>
    readers.reduce((total, { reader }) => total + reader[name], 0);
  return {
    processes: [...soak.apis.map(({ process }) => process), ...soak.workers],
    facts: {
      ...{ connections, refreshes, 'linkings lost to a kill': soak.linkingsLost },
      ...{ readers: readers.length, 'completed walks': sum('walks'), 'broken walks': sum('broken') },
      'entries held': readers.reduce((total, { reader }) => total + reader.held.size, 0),
    },
    findings: {
      'readers unlike their bank': differences.unlike,
      'entries too many': differences.extra,
      'entries missing': differences.missing,
      'entries shown twice in a walk': sum('shownTwice'),
      'leases stuck': leases + (drainedInTime ? 0 : 1),
      'connections lost or double': Math.abs(connections - linked.length),
      'processes that ended by themselves': [...soak.apis.map((api) => api.process), ...soak.workers].reduce(
        (total, { faults }) => total + faults,
        0,
      ),
    },
  };
};

type Script = { next(date: string): Promise<void> };

const soakFor = async (stage: Stage, directory: string): Promise<Result> => {
  const dice = makeDice(seed);
  const file = join(directory, 'scripted.csv');
  const lines = makeScript(dice, file);
  const script: Script = {
    next: async (date) => {
      await lines.write(date);
      await stage.load(file);
    },
  };
  await script.next(toIsoDate(stage.now()));
  const soak = await start(stage, dice);
  try {
    for (const person of people) await meet(soak, person);
    const until = Date.now() + minutes * 60_000;
    await Promise.all([
      killNowAndThen(soak, until),
      moveTime(soak, until),
      changeScript(soak, script, until),
      linkMore(soak, until),
      report(soak, until),
    ]);
    say('Nobody is killed any more; the last refreshes.');
    return await resultOf(soak, await settle(soak));
  } finally {
    for (const { reader } of soak.readers) await reader.stop();
    await Promise.all([...soak.apis.map(({ process }) => process), ...soak.workers].map((one) => one.stop()));
  }
};

say(`Soak of ${minutes} minutes, seed ${seed}.`);
const directory = await mkdtemp(join(tmpdir(), 'bank-connection-soak-'));
const stage = await setStage(directory);
try {
  const result = await soakFor(stage, directory);
  printTable({ seed, minutes, ...result });
  if (Object.values(result.findings).some((found) => found > 0)) process.exitCode = 1;
} finally {
  await stage.close();
  await rm(directory, { recursive: true, force: true });
}
