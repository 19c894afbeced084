// Compares this checkout with another commit: measures the short rows, interleaved, each commit with its own code on its
// own database. Prints the ratio of this checkout to the commit, below 1 if this checkout is faster, with its 95%
// confidence interval.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { interleave, type Samples, type TargetRequest } from '../load/interleave.ts';
import { confidenceInterval, median, type RatioInterval } from '../load/stats.ts';
import { type Program, startTarget, stopAll } from '../load/target.ts';
import type { Progress } from '../report/progress.ts';
import { alignTable, formatNumber } from '../report/table.ts';
import { getJson } from '../rows/row.ts';
import { type Checkout, checkOut, thisCheckout } from './checkout.ts';
import { serviceFile } from './checkoutModules.ts';
import type { DataCommand, Prepared } from './dataProcess.ts';

export type CompareOptions = { rounds: number; roundMs: number; warmUpMs: number };

type Side = { checkout: string; directory: string; prepared: Prepared };
type Line = { row: string; metric: string; current: number; other: number; ratio: RatioInterval };

/** No interval may lie wholly above this ratio. */
const ratioMax = 1.03;
/** A process keeps the code that was compiled for its first requests, so the rounds use several processes. */
const roundsPerProcess = 6;
const connections = 16;
const refreshes = 101;
const login = { count: 1000, days: 365 };
const logins = { 'nothing new': login, 'nothing new, 5 pending': { ...login, pending: 5 } };

/** Prints the table. Returns the rows whose interval lies wholly above 1.03. */
export const compareCommits = async (
  commit: string,
  options: CompareOptions,
  progress: Progress,
): Promise<string[]> => {
  const other = checkOut(commit);
  const interrupt = () => process.exit(1);
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  const directory = await mkdtemp(join(tmpdir(), 'bank-connection-against-'));
  try {
    const lines = await measureRows(other, directory, options, progress);
    progress.clear();
    console.log(
      `This checkout compared with ${other.commit}, ${options.rounds} rounds:\n\n${formatLines(lines)}`,
    );
    return lines.filter(({ ratio }) => ratio.low > ratioMax).map(({ row, metric }) => `${row}, ${metric}`);
  } finally {
    progress.clear();
    await stopAll();
    other.remove();
    await rm(directory, { recursive: true, force: true });
  }
};

const measureRows = async (
  other: Checkout,
  directory: string,
  options: CompareOptions,
  progress: Progress,
): Promise<Line[]> => {
  const sides: Side[] = [];
  for (const checkout of [thisCheckout, other.path]) {
    progress.show(`preparing the data of ${checkout === thisCheckout ? 'this checkout' : other.commit}`);
    const ofSide = await mkdtemp(join(directory, 'side-'));
    const command: DataCommand = { command: 'prepare', login, refreshes };
    const prepared = await withDataProcess(checkout, ofSide, (run) => run<Prepared>(command));
    sides.push({ checkout, directory: ofSide, prepared });
  }
  const reads = await measureReads(sides, options, progress);
  const starts = await measureStarts(sides, options, progress);
  const writes = await measureWrites(sides, options, progress);
  return [...reads, ...starts, ...writes];
};

// --- requests to the API

/** The paths of the rows, and the token for each. */
const requestsOf = ({ prepared }: Side, transactionId: string): Record<string, [string, string]> => {
  const { account, refreshedAccount } = prepared;
  const token = account.scopedToken;
  const list = `/accounts/${account.accountId}/transactions`;
  const smallestRefreshCursor = `txr_${'0'.repeat(26)}`;
  return {
    'page of 100': [`${list}?limit=100`, token],
    'page of 100 by refreshedSince': [`${list}?limit=100&refreshedSince=${smallestRefreshCursor}`, token],
    'page of 100 by date[gte]': [`${list}?limit=100&date[gte]=2000-01-01`, token],
    'page of 100 from 100 refreshes': [
      `/accounts/${refreshedAccount.accountId}/transactions?limit=100`,
      refreshedAccount.scopedToken,
    ],
    'all 1,000 transactions': [`${list}?limit=1000`, token],
    'one transaction': [`${list}/${transactionId}`, token],
    'one account': [`/accounts/${account.accountId}`, token],
    'accounts of a connection': [`/connections/${account.connectionId}/accounts`, token],
    'one connection': [`/connections/${account.connectionId}`, token],
    'list of connections': ['/connections', token],
  };
};

const programOf = ({ checkout, directory }: Side): Program => ({
  name: 'service',
  checkout,
  file: serviceFile(checkout),
  env: serviceEnv(directory),
  readyPath: '/health',
});

const serviceEnv = (directory: string): Record<string, string> => ({
  DATA_DIR: directory,
  DATABASE_URL: `sqlite:${join(directory, 'service.db')}`,
});

const startSide = async (side: Side): Promise<Map<string, TargetRequest>> => {
  const target = await startTarget(programOf(side));
  const { apiKey, account } = side.prepared;
  const headersOf = (scopedToken: string) => ({
    Authorization: `Bearer ${apiKey}`,
    'X-Scoped-Token': scopedToken,
  });
  const newest = await getJson<{ transactions: { id: string }[] }>({
    target,
    path: `/accounts/${account.accountId}/transactions?limit=1`,
    headers: headersOf(account.scopedToken),
  });
  const requests = Object.entries(requestsOf(side, newest.transactions[0]!.id));
  return new Map(requests.map(([row, [path, token]]) => [row, { target, path, headers: headersOf(token) }]));
};

