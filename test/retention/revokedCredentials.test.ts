// Sealed bank credentials, fingerprint keys and import requests leave SQLite's files seconds after they are deleted or replaced.
import { readFile } from 'node:fs/promises';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databases } from '../support/databases.ts';
import {
  driveToEnd,
  driveToImport,
  link,
  openLinkSession,
  startService,
  type TestService,
} from '../support/testService.ts';

type Sealed = 'credentials' | 'fingerprintKey';

const accounts = ['Rainy Day Savings'];

for (const database of databases) {
  describe(`deleted credentials on ${database.name}`, () => {
    let service: TestService;
    beforeAll(async () => {
      service = await startService({ database, limits: { logTruncateSeconds: 0.1 } });
    });
    afterAll(() => service.close());

    const linkOne = (externalUserId: string) => link(service, { username: 'good', accounts, externalUserId });
    const revoke = async (connectionId: string): Promise<void> => {
      const params = { path: { connectionId } };
      const { response } = await service.client().DELETE('/connections/{connectionId}', { params });
      expect(response.status).toBe(204);
    };
    const sealedOf = async (connectionIds: readonly string[], ...columns: Sealed[]): Promise<Buffer[]> => {
      const rows = await service.service.db.read('connections').whereIn('id', connectionIds);
      return rows.flatMap((row) => columns.flatMap((column) => row[column] ?? []));
    };
    const credentialsOf = (connectionId: string) => sealedOf([connectionId], 'credentials');
    const waitUntilGone = (secrets: readonly Buffer[]) =>
      expect.poll(() => countInDatabase(service, secrets), { timeout: 10_000, interval: 100 }).toBe(0);

    // Many, because a page that is written often may keep copies. PostgreSQL manages its own files.
    const count = database.name === 'SQLite' ? 60 : 6;

    test(`${count} revoked connections leave no credentials and no fingerprint keys`, async () => {
      const users = Array.from({ length: count }, (_, index) => `user-${index}`);
      const linked: string[] = [];
      const linkNext = async (): Promise<void> => {
        for (let user = users.pop(); user; user = users.pop())
          linked.push((await linkOne(user)).connectionId);
      };
      await Promise.all([linkNext(), linkNext(), linkNext(), linkNext()]);
      const sealed = await sealedOf(linked, 'credentials', 'fingerprintKey');
      expect(sealed).toHaveLength(2 * count);
      expect(await countInDatabase(service, sealed)).toBe(2 * count);
      for (const connectionId of linked) await revoke(connectionId);
      await waitUntilGone(sealed);
    });

    test('a reconnect leaves behind neither the old credentials nor its import request', async () => {
      const { connectionId } = await linkOne('reconnected');
      const credentials = await credentialsOf(connectionId);
      const session = await openLinkSession(service, { connectionId });
      expect(await driveToEnd(session, { username: 'good' })).toMatchObject({ state: 'finished' });
      await session.acknowledge();
      const [renewed] = await credentialsOf(connectionId);
      expect(renewed).not.toEqual(credentials[0]);
      await waitUntilGone(credentials);
      expect(await countInDatabase(service, [renewed!])).toBe(1);
    });

    test.runIf(database.name === 'SQLite')(
      'while another process reads, requests are answered and the log is truncated later',
      async () => {
        const { connectionId } = await linkOne('read-meanwhile');
        const credentials = await credentialsOf(connectionId);
        const reader = new BetterSqlite3(fileOf(service), { readonly: true });
        try {
          reader.exec('begin');
          reader.prepare('select count(*) from connections').get();
          await revoke(connectionId);
          // The reader ends only after these requests have a response.
          for (let count = 0; count < 20; count++)
            expect((await fetch(`${service.url}/health`)).status).toBe(200);
          expect(await countInDatabase(service, credentials)).toBe(1);
        } finally {
          reader.close();
        }
        await waitUntilGone(credentials);
      },
    );

    test.runIf(database.name === 'SQLite')('a revocation marks the file for the next rewrite', async () => {
      const { db } = service.service;
      const { connectionId } = await linkOne('marked');
      expect(await db.secureVacuum({ rewriteBytesMax: Number.POSITIVE_INFINITY })).toBe(true);
      expect(await db.read.raw('pragma user_version')).toEqual([{ user_version: 0 }]);
      await revoke(connectionId);
      expect(await db.read.raw('pragma user_version')).toEqual([{ user_version: 1 }]);
    });

    test('a cancelled link session leaves no import request', async () => {
      await service.service.worker!.stop();
      const session = await openLinkSession(service, { externalUserId: 'cancelled' });
      expect(await driveToImport(session, { username: 'good' })).toMatchObject({ state: 'importing' });
      const row = await service.service.db.read('link_sessions').where({ id: session.id }).first('*');
      const request = row!.importRequestSealed!;
      const headers = { Authorization: `Bearer ${session.secret}` };
      const url = `${service.url}/connect/api/link-sessions/${session.id}`;
      expect((await fetch(url, { method: 'DELETE', headers })).status).toBe(204);
      await waitUntilGone([request]);
    });
  });
}

const fileOf = ({ service }: TestService): string => service.config.databaseUrl.slice('sqlite:'.length);

/** The number of these byte strings of which a part is in the tables or, on SQLite, in the bytes of the files. */
const countInDatabase = async (test: TestService, secrets: readonly Buffer[]): Promise<number> => {
  const parts = secrets.map((secret) =>
    [0, secret.length / 2, secret.length - 24].map((at) => secret.subarray(Math.floor(at), at + 24)),
  );
  const content = await readContent(test);
  return parts.filter((each) => each.some((part) => content.includes(part))).length;
};

const readContent = async (test: TestService): Promise<Buffer> => {
  const { db } = test.service;
  if (db.dialect === 'sqlite') {
    const file = fileOf(test);
    // Reads the log first, so that pages that a checkpoint moves meanwhile are found in the file.
    const log = await readFile(`${file}-wal`);
    return Buffer.concat([log, await readFile(file)]);
  }
  const connections = await db.read('connections');
  const requests = await db.read('link_sessions').whereNotNull('importRequestSealed');
  return Buffer.concat([
    ...connections.flatMap(({ credentials, fingerprintKey }) =>
      [credentials ?? [], fingerprintKey ?? []].flat(),
    ),
    ...requests.flatMap(({ importRequestSealed }) => importRequestSealed ?? []),
  ]);
};
