// The first import and a refresh, entries per second, against inserting the same sealed bytes with one prepared
// statement into the same tables. Ours includes the bank's answer, sealing, fingerprints, staging and publishing.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { linkLogin } from '../data/linkLogin.ts';
import {
  addApplication,
  type Importer,
  type DatabaseLocation,
  sqliteLocation,
  startImporter,
} from '../data/fixture.ts';
import { ratioOf, statsOf } from '../load/stats.ts';
import type { Bench, Finding, Row } from './row.ts';

const rounds = 5;

type Rates = { ours: number[]; theirs: number[] };

export const importing: Row = {
  name: 'import',
  measure: async (bench) => {
    const imports: Rates = { ours: [], theirs: [] };
    const refreshes: Rates = { ours: [], theirs: [] };
    for (let round = 0; round <= rounds; round++) {
      bench.reportProgress(`round ${round} of ${rounds}`);
      await measureRound(bench, round === 0 ? undefined : { imports, refreshes });
    }
    const { importTransactions } = bench.sizes;
    const finding = (row: string, { ours, theirs }: Rates): Finding => ({
      row,
      against: 'one prepared statement',
      metric: 'entries per CPU second',
      ours: statsOf(ours),
      theirs: statsOf(theirs),
      ratio: ratioOf(ours, theirs),
      goal: { atLeast: 0.5 },
    });
    return [
      finding(`first import of ${importTransactions.toLocaleString('en')}`, imports),
      finding(
        `refresh with ${newTransactionCount(importTransactions).toLocaleString('en')} new entries`,
        refreshes,
      ),
    ];
  },
};

// As many as one answer of a bank brings at most between two refreshes of a busy account.
const newTransactionCount = (importEntries: number): number => importEntries / 50;

type Round = { imports: Rates; refreshes: Rates };

const measureRound = async (bench: Bench, round: Round | undefined): Promise<void> => {
  const { importTransactions } = bench.sizes;
  const added = newTransactionCount(importTransactions);
  const directory = await mkdtemp(join(tmpdir(), 'bank-connection-bench-import-'));
  const place = sqliteLocation(directory);
  const importer = await startImporter(place);
  try {
    const { applicationId } = await addApplication(importer.service);
    // The first of them lie before what a refresh asks for again, so that it brings new entries and few others.
    const login = { span: importTransactions + added, days: 3650 };
    importer.connector.setLogin('login', { ...login, transactions: importTransactions });
    const imported = await cpuOf(() => linkLogin(importer.url, { applicationId, username: 'login' }));
    importer.connector.setLogin('login', { ...login, transactions: importTransactions + added });
    const refreshed = await cpuOf(() => importer.refresh(imported.result.connectionId));
    const { import: first, refresh: second } = await insertPlainly(importer, place, added);
    round?.imports.ours.push(importTransactions / imported.seconds);
    round?.imports.theirs.push(importTransactions / first);
    round?.refreshes.ours.push(added / refreshed.seconds);
    round?.refreshes.theirs.push(added / second);
  } finally {
    await importer.close();
    await rm(directory, { recursive: true, force: true });
  }
};

const cpuOf = async <Result>(work: () => Promise<Result>): Promise<{ result: Result; seconds: number }> => {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return { result, seconds: (user + system) / 1e6 };
};

/** CPU seconds for the same rows, in the order of their import, in transactions of 5,000. */
const insertPlainly = async (
  { service }: Importer,
  place: DatabaseLocation,
  added: number,
): Promise<{ import: number; refresh: number }> => {
  const rows: Record<string, unknown>[] = await service.db
    .read('transactions')
    .orderBy([{ column: 'refresh_cursor' }, { column: 'seq' }]);
  const db = new BetterSqlite3(join(place.directory, 'plain.db'));
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = NORMAL');
  const schema = await service.db.read('sqlite_master').where({ tbl_name: 'transactions' }).select('sql');
  for (const { sql } of schema) if (sql) db.exec(sql);
  const columns = Object.keys(rows[0]!);
  const insert = db.prepare(
    `insert into transactions (${columns}) values (${columns.map((column) => `@${column}`)})`,
  );
  const insertAll = db.transaction((part: Record<string, unknown>[]) => {
    for (const row of part) insert.run(row);
  });
  const inParts = async (from: number, to: number): Promise<number> => {
    const { seconds } = await cpuOf(async () => {
      for (let at = from; at < to; at += 5000) insertAll(rows.slice(at, Math.min(at + 5000, to)));
    });
    return seconds;
  };
  const figures = {
    import: await inParts(0, rows.length - added),
    refresh: await inParts(rows.length - added, rows.length),
  };
  db.close();
  return figures;
};
