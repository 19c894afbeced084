// An invalid setting, a missing secret or a database of another version stops a command with one sentence.
import { copyFile, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { schemaVersion } from '../../src/platform/db/migrations/migrations.ts';
import { openDatabase } from '../../src/platform/db/open.ts';
import { runCli, runCliProcess, type Settings, temporaryDirectory } from '../support/cli.ts';
import { oneDatabase } from '../support/databases.ts';

let directory: string;
let remove: () => Promise<void>;
beforeAll(async () => {
  ({ path: directory, remove } = await temporaryDirectory());
});
afterAll(() => remove());

const failure = async (settings: Settings, ...args: string[]): Promise<string> => {
  const { code, out, err } = await runCli({ DATA_DIR: directory, ...settings }, ...args);
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err.trimEnd().split('\n')).toHaveLength(1);
  return err;
};

const provider = {
  ...{ OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'bank', OIDC_CLIENT_SECRET: 'kept-secret' },
};

test('config print shows each setting and its source, but no secret', async () => {
  const settings = {
    DATABASE_URL: 'postgres://bank:kept-secret@db.example:5432/bank?sslpassword=kept-secret',
    ...provider,
    WORKER_CONCURRENCY: '50',
  };
  const result = await runCli({ DATA_DIR: directory, ...settings }, 'config', 'print', '--json');
  expect(result).toMatchObject({ code: 0, err: '' });
  expect(result.out).not.toContain('kept-secret');
  const printed = result.json<{ settings: { name: string }[] }>().settings;
  const of = (name: string) => printed.find((setting) => setting.name === name);
  const environment = { unit: '', from: 'environment' };
  const shownUrl = 'postgres://(hidden)@db.example:5432/bank';
  expect(of('DATABASE_URL')).toMatchObject({ ...environment, value: shownUrl });
  expect(of('OIDC_CLIENT_SECRET')).toMatchObject({ ...environment, value: '(hidden)' });
  expect(of('WORKER_CONCURRENCY')).toMatchObject({ ...environment, value: 50 });
  expect(of('RETENTION_DAYS')).toEqual({
    ...{ name: 'RETENTION_DAYS', value: 30, unit: 'days', from: 'default' },
  });
  const reference = await readFile(new URL('../../docs/settings.md', import.meta.url), 'utf8');
  const documented = [...reference.matchAll(/^- `([A-Z_]+)`/gm)].map(([, name]) => name);
  expect(printed.map(({ name }) => name)).toEqual(documented);
  const text = await runCli({ DATA_DIR: directory, ...settings }, 'config', 'print');
  expect(text.out).toMatch(/WORKER_CONCURRENCY +50 +environment\n/);
  expect(text.out).not.toContain('kept-secret');
});

test('a secret may be in a file, whose name and content are not shown', async () => {
  const file = join(directory, 'url');
  await writeFile(file, 'postgres://bank:kept-secret@db.example:5432/bank\n');
  const settings = { DATA_DIR: directory, DATABASE_URL_FILE: file };
  const { out } = await runCli(settings, 'config', 'print', '--changed');
  expect(out).toMatch(/^DATABASE_URL +postgres:\/\/\(hidden\)@db\.example:5432\/bank +environment$/m);
  expect(out).not.toContain('kept-secret');
  expect(await failure({ DATABASE_URL_FILE: '/nowhere/url' }, 'config', 'print')).toBe(
    'DATABASE_URL_FILE names /nowhere/url, which cannot be read.\n',
  );
});

test('config print --changed shows only settings from the environment', async () => {
  const settings = { DATA_DIR: directory, RETENTION_DAYS: '7', OIDC_CLIENT_SECRET: '' };
  const { json } = await runCli(settings, 'config', 'print', '--changed', '--json');
  expect(json<{ settings: { name: string; value: unknown }[] }>().settings).toMatchObject([
    { name: 'DATA_DIR', value: directory },
    { name: 'LOG_LEVEL' },
    { name: 'RETENTION_DAYS', value: 7 },
  ]);
});

