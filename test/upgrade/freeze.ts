// Freezes a database of this version on SQLite and PostgreSQL, with its secrets and responses, for frozen.test.ts.
// Run `scripts/on-node24 node test/upgrade/freeze.ts`; with a pg_dump before 18, set TEST_POSTGRES_URL to a server of its version.
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { copyFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import pg from 'pg';
import { createClient, linkSandbox, unwrap } from '../../client/index.ts';
import { createManagementClient } from '../../client/management.ts';
import { programEnv } from '../support/environment.ts';
import { freePort } from '../support/freePort.ts';
import { startPostgres } from '../support/postgres.ts';
import { baseUrl, type Credentials, type FrozenResponse, sendRequest, webhookPort } from './frozen.ts';

const root = join(import.meta.dirname, '../..');
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
const target = join(import.meta.dirname, version);
const origin = 'https://shop.example';
const email = 'owner@example.com';
const run = promisify(execFile);

/** The date this many days before today, which is within the period that a refresh reads again. */
const daysAgo = (count: number): string =>
  new Date(Date.now() - count * 86_400_000).toISOString().slice(0, 10);

const loadedLogins = ['loaded', 'changed', 'anonymous'];

/** Three logins with two accounts. The second file lacks a transaction of the first, and changes another. */
const toFile = (rows: string[]): string =>
  [
    'login,account,date,transaction,amount,balance,description,reference,currency',
    ...loadedLogins.flatMap((login) => [
      `${login},111,${daysAgo(40)},t1,100.10,100.10,Salary,R-1,EUR`,
      `${login},111,${daysAgo(3)},t2,-3.5,96.60,"Coffee, two",,EUR`,
      ...rows.map((row) => `${login},111,${daysAgo(2)},${row},EUR`),
      `${login},222,${daysAgo(9)},s1,12345678901234.56,12345678901234.56,Überweisung,,JPY`,
    ]),
  ].join('\n');
const files = [
  toFile(['t3,-10,86.60,Books,', 't4,-10,76.60,Book,R-2', 't5,-20,56.60,Groceries,']),
  toFile(['t4,-20,76.60,Books and more,R-2', 't5,-20,56.60,Groceries,']),
];

type Settings = Record<string, string>;

// biome-ignore lint/suspicious/noExplicitAny: the result of any command.
const runCommand = async (settings: Settings, ...args: string[]): Promise<any> => {
  const command = [join(root, 'src/main.ts'), ...args, '--json'];
  const { stdout } = await run(process.execPath, command, { env: { ...programEnv, ...settings } });
  return JSON.parse(stdout);
};

const serve = async (settings: Settings, ...args: string[]) => {
  const port = await freePort();
  const child = spawn(process.execPath, [join(root, 'src/main.ts'), 'serve', ...args, '--json'], {
    env: { ...programEnv, ...settings, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => child.kill());
  const exited = once(child, 'exit');
  await Promise.race([once(child.stdout, 'data'), exited]);
  if (child.exitCode !== null) throw new Error('The service did not start.');
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      child.kill();
      const [code] = await exited;
      if (code !== 0) throw new Error(`The service exited with ${code}.`);
    },
  };
};

/** An organization token, which an owner creates after accepting an invitation. */
const createOrganizationToken = async (url: string, settings: Settings): Promise<string> => {
  const invitation = await runCommand(settings, 'members', 'invite', '--email', email, '--role', 'owner');
  const headers = { Origin: baseUrl, 'Dashboard-Request': '1', 'Content-Type': 'application/json' };
  const post = async (path: string, body: object, more = {}): Promise<Response> => {
    const request = { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(body) };
    const response = await fetch(`${url}/management${path}`, request);
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return response;
  };
  const token = new URL(invitation.link).hash.slice(1);
  const person = { token, name: 'Owner', password: 'correct horse battery staple' };
  const accepted = await post('/invitation/accept', person);
  const { organizations } = (await accepted.json()) as { organizations: { id: string }[] };
  const cookie = accepted.headers.getSetCookie().map((one) => one.split(';')[0]);
  const scopes = ['read', 'connections', 'webhooks', 'sandbox'];
  const expiresAt = new Date(Date.now() + 360 * 86_400_000).toISOString();
  const body = { name: 'CI', role: 'developer', scopes, expiresAt };
  const path = `/organizations/${organizations[0]!.id}/tokens`;
  const created = await post(path, body, { Cookie: cookie.join('; ') });
  return ((await created.json()) as { secret: string }).secret;
};

/** Fills the database of a running service. */
const fill = async (url: string, settings: Settings, work: string): Promise<Credentials> => {
  const command = (...args: string[]) => runCommand(settings, ...args);
  const environment = ['--environment', 'sandbox', '--origin', origin];
  const { applicationId } = await command('applications', 'create', '--name', 'Shop', ...environment);
  const { apiKey } = await command('api-keys', 'create', '--application', applicationId);
  const endpoint = ['--application', applicationId, '--url', `http://127.0.0.1:${webhookPort}/`];
  const { secret: webhookSecret } = await command('webhooks', 'create', ...endpoint);
  const managementToken = await createOrganizationToken(url, settings);
  const load = async (text: string): Promise<void> => {
    await writeFile(join(work, 'file.csv'), text);
    await command('sandbox', 'load', join(work, 'file.csv'));
  };
  await load(files[0]!);
  const link = (user: string, externalUserId?: string) =>
    linkSandbox({ baseUrl: url, applicationId, origin, user, externalUserId });
  const { scopedToken } = await link('loaded', 'user-1');
  const moves = await link('moves', 'user-1');
  await link('changed', 'user-1');
  const anonymous = await link('anonymous');
  const client = createClient({ baseUrl: url, apiKey, scopedToken });
  const body = { label: 'Budget', allAccounts: true };
  const { setupToken } = await unwrap(client.POST('/simplefin/accesses', { body }));
  const address = Buffer.from(setupToken, 'base64').toString().replace(baseUrl, url);
  const access = await (await fetch(address, { method: 'POST' })).text();
  const { connections } = await unwrap(client.GET('/connections'));
  for (let day = 1; day <= 3; day += 1) {
    if (day === 2) await load(files[1]!);
    if (day === 3) await command('sandbox', 'set-password', 'changed', 'another');
    await command('sandbox', 'advance', '--days', '1');
    for (const { id } of connections) await command('refresh', 'run', '--connection', id).catch(() => {});
  }
  const params = { path: { connectionId: anonymous.connectionId } };
  await unwrap(client.DELETE('/connections/{connectionId}', { params }));
  const management = createManagementClient({ baseUrl: url, token: managementToken });
  const { connections: after } = await unwrap(client.GET('/connections'));
  console.log(after.map(({ status }) => status));
  const application = { path: { applicationId } };
  const { organizationId } = await unwrap(
    management.GET('/management/applications/{applicationId}', { params: application }),
  );
  return {
    ...{ frozenAt: '', sandboxOffsetSeconds: 0, organizationId, applicationId, apiKey, managementToken },
    ...{ webhookSecret, user: scopedToken!, anonymous: anonymous.scopedToken! },
    ...{ movingConnectionId: moves.connectionId, simplefin: new URL(access).username },
    simplefinPassword: new URL(access).password,
  };
};

/** Every GET operation for both users, over all pages, and SimpleFIN. */
const record = async (url: string, credentials: Credentials): Promise<FrozenResponse[]> => {
  const responses: FrozenResponse[] = [];
  // biome-ignore lint/suspicious/noExplicitAny: the body of any response.
  const read = async (as: FrozenResponse['as'], path: string): Promise<any> => {
    const { status, body } = await sendRequest(url, credentials, { as, path });
    if (status !== 200) throw new Error(`${path}: ${body}`);
    responses.push({ as, path, body });
    return JSON.parse(body);
  };
  const readPages = async (as: FrozenResponse['as'], path: string, query: string) => {
    const all = [];
    for (let cursor = ''; ; ) {
      const page = await read(as, `${path}?limit=300${query}${cursor}`);
      all.push(...page.transactions);
      if (!page.pagination.hasMore) return all;
      cursor = `&cursor=${page.pagination.nextCursor}`;
    }
  };
  for (const as of ['user', 'anonymous'] as const) {
    for (const { id } of (await read(as, '/connections')).connections) {
      await read(as, `/connections/${id}`);
      for (const account of (await read(as, `/connections/${id}/accounts`)).accounts) {
        await read(as, `/accounts/${account.id}`);
        const path = `/accounts/${account.id}/transactions`;
        const all = await readPages(as, path, '');
        const [oldest] = all.map(({ transactionRefresh }) => transactionRefresh).sort();
        await readPages(as, path, `&refreshedSince=${oldest}`);
        await readPages(as, path, `&date[gte]=${all.at(-1).date}&date[lt]=${all[0].date}`);
        const chosen = ['posted', 'pending', 'void'].map((status) =>
          all.find((one) => one.status === status),
        );
        for (const one of chosen) if (one) await read(as, `${path}/${one.id}`);
        console.log(account.name, all.length, chosen.map((one) => one?.status).join(' '));
      }
    }
  }
  await read('simplefin', '/simplefin/accounts?start-date=0&pending=1');
  return responses;
};

const freeze = async (name: string, databaseUrl: string): Promise<void> => {
  const work = await mkdtemp(join(tmpdir(), 'bank-connection-freeze-'));
  const secretsDir = join(work, 'secrets');
  const settings = {
    ...{ DATABASE_URL: databaseUrl || `sqlite:${join(work, 'service.db')}`, DATA_DIR: work },
    ...{ SECRETS_DIR: secretsDir, BASE_URL: baseUrl, ALLOWED_NETWORKS: '127.0.0.1', LOG_LEVEL: 'error' },
  };
  const folder = join(target, name);
  await mkdir(folder, { recursive: true });
  const first = await serve(settings);
  const credentials = await fill(first.url, settings, work);
  // Until the last webhooks are delivered.
  await wait(3000);
  await first.stop();
  const backup = join(work, 'backup');
  await runCommand(settings, 'backup', backup);
  const zip = (name: string, content: string | Buffer): Promise<void> =>
    writeFile(join(folder, `${name}.gz`), gzipSync(content, { level: 9 }));
  await zip('backup', await readFile(backup));
  await copyFile(`${backup}.sha256`, join(folder, 'backup.sha256'));
  await cp(secretsDir, join(folder, 'secrets'), { recursive: true });
  if (databaseUrl) {
    const options = ['--inserts', '--rows-per-insert=100', '--no-owner', '--no-privileges'];
    const { stdout } = await run('pg_dump', [...options, databaseUrl], { maxBuffer: 2 ** 27 });
    await zip('database.sql', stdout);
  }
  const second = await serve(settings, '--no-worker');
  const responses = await record(second.url, credentials);
  credentials.frozenAt = new Date().toISOString();
  credentials.sandboxOffsetSeconds = 3 * 86_400;
  await second.stop();
  await writeFile(join(folder, 'credentials.json'), `${JSON.stringify(credentials, undefined, 2)}\n`);
  await zip('responses.json', JSON.stringify(responses));
  await rm(work, { recursive: true });
};

await rm(target, { recursive: true, force: true });
const receiver = createServer((_request, response) => void response.end()).listen(webhookPort, '127.0.0.1');
await freeze('SQLite', '');
const server = process.env.TEST_POSTGRES_URL ? undefined : await startPostgres();
const serverUrl = process.env.TEST_POSTGRES_URL ?? server!.url;
const client = new pg.Client(serverUrl);
await client.connect();
await client.query('create database frozen');
try {
  await freeze('PostgreSQL', Object.assign(new URL(serverUrl), { pathname: 'frozen' }).href);
} finally {
  await client.query('drop database frozen with (force)');
  await client.end();
  await server?.stop();
  receiver.close();
}
const migrations = globSync(join(root, 'src/platform/db/migrations/[0-9]*')).sort();
const hashes: Record<string, string> = {};
for (const file of migrations)
  hashes[basename(file)] = createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
await writeFile(join(target, 'migrations.json'), `${JSON.stringify(hashes, undefined, 2)}\n`);
