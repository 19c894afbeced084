// The first import and a refresh, in transactions per second, compared with inserting one sealed row for each transaction
// with one prepared statement (data/sealedRows.ts). The service's figure includes the connector, sealing, fingerprints,
// staging and publishing; the other figure includes only the insertion.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatRefreshCursor, makeId } from '../../src/platform/values/ids.ts';
import { makeDataKey } from '../../src/platform/vault/seal.ts';
import { addApplication, sqliteLocation, startImporter } from '../data/fixture.ts';
import { type Login, transactionAt } from '../data/generatedConnector.ts';
import { linkLogin } from '../data/linkLogin.ts';
import { createSealedRowsFile, makeSealedRow, type SealedRow } from '../data/sealedRows.ts';
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
    const measurement = (row: string, { service, plain }: Rates, goal: number): Measurement => ({
      row,
      comparedWith: 'sealed rows, one statement',
      metric: 'transactions per CPU second',
      service: statsOf(service),
      other: statsOf(plain),
      ratio: ratioOf(service, plain),
      goal: { atLeast: goal },
    });
    return [
      measurement(`first import of ${importTransactions.toLocaleString('en')}`, imports, 1),
      measurement(`refresh with ${added.toLocaleString('en')} new transactions`, refreshes, 0.5),
    ];
  },
};

// The maximum that a bank returns between two refreshes of a busy account.
const newTransactionCount = (importTransactions: number): number => importTransactions / 50;

const measureRound = async (bench: Bench, round: Round | undefined): Promise<void> => {
  const { importTransactions } = bench.sizes;
  const added = newTransactionCount(importTransactions);
  const directory = await mkdtemp(join(tmpdir(), 'bank-connection-bench-import-'));
  const importer = await startImporter(sqliteLocation(directory));
  try {
    const { applicationId } = await addApplication(importer.service);
    // Most of the history is older than the refresh's overlap, so that the refresh reads few transactions besides the new ones.
    const login = { transactions: importTransactions, span: importTransactions + added, days: 3650 };
    importer.generated.setLogin('login', login);
    const imported = await cpuOf(() => linkLogin(importer.url, { applicationId, username: 'login' }));
    importer.generated.setLogin('login', { ...login, transactions: importTransactions + added });
    const refreshed = await cpuOf(() => importer.refresh(imported.result.connectionId));
    const inserted = await insertPlainly(directory, login);
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

/** CPU seconds to insert rows of the same transactions by date, like the import. */
const insertPlainly = async (
  directory: string,
  login: Login,
): Promise<{ importSeconds: number; refreshSeconds: number }> => {
  const rows = makeRows(login);
  const file = createSealedRowsFile(join(directory, 'plain.db'));
  const insertRows = async (from: number, to: number): Promise<number> => {
    const { seconds } = await cpuOf(() => {
      for (let start = from; start < to; start += insertsPerTransaction)
        file.insert(rows.slice(start, Math.min(start + insertsPerTransaction, to)));
    });
    return seconds;
  };
  const importSeconds = await insertRows(0, login.transactions);
  const refreshSeconds = await insertRows(login.transactions, login.span);
  file.close();
  return { importSeconds, refreshSeconds };
};

const makeRows = (login: Login): SealedRow[] => {
  const accountId = makeId('acc');
  const endUserId = makeId('usr');
  const refreshAt = (time: number) => ({
    owner: { endUserId, dataKey: makeDataKey() },
    transactionRefresh: formatRefreshCursor(time),
  });
  const [imported, refreshed] = [refreshAt(Date.now()), refreshAt(Date.now() + 1)];
  return Array.from({ length: login.span }, (_, seq) => {
    const { owner, transactionRefresh } = seq < login.transactions ? imported : refreshed;
    const transaction = { ...transactionAt(login, seq), id: makeId('txn'), accountId, transactionRefresh };
    return makeSealedRow(transaction, seq, owner);
  });
};
