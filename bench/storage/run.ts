// npm run storage: the bytes on disk of a transaction, with its indexes, on SQLite and on PostgreSQL. Imports the
// sandbox's 100,000 transactions on each and queries the database. The calculations of docs/scaling.md begin here.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApplication, createOrganization } from '../../src/applications/createApplication.ts';
import { operatorActor } from '../../src/audit/store.ts';
import { readConfig } from '../../src/config.ts';
import { listen } from '../../src/http/listen.ts';
import { makeLog } from '../../src/log.ts';
import { buildService, type Service } from '../../src/service.ts';
import { startPostgres } from '../../test/support/postgres.ts';
import { hostOrigin, linkLogin } from '../data/linkLogin.ts';

type Sizes = { rows: number; tableBytes: number; indexBytes: number };

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
  const counted = await db.read(table).count({ count: '*' }).first();
  const rows = Number(counted?.count);
  if (db.dialect === 'postgres') {
    const sql = 'select pg_table_size(?) as table_bytes, pg_indexes_size(?) as index_bytes';
    const [sizes] = (await db.read.raw(sql, [table, table])).rows;
    return { rows, tableBytes: Number(sizes.table_bytes), indexBytes: Number(sizes.index_bytes) };
  }
  const parts: { name: string; bytes: number }[] = await db.read.raw(
    `select name, sum(pgsize) as bytes from dbstat
     where name in (select name from sqlite_master where tbl_name = ?) group by name`,
    [table],
  );
  const tableBytes = parts.find(({ name }) => name === table)?.bytes ?? 0;
  return { rows, tableBytes, indexBytes: parts.reduce((sum, { bytes }) => sum + bytes, 0) - tableBytes };
};

const printSizes = async (name: string, service: Service): Promise<void> => {
  console.log(`\n${name.padEnd(16)}      rows  bytes a row  of them indexes`);
  for (const table of tables) {
    const { rows, tableBytes, indexBytes } = await sizesOf(service, table);
    const perRow = (bytes: number): string => (bytes / rows).toFixed(0);
    const cells = [
      table.padEnd(16),
      String(rows).padStart(10),
      perRow(tableBytes + indexBytes).padStart(13),
      perRow(indexBytes).padStart(17),
    ];
    console.log(cells.join(''));
  }
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
    const organization = await createOrganization(service.db, { actor: operatorActor, name: 'Storage', now });
    const { id } = await createApplication(service.db, {
      actor: operatorActor,
      organizationId: organization.id,
      ...{ name: 'Storage', environment: 'sandbox', now },
      origins: [hostOrigin],
    });
    const url = `http://127.0.0.1:${listening.port}`;
    for (const username of ['large', ...Array<string>(30).fill('good')]) {
      await linkLogin(url, {
        applicationId: id,
        institutionId: 'sandbox-bank',
        username,
        password: 'password',
      });
    }
    await printSizes(name, service);
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
