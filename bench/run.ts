// npm run bench [-- NAME ...] [--postgres] [--quick] [--profile DIRECTORY]: measures the rows that are named, or all
// of them, prints one table of ratios, and keeps that of a whole run in bench/results.md. --postgres measures the
// rows that need no SQLite on a PostgreSQL of its own, and keeps them in bench/resultsPostgres.md. --quick is a try
// of the bench itself; --profile leaves a CPU profile of each service that was measured.
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startPostgres } from '../test/support/postgres.ts';
import { makeBenchFixture, sqliteLocation } from './data/fixture.ts';
import { startTarget, stopAll } from './load/target.ts';
import { describeMachine } from './report/machine.ts';
import { makeProgress } from './report/progress.ts';
import { formatTable } from './report/table.ts';
import { rows } from './rows/all.ts';
import type { Bench, Finding, Row, Sizes } from './rows/row.ts';

const full: Sizes = {
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

const quick: Sizes = {
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
    postgres: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    profile: { type: 'string' },
  },
});

const selectRows = (): Row[] => {
  const possible = options.postgres ? rows.filter((row) => row.anyDatabase) : rows;
  const unknown = names.find((name) => !possible.some((row) => row.name === name));
  if (unknown)
    throw new Error(`No row is called ${unknown}; there are ${possible.map((row) => row.name).join(', ')}.`);
  return possible.filter((row) => names.length === 0 || names.includes(row.name));
};

const start: Bench['start'] = (program) => {
  if (!options.profile || program.name !== 'service') return startTarget(program);
  const nodeOptions = ['--cpu-prof', `--cpu-prof-dir=${resolve(options.profile)}`];
  return startTarget({ ...program, nodeOptions });
};

const measureRow = async (row: Row, bench: Omit<Bench, 'start'>): Promise<Finding[]> => {
  try {
    return await row.measure({ ...bench, start });
  } finally {
    await stopAll();
  }
};

const progress = makeProgress();
const selectedRows = selectRows();
const directory = await mkdtemp(join(tmpdir(), 'bank-connection-bench-'));
const server = options.postgres ? await startPostgres() : undefined;
const fixture = await makeBenchFixture(
  server ? { directory, databaseUrl: server.url } : sqliteLocation(directory),
);
const stop = async (): Promise<never> => {
  await stopAll();
  await fixture.close();
  await server?.stop();
  process.exit(1);
};
process.once('SIGINT', stop).once('SIGTERM', stop);

const sizes = options.quick ? quick : full;
const findings: Finding[] = [];
try {
  for (const [at, row] of selectedRows.entries()) {
    const reportProgress = (text: string) =>
      progress.show(`${at + 1}/${selectedRows.length} ${row.name}: ${text}`);
    reportProgress('preparing');
    // A row that fails must not cost the figures of the others.
    const found = await measureRow(row, { fixture, sizes, reportProgress }).catch((error: Error) => error);
    progress.clear();
    if (found instanceof Error) {
      process.exitCode = 1;
      console.error(`${row.name} failed: ${found.stack}`);
      continue;
    }
    findings.push(...found);
    console.log(formatTable(found));
  }
} finally {
  progress.clear();
  await fixture.close();
  await server?.stop();
}
const report = ['# Bench', describeMachine(server ? 'PostgreSQL' : 'SQLite'), formatTable(findings), ''].join(
  '\n\n',
);
if (!options.quick && names.length === 0 && !process.exitCode) {
  const file = server ? 'resultsPostgres.md' : 'results.md';
  await writeFile(fileURLToPath(new URL(file, import.meta.url)), report);
}
