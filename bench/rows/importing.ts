// The first import and a refresh, in transactions per second, compared with inserting the same sealed rows into the same
// table by one prepared statement. The service's figure includes the connector, sealing, fingerprints, staging and
// publishing.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import {
  addApplication,
  type DatabaseLocation,
  type Importer,
  sqliteLocation,
  startImporter,
} from '../data/fixture.ts';
import { linkLogin } from '../data/linkLogin.ts';
import { ratioOf, statsOf } from '../load/stats.ts';
import type { Bench, Measurement, Row } from './row.ts';

const rounds = 5;
const insertsPerTransaction = 5000;

type Rates = { service: number[]; plain: number[] };
type Round = { imports: Rates; refreshes: Rates };

export const importing: Row = {
  name: 'import',
  measure: async (bench) => {
    const imports: Rates = { service: [], plain: [] };
    const refreshes: Rates = { service: [], plain: [] };
    for (let round = 0; round <= rounds; round++) {
      bench.reportProgress(`round ${round} of ${rounds}`);
      await measureRound(bench, round === 0 ? undefined : { imports, refreshes });
    }
    const { importTransactions } = bench.sizes;
    const added = newTransactionCount(importTransactions);
    const measurement = (row: string, { service, plain }: Rates): Measurement => ({
      row,
      comparedWith: 'one prepared statement',
      metric: 'transactions per CPU second',
      service: statsOf(service),
      other: statsOf(plain),
      ratio: ratioOf(service, plain),
      goal: { atLeast: 0.5 },
    });
    return [
      measurement(`first import of ${importTransactions.toLocaleString('en')}`, imports),
      measurement(`refresh with ${added.toLocaleString('en')} new transactions`, refreshes),
    ];
  },
};

// The most that a bank returns between two refreshes of a busy account.
const newTransactionCount = (importTransactions: number): number => importTransactions / 50;

const measureRound = async (bench: Bench, round: Round | undefined): Promise<void> => {
  const { importTransactions } = bench.sizes;
  const added = newTransactionCount(importTransactions);
  const directory = await mkdtemp(join(tmpdir(), 'bank-connection-bench-import-'));
  const location = sqliteLocation(directory);
  const importer = await startImporter(location);
  try {
    const { applicationId } = await addApplication(importer.service);
    // Most of the history is older than the refresh's overlap, so that the refresh reads new transactions and few others.
    const login = { span: importTransactions + added, days: 3650 };
    importer.generated.setLogin('login', { ...login, transactions: importTransactions });
    const imported = await cpuOf(() => linkLogin(importer.url, { applicationId, username: 'login' }));
    importer.generated.setLogin('login', { ...login, transactions: importTransactions + added });
    const refreshed = await cpuOf(() => importer.refresh(imported.result.connectionId));
    const inserted = await insertPlainly(importer, location, added);
    round?.imports.service.push(importTransactions / imported.seconds);
    round?.imports.plain.push(importTransactions / inserted.importSeconds);
    round?.refreshes.service.push(added / refreshed.seconds);
    round?.refreshes.plain.push(added / inserted.refreshSeconds);
  } finally {
    await importer.close();
    await rm(directory, { recursive: true, force: true });
  }
};

const cpuOf = async <Result>(
  run: () => Promise<Result> | Result,
): Promise<{ result: Result; seconds: number }> => {
  const before = process.cpuUsage();
  const result = await run();
  const { user, system } = process.cpuUsage(before);
  return { result, seconds: (user + system) / 1e6 };
};

/** CPU seconds to insert the same rows in the order of their import. */
const insertPlainly = async (
  { service }: Importer,
  location: DatabaseLocation,
  added: number,
): Promise<{ importSeconds: number; refreshSeconds: number }> => {
  const rows: Record<string, unknown>[] = await service.db
    .read('transactions')
    .orderBy([{ column: 'refresh_cursor' }, { column: 'seq' }]);
  const db = new BetterSqlite3(join(location.directory, 'plain.db'));
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = NORMAL');
  const schema = await service.db.read('sqlite_master').where({ tbl_name: 'transactions' }).select('sql');
  for (const { sql } of schema) if (sql) db.exec(sql);
  const columns = Object.keys(rows[0]!);
  const insert = db.prepare(
    `insert into transactions (${columns}) values (${columns.map((column) => `@${column}`)})`,
  );
  const insertAll = db.transaction((chunk: Record<string, unknown>[]) => {
    for (const row of chunk) insert.run(row);
  });
  const insertRows = async (from: number, to: number): Promise<number> => {
    const { seconds } = await cpuOf(() => {
      for (let start = from; start < to; start += insertsPerTransaction)
        insertAll(rows.slice(start, Math.min(start + insertsPerTransaction, to)));
    });
    return seconds;
  };
  const imported = rows.length - added;
  const importSeconds = await insertRows(0, imported);
  const refreshSeconds = await insertRows(imported, rows.length);
  db.close();
  return { importSeconds, refreshSeconds };
};