describe('an invalid setting', () => {
  const invalidSettings: [settings: Settings, sentence: string][] = [
    [{ PORT: 'http' }, 'PORT must be a number from 0 to 65535, not "http".'],
    [{ PORT: '65536' }, 'PORT must be a number from 0 to 65535, not "65536".'],
    [{ BASE_URL: 'shop.example' }, 'BASE_URL must be an http or https address without a path, not "shop'],
    [{ BASE_URL: 'http:///shop.example' }, 'BASE_URL must be an http or https address without a path'],
    [{ BASE_URL: 'https://shop.example/bank' }, 'BASE_URL must be an http or https address without a path'],
    [
      { DATABASE_URL: 'sqlite:' },
      'DATABASE_URL must be sqlite: and the path of a file, or begin with postgres://.',
    ],
    [{ DATABASE_URL: 'sqlite::memory:' }, 'DATABASE_URL must be sqlite: and the path of a file'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, not'],
    [{ WORKER_CONCURRENCY: '4.5' }, 'WORKER_CONCURRENCY must be a whole number from 1 to 1000, not "4.5".'],
    [{ DATABASE_REQUEST_MS: '1' }, 'DATABASE_REQUEST_MS must be a whole number from 100 to 60000, not "1".'],
    [
      { OPERATOR_PRIVACY_URL: 'http://bank.example/privacy' },
      'OPERATOR_PRIVACY_URL must be an https address',
    ],
    [{ OPERATOR_TERMS_URL: 'bank.example/terms' }, 'OPERATOR_TERMS_URL must be an https address, not "bank'],
    [
      { OPERATOR_TERMS_URL: 'https://bank.example/terms' },
      'OPERATOR_NAME is missing: OPERATOR_TERMS_URL needs it for the consent.',
    ],
    [{ OPERATOR_NAME: 'x'.repeat(101) }, 'OPERATOR_NAME must have at most 100 characters.'],
    ...['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'].map((name): [Settings, string] => [
      { [name]: '', ...Object.fromEntries(Object.entries(provider).filter(([other]) => other !== name)) },
      `${name} is missing`,
    ]),
    [{ ...provider, OIDC_ISSUER: 'http://id.example' }, 'OIDC_ISSUER must be an https address'],
    [{ DEMO: 'yes' }, 'DEMO must be one of on, off, not "yes".'],
    [
      { DEMO: 'on', BASE_URL: 'https://shop.example' },
      'DEMO=on needs an http BASE_URL: the demo has no sign-in, so it is not served at a public https address.',
    ],
    [{ WEB_CONCURRENCY: '2', PORT: '0' }, 'WEB_CONCURRENCY=2 needs a PORT other than 0.'],
    [{ CONNECTORS: 'simplefinn' }, 'CONNECTORS names simplefinn, which could not be loaded: '],
    [{ CONNECTORS: './missing.ts' }, 'CONNECTORS names ./missing.ts, which could not be loaded: '],
    [
      { DATABASE_URL: 'sqlite:/nowhere/at/all/service.db' },
      'The database file /nowhere/at/all/service.db cannot be used: ',
    ],
  ];
  test.each(invalidSettings)('%o', async (settings, sentence) => {
    expect(await failure(settings, 'worker')).toContain(sentence);
  });

  test('DATABASE_URL=a file that is no database', async () => {
    const file = join(directory, 'text.db');
    await writeFile(file, 'A text file, which is no database. '.repeat(50));
    const sentence = `The database file ${file} cannot be used: file is not a database.`;
    expect(await failure({ DATABASE_URL: `sqlite:${file}` }, 'migrate')).toContain(sentence);
  });

  test('PORT=a port in use, with the command in its own process', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const settings = { DATA_DIR: join(directory, 'in-use'), PORT: String(port) };
    const { code, out, err } = await runCliProcess(settings, 'serve');
    await new Promise((resolve) => server.close(resolve));
    const sentence = `Cannot listen on 127.0.0.1:${port}: the address is already in use. Change PORT or HOST.\n`;
    expect({ code, out, err }).toEqual({ code: 1, out: '', err: sentence });
    // Nothing was created that is shown only once.
    const { out: organizations } = await runCli(settings, 'organizations', 'list', '--json');
    expect(JSON.parse(organizations)).toEqual({ organizations: [] });
  });
});

test('a variable that is no longer a setting is refused, with the replacement', async () => {
  expect(await failure({ LEASE_SECONDS: '60' }, 'serve')).toBe(
    'LEASE_SECONDS is no longer a setting: it is 30 in this version.\n',
  );
  expect(await failure({ FINTS_ANSWER_BYTES_MAX: '4096' }, 'worker')).toBe(
    'FINTS_ANSWER_BYTES_MAX is no longer a setting: CONNECTOR_ANSWER_BYTES_MAX is for all connectors.\n',
  );
});

test('the database file and the secrets in DATA_DIR can be read by their owner only', async () => {
  const DATA_DIR = join(directory, 'owned');
  expect((await runCli({ DATA_DIR }, 'organizations', 'list')).code).toBe(0);
  const entries = await readdir(DATA_DIR, { recursive: true, withFileTypes: true });
  const secrets = join(DATA_DIR, 'secrets');
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  expect(files).toEqual(expect.arrayContaining([join(DATA_DIR, 'service.db'), join(secrets, 'worker')]));
  const modesOf = async (paths: string[]) =>
    new Set(await Promise.all(paths.map(async (path) => ((await stat(path)).mode & 0o777).toString(8))));
  expect(await modesOf([DATA_DIR, secrets])).toEqual(new Set(['700']));
  expect(await modesOf(files)).toEqual(new Set(['600']));
});

