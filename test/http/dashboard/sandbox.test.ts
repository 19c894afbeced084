// The sandbox tools: the list of users is correct, files are parsed while they are uploaded, the clock only advances.
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { databases, oneDatabase } from '../../support/databases.ts';
import { link, startService, type TestService } from '../../support/testService.ts';
import { createMember, type DashboardUser, onlyOrganization } from './users.ts';

const heading = 'login,account,date,transaction,amount,balance,description,reference\n';
const row = (at: number, login = 'loaded'): string =>
  `${login},1,2024-01-${String((at % 28) + 1).padStart(2, '0')},t${at},-1.50,100.00,Text ${at},\n`;

const octets = { 'Content-Type': 'application/octet-stream' };
const uploadLimits = { sandboxUploadBytesMax: 500_000, sandboxUploadRowsMax: 1_000 };

for (const database of oneDatabase) {
  describe(`sandbox tools on ${database.name}`, () => {
    let service: TestService;
    let developer: DashboardUser;
    let organizationId: string;
    beforeAll(async () => {
      service = await startService({ database, limits: uploadLimits });
      developer = await createMember(service, { role: 'developer', email: 'dev@example.com' });
      organizationId = await onlyOrganization(service);
    });
    afterAll(() => service.close());

    const upload = async (name: string, body: RequestInit['body']) => {
      const path = `/dashboard/api/organizations/${organizationId}/sandbox/files?name=${encodeURIComponent(name)}`;
      const init = { method: 'POST', headers: octets, body, duplex: 'half' } as RequestInit;
      const response = await developer.fetch(path, init);
      return { status: response.status, body: await response.json() };
    };

    test('every user is listed with challenges and answers that work', async () => {
      const { data } = await developer.client.GET('/dashboard/api/organizations/{organizationId}/sandbox', {
        params: { path: { organizationId } },
      });
      expect(data?.users.length).toBeGreaterThan(15);
      for (const user of data!.users.filter(({ challenges }) => challenges.length > 0)) {
        const answers = user.challenges.flatMap(({ kind, answer }) => {
          if (kind === 'choice') return ['phone'];
          return answer === null ? [] : [answer];
        });
        if (user.challenges.some(({ kind }) => kind === 'denial' || kind === 'approval')) continue;
        const { username } = user;
        const linked = await link(service, { username, password: data!.password, answers });
        expect({ username, accounts: linked.accounts.length }).toEqual({
          username,
          accounts: user.accounts.length,
        });
      }
    });

    test('a file is parsed during the upload, plain or gzip, and its login can be linked', async () => {
      const plain = `${heading}${Array.from({ length: 600 }, (_, at) => row(at)).join('')}`;
      async function* slowly() {
        for (let at = 0; at < plain.length; at += 10_000) {
          yield new TextEncoder().encode(plain.slice(at, at + 10_000));
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
      }
      const loaded = { status: 200, body: { rows: 600, logins: 1, accounts: 1 } };
      expect(await upload('transactions.csv', slowly() as never)).toEqual(loaded);
      expect(await upload('transactions.csv.gz', gzipSync(plain))).toEqual(loaded);
      const { connectionId } = await link(service, { username: 'loaded' });
      expect(connectionId).toMatch(/^con_/);
    });

    test('an invalid file is reported with its line, and nothing of it is loaded', async () => {
      const invalid = await upload('invalid.csv', `${heading}${row(1, 'wrong')}${row(1, 'wrong')}`);
      expect(invalid).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
      expect(invalid.body.errors).toEqual([
        { path: '/body', message: expect.stringContaining('invalid.csv, line 3') },
      ]);
      expect((await upload('packed.csv.gz', 'this is not gzip')).status).toBe(400);
      await expect(link(service, { username: 'wrong' })).rejects.toThrow();
    });

    test('a file with too many rows or bytes is refused by the limit that it exceeds, and leaves no rows', async () => {
      const rows = Array.from({ length: 1_001 }, (_, at) => row(at, 'long')).join('');
      const emptyLines = Buffer.alloc(64 * 1024 * 1024, '\n');
      const files: [name: string, body: Buffer<ArrayBuffer>, limit: string][] = [
        ['rows.csv', Buffer.from(heading + rows), 'rows.csv has more than 1000 rows.'],
        ['rows.csv.gz', gzipSync(heading + rows), 'rows.csv.gz has more than 1000 rows.'],
        [
          'bytes.csv',
          Buffer.concat([Buffer.from(heading + row(1, 'long')), emptyLines.subarray(0, 500_000)]),
          'bytes.csv has more than 500000 bytes.',
        ],
        [
          'bomb.csv.gz',
          gzipSync(Buffer.concat([Buffer.from(heading + row(1, 'long')), emptyLines])),
          'bomb.csv.gz has more than 500000 bytes after unpacking.',
        ],
      ];
      expect(files.at(-1)![1].length).toBeLessThan(100_000);
      const { write } = service.service.db;
      const readLoads = () => write('sandbox_loads').pluck('id');
      const before = await readLoads();
      for (const [name, body, limit] of files) {
        const refused = await upload(name, body);
        expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
        expect(refused.body.errors).toEqual([{ path: '/body', message: limit }]);
      }
      expect(await readLoads()).toEqual(before);
      await expect(link(service, { username: 'long' })).rejects.toThrow();
    });

    test('an aborted upload leaves no rows', async () => {
      const { write } = service.service.db;
      const count = async () => Number((await write('sandbox_loads').count({ count: '*' }).first())?.count);
      const before = await count();
      const controller = new AbortController();
      async function* endless() {
        yield new TextEncoder().encode(heading);
        for (let at = 0; !controller.signal.aborted; at++) {
          yield new TextEncoder().encode(row(at, 'broken'));
          if (at === 300) controller.abort();
          await new Promise((resolve) => setTimeout(resolve, 1));
        }
      }
      const path = `/dashboard/api/organizations/${organizationId}/sandbox/files?name=broken.csv`;
      const headers = { 'Content-Type': 'application/octet-stream' };
      const body = endless();
      const init = { method: 'POST', headers, body, signal: controller.signal, duplex: 'half' } as never;
      await expect(developer.fetch(path, init)).rejects.toThrow();
      await vi.waitUntil(async () => (await count()) === before, { timeout: 20_000 });
    });

    test('the clock advances', async () => {
      const path = { organizationId };
      const advance = (seconds: number) =>
        developer.client.POST('/dashboard/api/organizations/{organizationId}/sandbox/clock', {
          params: { path },
          body: { seconds },
        });
      const { data } = await advance(86_400);
      expect(data?.clock.offsetSeconds).toBe(86_400);
      expect(Math.abs(Date.parse(data!.clock.now) - Date.now() - 86_400_000)).toBeLessThan(60_000);
      expect((await advance(0)).response.status).toBe(400);
      expect((await advance(315_360_000)).response.status).toBe(200);
      const { error } = await advance(315_360_000 * 2);
      expect(error?.code).toBe('invalid_request');
      let last = await advance(315_360_000);
      for (let at = 0; at < 3 && !last.error; at++) last = await advance(315_360_000);
      expect(last.error?.errors?.[0]?.path).toBe('/body/seconds');
    });
  });
}

for (const database of databases) {
  describe(`sandbox tools on ${database.name}`, () => {
    test('an upload is refused when the organization has the rows of ten, unless it replaces them', async () => {
      const full = await startService({ database, limits: { sandboxUploadRowsMax: 10 }, worker: false });
      onTestFinished(full.close);
      const member = await createMember(full, { role: 'developer', email: 'full@example.com' });
      const path = `/dashboard/api/organizations/${full.organizationId}/sandbox/files?name=rows.csv`;
      const load = async (login: string, rows: number) => {
        const body = heading + Array.from({ length: rows }, (_, at) => row(at, login)).join('');
        const response = await member.fetch(path, { method: 'POST', headers: octets, body });
        return { status: response.status, body: await response.json() };
      };
      const counted = () => full.service.db.write('sandbox_transactions').count({ rows: '*' }).first();
      const loads = Array.from({ length: 12 }, (_, at) => load(`login-${at}`, 9));
      const statuses = (await Promise.all(loads)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 200).length).toBe(11);
      const refused = await load('one-more', 2);
      expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
      expect(refused.body.errors[0].message).toBe(
        'rows.csv has 2 rows, and the organization has 99 of other logins: together at most 100 are kept. Load logins again to replace their rows.',
      );
      expect(Number((await counted())?.rows)).toBe(99);
      const replaced = statuses.indexOf(200);
      expect(await load(`login-${replaced}`, 10)).toMatchObject({ status: 200, body: { rows: 10 } });
      expect(Number((await counted())?.rows)).toBe(100);
    });
  });
}
