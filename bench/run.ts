// npm run bench [-- NAME ...] [--long] [--postgres] [--quick] [--profile DIRECTORY] [--against COMMIT [--rounds N]]:
// measures the named rows or all, and prints a table of ratios. --long adds the rows that take many minutes. The row
// `cluster` needs the Citus cluster of TEST_DISTRIBUTED_URL. A run of all rows is written to bench/results/sqlite.md.
// --postgres measures the rows that do not need SQLite and writes bench/results/postgres.md. --quick only tries out the
// benchmark itself. --profile writes a CPU profile of each measured service. --against compares this checkout with another
// commit.
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startPostgres } from '../test/support/postgres.ts';
import { compareCommits } from './against/compareCommits.ts';
import { makeBenchFixture, sqliteLocation } from './data/fixture.ts';
import { startTarget, stopAll } from './load/target.ts';
import { describeMachine } from './report/machine.ts';
import { makeProgress } from './report/progress.ts';
import { formatTable } from './report/table.ts';
import { rows } from './rows/all.ts';
import type { Bench, Measurement, Row, Sizes } from './rows/row.ts';

const fullSizes: Sizes = {
  rounds: 5,
  roundMs: 700,
  warmUpMs: 3000,
  connections: 16,
  accountSmall: 1000,
  accountMedium: 100_000,
  accountLarge: 1_000_000,
  importTransactions: 100_000,
  unchangedConnections: 10_000,
};

const quickSizes: Sizes = {
  rounds: 3,
  roundMs: 150,
  warmUpMs: 500,
  connections: 16,
  accountSmall: 1000,
  accountMedium: 5000,
  accountLarge: 20_000,
  importTransactions: 5000,
  unchangedConnections: 30,
};

const { values: options, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    long: { type: 'boolean', default: false },
    postgres: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    profile: { type: 'string' },
    against: { type: 'string' },
    rounds: { type: 'string' },
  },
});

const progress = makeProgress();

const selectRows = (): Row[] => {
  const possible = options.postgres ? rows.filter((row) => row.anyDatabase) : rows;
  const unknown = names.find((name) => !possible.some((row) => row.name === name));
  if (unknown)
    throw new Error(`No row is called ${unknown}. Rows: ${possible.map((row) => row.name).join(', ')}.`);
  if (names.length > 0) return possible.filter((row) => names.includes(row.name));
  const hasCluster = process.env.TEST_DISTRIBUTED_URL !== undefined;
  return possible.filter((row) => (options.long || !row.long) && (hasCluster || !row.cluster));
};

const start: Bench['start'] = (program) => {
  if (!options.profile || program.name !== 'service') return startTarget(program);
  const nodeOptions = ['--cpu-prof', `--cpu-prof-dir=${resolve(options.profile)}`];
  return startTarget({ ...program, nodeOptions });
};

const measureRow = async (row: Row, bench: Omit<Bench, 'start'>): Promise<Measurement[]> => {
  try {
    return await row.measure({ ...bench, start });
  } finally {
    await stopAll();
  }
};

/** Measures the rows one after another, prints each, and returns all. A row that fails does not stop the others. */
const measureRows = async (bench: Omit<Bench, 'start' | 'reportProgress'>): Promise<Measurement[]> => {
  const measurements: Measurement[] = [];
  const selected = selectRows();
  for (const [index, row] of selected.entries()) {
    const reportProgress = (text: string) =>
      progress.show(`${index + 1}/${selected.length} ${row.name}: ${text}`);
    reportProgress('preparing');
    try {
      const ofRow = await measureRow(row, { ...bench, reportProgress });
      progress.clear();
      measurements.push(...ofRow);
      console.log(formatTable(ofRow));
    } catch (error) {
      progress.clear();
      process.exitCode = 1;
      console.error(`${row.name} failed: ${(error as Error).stack}`);
    }
  }
  return measurements;
};

const writeReport = async (measurements: Measurement[], database: 'SQLite' | 'PostgreSQL'): Promise<void> => {
  const report = ['# Bench', describeMachine(database), formatTable(measurements), ''].join('\n\n');
  const file = database === 'SQLite' ? 'results/sqlite.md' : 'results/postgres.md';
  await writeFile(fileURLToPath(new URL(file, import.meta.url)), report);
};

const bench = async (): Promise<void> => {
  selectRows();
  const directory = await mkdtemp(join(tmpdir(), 'bank-connection-bench-'));
  const server = options.postgres ? await startPostgres() : undefined;
  const fixture = await makeBenchFixture(
    server ? { directory, databaseUrl: server.url } : sqliteLocation(directory),
  );
  const close = async (): Promise<void> => {
    await stopAll();
    await fixture.close();
    await server?.stop();
  };
  const interrupt = () => close().then(() => process.exit(1));
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  try {
    const measurements = await measureRows({ fixture, sizes: options.quick ? quickSizes : fullSizes });
    if (!options.quick && names.length === 0 && !process.exitCode)
      await writeReport(measurements, server ? 'PostgreSQL' : 'SQLite');
  } finally {
    await close();
  }
};

const compare = async (commit: string): Promise<void> => {
  const rounds = Number(options.rounds ?? (options.quick ? 3 : 30));
  const load = options.quick ? { roundMs: 100, warmUpMs: 300 } : { roundMs: 400, warmUpMs: 1000 };
  const slower = await compareCommits(commit, { rounds, ...load }, progress);
  console.log(
    slower.length === 0
      ? '\nNo interval lies wholly above 1.03.'
      : `\nWholly above 1.03: ${slower.join('; ')}.`,
  );
  if (slower.length > 0) process.exitCode = 1;
};

await (options.against === undefined ? bench() : compare(options.against));
