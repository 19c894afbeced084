// npm run storage [-- SQLite | PostgreSQL]: the bytes on disk of a transaction, of the whole database and of its largest tables,
// after a first import and after two years of refreshes. bench/results/storage.md contains the results. The size of an empty
// database is subtracted. PostgreSQL is vacuumed periodically, as by autovacuum, and SQLite's log is written into the file.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sweep } from '../../src/operations/retention/sweep.ts';
import { addMilliseconds, type Clock, days } from '../../src/platform/values/clock.ts';
import type { Service } from '../../src/service.ts';
import { startPostgres } from '../../test/support/postgres.ts';
import {
  addApplication,
  type DatabaseLocation,
  type Importer,
  sqliteLocation,
  startImporter,
} from '../data/fixture.ts';
import type { Login } from '../data/generatedConnector.ts';
import { linkLogin } from '../data/linkLogin.ts';
import { makeProgress } from '../report/progress.ts';
import { alignTable } from '../report/table.ts';

type DatabaseName = 'SQLite' | 'PostgreSQL';
const progress = makeProgress();

const importedTransactions = 100_000;
const historyDays = 730;
const refreshesPerDay = 4;
/** About as often as PostgreSQL's autovacuum would vacuum a table with few rows in which each refresh replaces one. */
const refreshesPerVacuum = 50;

/** The changes of each refresh in two years. */
type Growth = { name: string; newTransactions: number; firstPending: boolean };

const growths: Growth[] = [
  { name: 'each brings 3 posted', newTransactions: 3, firstPending: false },
  { name: 'each brings 1 posted', newTransactions: 1, firstPending: false },
  { name: 'each brings 3 pending, posts 3', newTransactions: 3, firstPending: true },
  { name: 'each brings 1 pending, posts 1', newTransactions: 1, firstPending: true },
];

const goals: Record<DatabaseName, number> = { SQLite: 450, PostgreSQL: 550 };
const shownTables = ['transactions', 'transaction_blocks', 'data_keys'];

type TableBytes = Map<string, number>;
type Line = { name: string; transactions: number; bytes: number; tables: TableBytes; goal?: number };

// --- the sizes

const bytesOf = async ({ db }: Service): Promise<{ bytes: number; tables: TableBytes }> => {
  if (db.dialect === 'postgres') {
    await db.write.raw('vacuum');
    const rows = await db.read.raw(
      `select relname as name, pg_total_relation_size(relid)::integer as bytes from pg_stat_user_tables`,
    );
    const tables: TableBytes = new Map(rows.map((row: NamedBytes) => [row.name, row.bytes]));
    return { bytes: [...tables.values()].reduce((sum, one) => sum + one, 0), tables };
  }
  await db.write.raw('pragma wal_checkpoint(truncate)');
  const [{ bytes }] = await db.read.raw(
    'select page_count * page_size as bytes from pragma_page_count, pragma_page_size',
  );
  const rows: NamedBytes[] = await db.read.raw(
    `select tbl_name as name, sum(pgsize) as bytes from dbstat join sqlite_master using (name) group by tbl_name`,
  );
  return { bytes, tables: new Map(rows.map((row) => [row.name, row.bytes])) };
};
type NamedBytes = { name: string; bytes: number };

const measure = async (
  importer: Importer,
  name: string,
  fill: (applicationId: string) => Promise<void>,
): Promise<Line> => {
  const { service } = importer;
  const { applicationId } = await addApplication(service);
  const empty = await bytesOf(service);
  await fill(applicationId);
  const filled = await bytesOf(service);
  const tables = [...filled.tables].map(
    ([table, bytes]) => [table, bytes - (empty.tables.get(table) ?? 0)] as const,
  );
  const counted = await service.db.read('transactions').count({ count: '*' }).first();
  return {
    name,
    transactions: Number(counted?.count),
    bytes: filled.bytes - empty.bytes,
    tables: new Map(tables),
  };
};

// --- the measurements

