// npm run storage: how many bytes a transaction takes on disk, with its indexes, on SQLite and on PostgreSQL: imports
// the sandbox's 100,000 entries on each and asks the database. The sums of docs/scaling.md begin here.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApplication, createOrganization } from '../../src/applications/createApplication.ts';
import { readConfig } from '../../src/config.ts';
import { listen } from '../../src/http/listen.ts';
import { makeLog } from '../../src/log.ts';
import { buildService, type Service } from '../../src/service.ts';
import { startPostgres } from '../../test/support/postgres.ts';
import { hostOrigin, linkUser } from '../soak/linkUser.ts';

type Sizes = { rows: number; table: number; indexes: number };

const tables = [
  'transactions',
  'accounts',
  'connections',
  'data_keys',
  'resource_owners',
  'jobs',
  'end_users',
];

const sizesOf = async ({ db }: Service, table: string): Promise<Sizes> => {
  const row = await db.read(table).count({ count: '*' }).first();
  const rows = Number(row?.count);
  if (db.dialect === 'postgres') {
    const asked = await db.read.raw('select pg_table_size(?) as held, pg_indexes_size(?) as indexes', [
      table,
      table,
    ]);
    const [{ held, indexes }] = asked.rows;
    return { rows, table: Number(held), indexes: Number(indexes) };
  }
  const parts: { name: string; bytes: number }[] = await db.read.raw(
    `select name, sum(pgsize) as bytes from dbstat
     where name in (select name from sqlite_master where tbl_name = ?) group by name`,
    [table],
  );
  const held = parts.find(({ name }) => name === table)?.bytes ?? 0;
  return { rows, table: held, indexes: parts.reduce((sum, { bytes }) => sum + bytes, 0) - held };
};

const measure = async (name: string, databaseUrl: string, directory: string): Promise<void> => {
  const config = readConfig({
    PORT: '0',
    DATA_DIR: directory,
    DATABASE_URL: databaseUrl,
    LOG_LEVEL: 'fatal',
  });
  const service = await buildService(config, makeLog('fatal'), { worker: true });
  const listening = await listen(service);
  try {
    const now = new Date();
    await createOrganization(service.db, { name: 'Storage', now });
    const given = { name: 'Storage', environment: 'sandbox', now } as const;
    const { id } = await createApplication(service.db, { ...given, origins: [hostOrigin] });
    const url = `http://127.0.0.1:${listening.port}`;
    const institutionId = 'sandbox-bank';
    for (const username of ['large', ...Array<string>(30).fill('good')]) {
      await linkUser(url, id, { institutionId, username });
    }
    console.log(`\n${name.padEnd(14)}      rows  bytes a row  of them indexes`);
    for (const table of tables) {
      const { rows, table: held, indexes } = await sizesOf(service, table);
      const each = (bytes: number): string => (bytes / rows).toFixed(0);
      console.log(
        `${table.padEnd(14)}${String(rows).padStart(10)}${each(held + indexes).padStart(13)}${each(indexes).padStart(17)}`,
      );
    }
  } finally {
    await listening.close();
    await service.close();
  }
};

const directory = await mkdtemp(join(tmpdir(), 'bank-connection-storage-'));
try {
  await measure('SQLite', `sqlite:${join(directory, 'storage.db')}`, join(directory, 'sqlite'));
  const server = await startPostgres();
  await measure('PostgreSQL', server.url, join(directory, 'postgres')).finally(server.stop);
} finally {
  await rm(directory, { recursive: true, force: true });
}
