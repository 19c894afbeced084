// The sandbox tools: the list of users is correct, files are parsed during the upload, and the clock only advances.
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { databases, oneDatabase } from '../../support/databases.ts';
import { link, startService, type TestService } from '../../support/testService.ts';
import { createMember, type DashboardUser } from './users.ts';

const heading = 'login,account,date,transaction,amount,balance,description,reference\n';
const row = (at: number, login = 'loaded'): string =>
  `${login},1,2024-01-${String((at % 28) + 1).padStart(2, '0')},t${at},-1.50,100.00,Text ${at},\n`;

const octets = { 'Content-Type': 'application/octet-stream' };
const uploadLimits = { sandboxUploadBytesMax: 500_000, sandboxUploadRowsMax: 1_000 };

describe.each(oneDatabase)('sandbox tools on $name', (database) => {
  let service: TestService;
  let developer: DashboardUser;
  let organizationId: string;
  beforeAll(async () => {
    service = await startService({ database, limits: uploadLimits });
    developer = await createMember(service, { role: 'developer', email: 'dev@example.com' });
    ({ organizationId } = service);
  });
  afterAll(() => service.close());

  const send = (name: string, body: unknown, signal?: AbortSignal): Promise<Response> => {
    const path = `/management/organizations/${organizationId}/sandbox/files?name=${name}`;
    const init = { method: 'POST', headers: octets, body, signal, duplex: 'half' };
    return developer.fetch(path, init as RequestInit);
  };
  const upload = async (name: string, body: unknown) => {
    const response = await send(name, body);
    return { status: response.status, body: await response.json() };
  };
  const readLoads = () => service.service.db.write('sandbox_loads').pluck('id');

  test('every user is listed with challenges and answers that work', async () => {
    const { data } = await developer.client.GET('/management/organizations/{organizationId}/sandbox', {
      params: { path: { organizationId } },
    });
    expect(data?.users.length).toBeGreaterThan(15);
    for (const user of data!.users.filter(({ challenges }) => challenges.length > 0)) {
      const answers = user.challenges.flatMap(({ kind, answer }) =>
        kind === 'choice' ? ['phone'] : (answer ?? []),
      );
      if (user.challenges.some(({ kind }) => kind === 'denial' || kind === 'approval')) continue;
      const { username } = user;
      const linked = await link(service, { username, password: data!.password, answers });
      expect(linked.accounts, username).toHaveLength(user.accounts.length);
    }
  });

  test('a file is parsed during the upload, plain or gzip, and its login can be linked', async () => {
    const plain = `${heading}${Array.from({ length: 600 }, (_, at) => row(at)).join('')}`;
    async function* inParts() {
      for (let at = 0; at < plain.length; at += 10_000) yield Buffer.from(plain.slice(at, at + 10_000));
    }
    const loaded = { status: 200, body: { rows: 600, logins: 1, accounts: 1 } };
    expect(await upload('transactions.csv', inParts())).toEqual(loaded);
    expect(await upload('transactions.csv.gz', gzipSync(plain))).toEqual(loaded);
    expect((await link(service, { username: 'loaded' })).accounts).toHaveLength(1);
  });

  test('an invalid file is reported with its line, and nothing of it is loaded', async () => {
    const invalid = await upload('invalid.csv', `${heading}${row(1, 'wrong')}${row(1, 'wrong')}`);
    expect(invalid).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    const message = expect.stringContaining('invalid.csv, line 3');
    expect(invalid.body.errors).toEqual([{ path: '/body', message }]);
    expect((await upload('packed.csv.gz', 'this is not gzip')).status).toBe(400);
    await expect(link(service, { username: 'wrong' })).rejects.toThrow();
  });

  test('a file with too many rows or bytes is refused by the limit that it exceeds, and leaves no rows', async () => {
    const rows = Array.from({ length: 1_001 }, (_, at) => row(at, 'long')).join('');
    const emptyLines = Buffer.alloc(64 * 1024 * 1024, '\n');
    const first = Buffer.from(heading + row(1, 'long'));
    const large = Buffer.concat([first, emptyLines.subarray(0, 500_000)]);
    const bomb = gzipSync(Buffer.concat([first, emptyLines]));
    expect(bomb.length).toBeLessThan(100_000);
    const files: [name: string, body: Buffer | string, limit: string][] = [
      ['rows.csv', heading + rows, 'rows.csv has more than 1000 rows.'],
      ['rows.csv.gz', gzipSync(heading + rows), 'rows.csv.gz has more than 1000 rows.'],
      ['bytes.csv', large, 'bytes.csv has more than 500000 bytes.'],
      ['bomb.csv.gz', bomb, 'bomb.csv.gz has more than 500000 bytes after unpacking.'],
    ];
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
    const before = await readLoads();
    const begun = async () => (await readLoads()).filter((id) => !before.includes(id));
    const controller = new AbortController();
    async function* aborted() {
      yield Buffer.from(heading + Array.from({ length: 300 }, (_, at) => row(at, 'broken')).join(''));
      await expect.poll(begun).toHaveLength(1);
      controller.abort();
      yield Buffer.from(row(300, 'broken'));
    }
    await expect(send('broken.csv', aborted(), controller.signal)).rejects.toThrow();
    await expect.poll(begun).toEqual([]);
  });

  test('the clock advances', async () => {
    const params = { path: { organizationId } };
    const clock = '/management/organizations/{organizationId}/sandbox/clock';
    const advance = (seconds: number) => developer.client.POST(clock, { params, body: { seconds } });
    const before = service.service.clock.real().getTime();
    const { data } = await advance(86_400);
    expect(data?.clock.offsetSeconds).toBe(86_400);
    expect(Date.parse(data!.clock.now)).toBeGreaterThanOrEqual(before + 86_400_000);
    expect((await advance(0)).response.status).toBe(400);
    expect((await advance(315_360_000)).response.status).toBe(200);
    const { error } = await advance(315_360_000 * 2);
    expect(error?.code).toBe('invalid_request');
    let last = await advance(315_360_000);
    for (let at = 0; at < 3 && !last.error; at++) last = await advance(315_360_000);
    expect(last.error?.errors?.[0]?.path).toBe('/body/seconds');
  });
});

describe.each(databases)('sandbox tools on $name', (database) => {
  test('an upload is refused if the organization already has ten times the maximum of rows, unless it replaces them', async () => {
    const full = await startService({ database, limits: { sandboxUploadRowsMax: 10 }, worker: false });
    onTestFinished(full.close);
    const member = await createMember(full, { role: 'developer', email: 'full@example.com' });
    const path = `/management/organizations/${full.organizationId}/sandbox/files?name=rows.csv`;
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
      'rows.csv has 2 rows, and the organization has 99 rows of other logins. The limit is 100 in total. Load a login again to replace its rows.',
    );
    expect(Number((await counted())?.rows)).toBe(99);
    const replaced = statuses.indexOf(200);
    expect(await load(`login-${replaced}`, 10)).toMatchObject({ status: 200, body: { rows: 10 } });
    expect(Number((await counted())?.rows)).toBe(100);
  });
});