const measureImport = async (location: DatabaseLocation): Promise<Line> => {
  const importer = await startImporter(location);
  try {
    return await measure(importer, 'first import', async (applicationId) => {
      const transactions = importedTransactions;
      importer.generated.setLogin('login', {
        transactions,
        span: transactions,
        days: historyDays,
        longTexts: true,
      });
      await linkLogin(importer.url, { applicationId, username: 'login' });
    });
  } finally {
    await importer.close();
  }
};

/** An account that starts with the transactions of one refresh, and is then refreshed for two years. */
const measureGrowth = async (location: DatabaseLocation, growth: Growth): Promise<Line> => {
  const { name, newTransactions, firstPending } = growth;
  const refreshes = historyDays * refreshesPerDay;
  let now = addMilliseconds(new Date(), -days(historyDays - 1));
  const clock: Clock = { real: () => now, now: () => now, organizationsAhead: () => [] };
  const importer = await startImporter(location, { clock, limits: { workerPollMs: 2 } });
  const { service, generated } = importer;
  const loginAt = (refresh: number): Login => ({
    transactions: (refresh + 1) * newTransactions,
    span: refreshes * newTransactions,
    days: historyDays,
    pending: firstPending && refresh < refreshes - 1 ? newTransactions : 0,
    longTexts: true,
  });
  const sweepNow = () =>
    sweep(
      { db: service.db, clock, limits: service.config.limits },
      { signal: AbortSignal.timeout(60_000), rewriteBytesMax: 0 },
    );
  try {
    return await measure(importer, `${refreshes.toLocaleString('en')} refreshes, ${name}`, async (id) => {
      generated.setLogin('login', loginAt(0));
      const { connectionId } = await linkLogin(importer.url, { applicationId: id, username: 'login' });
      for (let refresh = 1; refresh < refreshes; refresh++) {
        progress.show(`${name}: ${refresh} of ${refreshes}`);
        now = addMilliseconds(now, days(1 / refreshesPerDay));
        generated.setLogin('login', loginAt(refresh));
        const { failed } = await importer.refresh(connectionId);
        if (failed.length > 0) throw new Error(`A refresh failed: ${failed[0]!.reason}.`);
        if (refresh % refreshesPerDay === 0) await sweepNow();
        if (refresh % refreshesPerVacuum === 0 && service.db.dialect === 'postgres')
          await service.db.write.raw('vacuum');
      }
      now = addMilliseconds(now, days(1));
      await sweepNow();
    });
  } finally {
    progress.clear();
    await importer.close();
  }
};

// --- both databases

const onNewDatabase = async (
  database: DatabaseName,
  use: (location: DatabaseLocation) => Promise<Line>,
): Promise<Line> => {
  const directory = await mkdtemp(join(tmpdir(), 'bank-connection-storage-'));
  const server = database === 'PostgreSQL' ? await startPostgres() : undefined;
  try {
    return await use(server ? { directory, databaseUrl: server.url } : sqliteLocation(directory));
  } finally {
    await server?.stop();
    await rm(directory, { recursive: true, force: true });
  }
};

const headings = ['bytes per transaction', 'transactions', 'whole database', 'goal', 'met'];

const formatLines = (lines: readonly Line[]): string =>
  alignTable([
    [...headings, ...shownTables],
    ...lines.map(({ name, transactions, bytes, tables, goal }) => {
      const perTransaction = (value: number): string => (value / transactions).toFixed(0);
      const met = goal === undefined ? '' : bytes / transactions <= goal ? 'yes' : 'no';
      return [
        ...[name, transactions.toLocaleString('en'), perTransaction(bytes)],
        ...[goal === undefined ? '' : `≤ ${goal}`, met],
        ...shownTables.map((table) => perTransaction(tables.get(table) ?? 0)),
      ];
    }),
  ]);

const measureAll = async (database: DatabaseName): Promise<void> => {
  const imported = await onNewDatabase(database, measureImport);
  const lines: Line[] = [{ ...imported, goal: goals[database] }];
  for (const growth of growths)
    lines.push(await onNewDatabase(database, (location) => measureGrowth(location, growth)));
  console.log(`\n${database}\n\n${formatLines(lines)}`);
};

const names = process.argv.slice(2);
for (const database of ['SQLite', 'PostgreSQL'] as const) {
  if (names.length === 0 || names.includes(database)) await measureAll(database);
}