describe.each(oneDatabase)('secrets and their database on $name', (database) => {
  let settings: Settings;
  let secrets: string;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    const created = await database.createEmpty();
    drop = created.drop;
    secrets = join(directory, `secrets-${database.name}`);
    settings = { DATABASE_URL: created.url, SECRETS_DIR: secrets };
    expect((await runCli({ DATA_DIR: directory, ...settings }, 'organizations', 'list')).code).toBe(0);
  });
  afterAll(() => drop());

  const withoutSecret = async (name: string, run: () => Promise<void>): Promise<void> => {
    const file = join(secrets, name);
    await rename(file, `${file}.moved`);
    await run();
    await rename(`${file}.moved`, file);
  };

  test('a missing secret', async () => {
    await withoutSecret('cursors', async () => {
      const sentence = `The secret ${join(secrets, 'cursors')} is missing: restore it from your backup, together`;
      expect(await failure(settings, 'worker')).toContain(sentence);
      expect(await failure(settings, 'organizations', 'list')).toContain(sentence);
    });
  });

  test('a missing worker secret stops only commands that need it', async () => {
    await withoutSecret('worker', async () => {
      expect(await failure(settings, 'refresh', 'run')).toContain(`${join(secrets, 'worker')} is missing`);
      expect(await failure(settings, 'worker')).toContain(`${join(secrets, 'worker')} is missing`);
      const { code } = await runCli({ DATA_DIR: directory, ...settings }, 'refresh', 'status');
      expect(code).toBe(0);
    });
  });

  test('a public key without its private key, or with a different one, at the first start', async () => {
    const first = join(directory, `first-${database.name}`);
    await mkdir(first, { recursive: true });
    const publicKey = join(first, 'worker.pub');
    const failFirstStart = async () => {
      const created = await database.createEmpty();
      const settings = { DATABASE_URL: created.url, SECRETS_DIR: first };
      const sentence = await failure(settings, 'organizations', 'list');
      await created.drop();
      return sentence;
    };
    await copyFile(join(secrets, 'worker.pub'), publicKey);
    expect(await failFirstStart()).toContain(
      `${publicKey} exists without ${join(first, 'worker')}: the first start on a database needs all secrets.`,
    );
    expect((await readdir(first)).includes('worker')).toBe(false);
    await copyFile(join(secrets, 'row-signing'), join(first, 'worker'));
    expect(await failFirstStart()).toContain(`${publicKey} does not match ${join(first, 'worker')}.`);
  });

  test('a secret of another database', async () => {
    const other = join(directory, `other-${database.name}`);
    await runCli({ DATA_DIR: other }, 'organizations', 'list');
    await withoutSecret('cursors', async () => {
      await copyFile(join(other, 'secrets', 'cursors'), join(secrets, 'cursors'));
      const sentence = `The secret ${join(secrets, 'cursors')} is for another database: SECRETS_DIR and`;
      expect(await failure(settings, 'refresh', 'run')).toContain(sentence);
      await rm(join(secrets, 'cursors'));
    });
  });

  test('a damaged secret', async () => {
    const file = join(secrets, 'api-keys');
    const original = await readFile(file, 'utf8');
    await writeFile(file, original.slice(0, 20));
    const sentence = `The secret ${file} is damaged: it must be 32 bytes in base64url.`;
    expect(await failure(settings, 'api-keys', 'revoke', 'key_x')).toContain(sentence);
    await writeFile(file, original);
  });

  test('a secret without a current version', async () => {
    const db = await openDatabase(settings.DATABASE_URL!);
    const cursors = () => db.write('service_secrets').where({ name: 'cursors' });
    await cursors().update({ state: 'retiring' });
    const sentence = 'The table service_secrets has no current version of cursors, so it was changed.';
    expect(await failure(settings, 'organizations', 'list')).toContain(sentence);
    await cursors().update({ state: 'current' });
    await db.close();
  });

  test('a database migrated by another version', async () => {
    const db = await openDatabase(settings.DATABASE_URL!);
    const newer = { name: '9999_newer' };
    await db.write('schema_migrations').insert(newer);
    await db.write('schema_compatibility').update({ oldestVersion: 9999 });
    const sentence =
      'This database belongs to a newer version of the service (9999_newer), and schema version 1';
    expect(await failure(settings, 'migrate')).toContain(sentence);
    expect(await failure(settings, 'worker')).toContain(sentence);
    await db.write('schema_migrations').where({ name: '9999_newer' }).delete();
    await db.write('schema_compatibility').update({ oldestVersion: 1 });
    await db.close();
    const { out } = await runCli({ DATA_DIR: directory, ...settings }, 'migrate');
    expect(out).toBe(
      `The database is up to date.\nThe schema version is ${schemaVersion}. Processes with schema version 1 or later can use it.\n`,
    );
  });
});