const measureReads = async (
  sides: Side[],
  { rounds, roundMs, warmUpMs }: CompareOptions,
  progress: Progress,
): Promise<Line[]> => {
  const samples = new Map<string, [Samples, Samples]>();
  for (let round = 0; round < rounds; round += roundsPerProcess) {
    const [current, other] = [await startSide(sides[0]!), await startSide(sides[1]!)];
    for (const [row, request] of current) {
      progress.show(`${row}: rounds from ${round + 1} of ${rounds}`);
      const found = await interleave([request, other.get(row)!], {
        rounds: Math.min(roundsPerProcess, rounds - round),
        warmUpMs,
        load: { connections, milliseconds: roundMs },
      });
      const all = samples.get(row);
      samples.set(
        row,
        all ? [concatenate(all[0], found[0]!), concatenate(all[1], found[1]!)] : [found[0]!, found[1]!],
      );
    }
    await stopAll();
  }
  return [...samples].flatMap(([row, [current, other]]) => [
    lineOf(row, 'CPU µs per request', current.cpuMicros, other.cpuMicros),
    lineOf(row, 'ms per request', current.requestsPerSecond.map(toMs), other.requestsPerSecond.map(toMs)),
  ]);
};

const concatenate = (left: Samples, right: Samples): Samples => ({
  requestsPerSecond: [...left.requestsPerSecond, ...right.requestsPerSecond],
  cpuMicros: [...left.cpuMicros, ...right.cpuMicros],
  medianMs: [...left.medianMs, ...right.medianMs],
});

const toMs = (requestsPerSecond: number): number => 1000 / requestsPerSecond;

// --- starting

const measureStarts = async (
  sides: Side[],
  { rounds }: CompareOptions,
  progress: Progress,
): Promise<Line[]> => {
  const ms: [number[], number[]] = [[], []];
  const mebibytes: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    progress.show(`start: round ${round + 1} of ${rounds}`);
    for (const index of alternate(round)) {
      const { checkout, directory } = sides[index]!;
      const program: Program = {
        ...{ name: 'service', checkout, file: 'src/main.ts', args: () => ['serve'] },
        ...{ env: serviceEnv(directory), readyPath: '/health' },
      };
      const target = await startTarget(program);
      ms[index].push(target.startupMs);
      mebibytes[index].push((await target.usage()).residentBytes / 2 ** 20);
      await target.stop();
    }
  }
  return [
    lineOf('start to first response', 'ms', ...ms),
    lineOf('resident memory after the start', 'MiB', ...mebibytes),
  ];
};

// --- importing and refreshing

const measureWrites = async (
  sides: Side[],
  { rounds }: CompareOptions,
  progress: Progress,
): Promise<Line[]> => {
  const imports: [number[], number[]] = [[], []];
  const refreshed = new Map(
    Object.keys(logins).map((name): [string, [number[], number[]]] => [name, [[], []]]),
  );
  const [current, other] = sides.map(({ checkout, directory }) => startDataProcess(checkout, directory));
  const processes = [current!, other!] as const;
  try {
    for (let round = -1; round < rounds; round++) {
      progress.show(`import and refresh: round ${round + 1} of ${rounds}`);
      for (const index of alternate(round + 1)) {
        for (const [name, ofBank] of Object.entries(logins)) {
          const imported = await processes[index].run<number>({ command: 'import', login: ofBank });
          const unchanged = await processes[index].run<number>({ command: 'refresh' });
          // The first round warms up.
          if (round < 0) continue;
          if (ofBank === login) imports[index].push(imported);
          refreshed.get(name)![index].push(unchanged);
        }
      }
    }
  } finally {
    await Promise.all(processes.map((one) => one.stop()));
  }
  return [
    lineOf('import of 1,000 transactions', 'CPU µs', ...imports),
    ...[...refreshed].map(([name, samples]) => lineOf(`refresh with ${name}`, 'CPU µs', ...samples)),
  ];
};

const alternate = (round: number): readonly (0 | 1)[] => (round % 2 === 0 ? [0, 1] : [1, 0]);

// --- the processes that create the data

type DataProcess = { run<Reply>(command: DataCommand): Promise<Reply>; stop(): Promise<void> };

const dataProgram = fileURLToPath(new URL('dataProcess.ts', import.meta.url));

const startDataProcess = (checkout: string, directory: string): DataProcess => {
  const child: ChildProcess = fork(dataProgram, {
    cwd: checkout,
    env: { PATH: process.env.PATH, NODE_ENV: 'production', CHECKOUT: checkout, DIRECTORY: directory },
  });
  const exited = once(child, 'exit');
  return {
    run: async <Reply>(command: DataCommand) => {
      child.send(command);
      const failed = exited.then(([code]) => {
        throw new Error(`The data process of ${checkout} ended with ${code}.`);
      });
      const [reply] = (await Promise.race([once(child, 'message'), failed])) as [Reply];
      return reply;
    },
    stop: async () => {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
};

const withDataProcess = async <Reply>(
  checkout: string,
  directory: string,
  use: (run: DataProcess['run']) => Promise<Reply>,
): Promise<Reply> => {
  const data = startDataProcess(checkout, directory);
  try {
    return await use(data.run);
  } finally {
    await data.stop();
  }
};

// --- the table

const lineOf = (row: string, metric: string, current: number[], other: number[]): Line => ({
  ...{ row, metric, current: median(current), other: median(other) },
  ratio: confidenceInterval(current.map((value, round) => value / other[round]!)),
});

const formatLines = (lines: readonly Line[]): string =>
  alignTable([
    ['row', 'metric', 'this checkout', 'commit', 'ratio', '95 % interval', ''],
    ...lines.map(({ row, metric, current, other, ratio: { mean, low, high } }) => [
      ...[row, metric, formatNumber(current), formatNumber(other), mean.toFixed(3)],
      ...[`${low.toFixed(3)}–${high.toFixed(3)}`, low > ratioMax ? `above ${ratioMax}` : ''],
    ]),
  ]);
