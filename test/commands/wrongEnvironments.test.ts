// A start in a wrong environment fails before anything is written, with one sentence that explains the problem and the remedy.
// Every command prints the same sentence.
import { once } from 'node:events';
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { certificates, key } from '../support/certificates.ts';
import { runCli, type Settings, spawnCli, temporaryDirectory } from '../support/cli.ts';
import { databases } from '../support/databases.ts';
import { withClient } from '../support/postgresDatabases.ts';

let directory: string;
let remove: () => Promise<void>;
beforeAll(async () => {
  ({ path: directory, remove } = await temporaryDirectory());
});
afterAll(() => remove());

/** The sentence with which a command fails, without a stack. */
const failure = async (settings: Settings, ...args: string[]): Promise<string> => {
  const { code, out, err } = await runCli({ DATA_DIR: join(directory, 'data'), ...settings }, ...args);
  expect(err).not.toMatch(/^ {4}at /m);
  expect({ code, out, lines: err.trimEnd().split('\n').length }, err).toEqual({ code: 1, out: '', lines: 1 });
  return err.trimEnd();
};

const connecting = [['migrate'], ['serve'], ['worker'], ['applications', 'list']];

const encode =
  'DATABASE_URL has a character that must be percent-encoded, perhaps in the password: write %40 for @, %2F for /, %3F for ?, %23 for # and %25 for %.';

describe('DATABASE_URL, of which nothing is repeated', () => {
  const wrongUrls: [url: string, sentence: string][] = [
    ...['p@ss', 'p/ss', 'p?ss', 'p#ss', '1/2@ss', '12?ss=1', '50%ss'].map((password): [string, string] => [
      `postgres://bank:${password}@db.example/bank`,
      encode,
    ]),
    ...[
      ...['one.example,two.example/bank', 'one.example:5432,two.example:5433/bank', '[::1],[::2]/bank'],
      ...['one.example%2Ctwo.example/bank', '/bank?host=one.example,two.example'],
      ...['/bank?host=one.example&host=two.example', 'one.example/bank?port=5432,5433'],
    ].map((rest): [string, string] => [
      `postgres://bank:ss@${rest}`,
      'DATABASE_URL names several hosts, but the service connects to one: name the primary, or a proxy that leads to it.',
    ]),
    [
      'postgres://bank:ss@db.example:port/bank',
      'DATABASE_URL must look like postgres://user:password@host:5432/database.',
    ],
    [
      'postgres://bank:ss@db.example/bank?sslmode=prefer',
      'sslmode in DATABASE_URL must be one of disable, no-verify, require, verify-ca, verify-full.',
    ],
    [
      'mysql://bank:ss@db.example/bank',
      'DATABASE_URL must be sqlite: and the path of a file, or begin with postgres://.',
    ],
  ];
  const commands = [['config', 'print'], ...connecting];
  test.for(wrongUrls)('%s', async ([url, sentence]) => {
    // Each command reads the URL in the same way.
    const isPlayedByAll = process.env.TEST_ALL || url === wrongUrls[0]![0];
    for (const words of isPlayedByAll ? commands : commands.slice(0, 1))
      expect(await failure({ DATABASE_URL: url }, ...words)).toBe(sentence);
  });

  test('a socket directory and percent-encoded passwords are taken', async () => {
    for (const url of ['postgres://bank:p%40s%25@/bank?host=/nowhere', 'postgres:///bank?host=/nowhere'])
      expect(await failure({ DATABASE_URL: url }, 'migrate')).toMatch(/at \/nowhere:5432 does not answer: /);
    const withPort = { DATABASE_URL: 'postgres:///bank?port=5433&host=/nowhere' };
    expect(await failure(withPort, 'migrate')).toMatch(/at \/nowhere:5433 does not answer: /);
  });
});

for (const database of databases.filter(({ name }) => name === 'PostgreSQL')) {
  describe('PostgreSQL', () => {
    let url: URL;
    let drop: () => Promise<void>;
    const run = (sql: string) => withClient(url.href, (client) => client.query(sql));
    beforeAll(async () => {
      const empty = await database.createEmpty();
      ({ drop } = empty);
      url = new URL(empty.url);
    });
    afterAll(() => drop());

    const urlWith = (change: Partial<URL>): string => Object.assign(new URL(url), change).href;

    /** Every command that connects prints this sentence. */
    const expectSentence = async (databaseUrl: string, sentence: string | RegExp): Promise<void> => {
      for (const words of connecting) {
        const said = await failure({ DATABASE_URL: databaseUrl }, ...words);
        if (typeof sentence === 'string') expect(said, words.join(' ')).toBe(sentence);
        else expect(said, words.join(' ')).toMatch(sentence);
      }
    };
    const createRole = async (name: string): Promise<void> => {
      await run(`create role ${name} login password 'right'`);
      onTestFinished(() => run(`drop role ${name}`).then(() => {}));
    };

    const server = (said: string): string => `The PostgreSQL server at ${url.host} ${said}`;
    const create = `create database "nothing" encoding 'UTF8' locale 'C' template template0;`;
    const grant = 'grant usage, create on schema "public" to "no_rights";';
    const cases: [what: string, change: Partial<URL>, sentence: () => string][] = [
      [
        'a role that may not create tables',
        { username: 'no_rights' },
        () =>
          `The role "no_rights" of DATABASE_URL may not migrate the database: permission denied for schema public. As an administrator, run in that database: ${grant}`,
      ],
      [
        'a wrong password',
        { username: 'needs_password', password: 'wrong' },
        () => server('does not accept the user "needs_password" with the password of DATABASE_URL.'),
      ],
      [
        'a server that demands TLS',
        { username: 'needs_tls' },
        () => server('demands TLS: add ?sslmode=require to DATABASE_URL.'),
      ],
      [
        'TLS with a server that has none',
        { search: '?sslmode=require' },
        () => server('has no TLS: leave sslmode out of DATABASE_URL, or enable TLS on the server.'),
      ],
      [
        'an unknown database',
        { pathname: '/nothing' },
        () => server(`has no database "nothing". As an administrator, run: ${create}`),
      ],
      [
        'nothing that answers',
        { port: '1' },
        () =>
          'The PostgreSQL server at 127.0.0.1:1 does not answer: connect ECONNREFUSED 127.0.0.1:1 (ECONNREFUSED).',
      ],
    ];
    test.for(cases)('%s', async ([, change, sentence]) => {
      if (change.username) await createRole(change.username);
      await expectSentence(urlWith(change), sentence());
    });

    test('a role that does not own the tables of a migrated database', async () => {
      const migrated = await database.create();
      onTestFinished(migrated.drop);
      await createRole('no_reader');
      const { href } = Object.assign(new URL(migrated.url), { username: 'no_reader' });
      await expectSentence(href, /^permission denied for table \w+ \(42501\)\.$/);
    });

    test('an encoding that cannot store every text', async () => {
      await run(
        "create database latin1 encoding 'LATIN1' locale_provider libc locale 'C' template template0",
      );
      onTestFinished(() => run('drop database latin1').then(() => {}));
      await expectSentence(
        urlWith({ pathname: '/latin1' }),
        `The database "latin1" has the encoding LATIN1, but the service needs UTF8. As an administrator, run: create database "latin1_utf8" encoding 'UTF8' locale 'C' template template0;`,
      );
    });

    test('sslmode=require prints only the sentence, in a separate process', async () => {
      const { code, err } = await runProcess({ DATABASE_URL: urlWith({ search: '?sslmode=require' }) });
      expect({ code, lines: err.trimEnd().split('\n').length }, err).toEqual({ code: 1, lines: 1 });
    });

    test('no right to connect to the database', async () => {
      await createRole('outsider');
      const name = url.pathname.slice(1);
      await run(`revoke connect on database ${name} from public`);
      const sentence = `The user "outsider" may not connect to the database "${name}". As an administrator, run in that database: grant connect on database "${name}" to "outsider";`;
      await expectSentence(urlWith({ username: 'outsider' }), sentence);
      await run(`grant connect on database ${name} to public`);
    });
  });
}

test('a PostgreSQL server whose certificate is not trusted', async () => {
  const port = await startTlsServer();
  const DATABASE_URL = `postgres://bank@127.0.0.1:${port}/bank?sslmode=verify-full`;
  expect(await failure({ DATABASE_URL }, 'migrate')).toBe(
    `The PostgreSQL server at 127.0.0.1:${port} has a certificate that is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT). Name the file of its authority by sslrootcert=FILE in DATABASE_URL.`,
  );
  const missing = `${DATABASE_URL}&sslrootcert=/nowhere.crt`;
  expect(await failure({ DATABASE_URL: missing }, 'migrate')).toBe(
    "DATABASE_URL cannot be used: ENOENT: no such file or directory, open '/nowhere.crt'.",
  );
});

/** A server that accepts TLS and presents a self-signed certificate. */
const startTlsServer = async (): Promise<number> => {
  const server = createServer((socket) => {
    socket.once('data', () => {
      socket.write('S');
      new TLSSocket(socket, { isServer: true, key, cert: certificates.valid }).on('error', () => {});
    });
    socket.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
};

/** Runs a command in its own process, as another user if one is given. */
const runProcess = async (
  settings: Settings,
  uid?: number,
  command = 'migrate',
): Promise<{ code: number; err: string }> => {
  const wrapper = uid === undefined ? [] : ['setpriv', `--reuid=${uid}`, '--clear-groups'];
  const environment = { DATA_DIR: join(directory, 'data'), ...settings };
  const child = spawnCli([command], environment, undefined, { wrapper });
  let err = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const [code] = await once(child, 'close');
  return { code, err };
};

// Only root can switch to another user, and permissions do not restrict root.
describe.runIf(process.getuid?.() === 0)('files of another user', () => {
  const nobody = 65534;
  const ownerOf = (path: string) =>
    `${path} belongs to the user with the id 0, and this process runs as ${nobody}: start it as that user, or let this one read and write there.`;
  const makeDirectory = async (name: string, mode: number): Promise<string> => {
    const path = join(directory, name);
    await chmod(directory, 0o755);
    await mkdir(path);
    await chmod(path, mode);
    return path;
  };

  const cannotBeUsed = (path: string, denied: string) =>
    `The database file ${path}/service.db cannot be used: EACCES: permission denied, access '${denied}'.`;

  test.for([
    ['that cannot be read', 0o700],
    ['that cannot be written', 0o755],
  ] as const)('a data directory %s', async ([name, mode]) => {
    const path = await makeDirectory(name, mode);
    const err = `${cannotBeUsed(path, path)} ${ownerOf(path)}\n`;
    expect(await runProcess({ DATA_DIR: path }, nobody)).toEqual({ code: 1, err });
    expect(await readdir(path)).toEqual([]);
  });

  test('a parent of the data directory', async () => {
    const path = await makeDirectory('parent', 0o755);
    const err = `The DATA_DIR directory ${path}/data cannot be created (EACCES). ${ownerOf(path)}\n`;
    expect(await runProcess({ DATA_DIR: join(path, 'data') }, nobody)).toEqual({ code: 1, err });
  });

  /** A directory with a database file, both with these permissions. */
  const makeDatabase = async (name: string, { directoryMode = 0o777, mode = 0o666 }) => {
    const path = await makeDirectory(name, directoryMode);
    const file = join(path, 'service.db');
    await writeFile(file, '');
    await chmod(file, mode);
    return { path, file };
  };

  test('a database file', async () => {
    const { path, file } = await makeDatabase('file', { mode: 0o644 });
    const { code, err } = await runProcess({ DATA_DIR: path }, nobody);
    expect(code).toBe(1);
    expect(err).toContain(`The database file ${file} cannot be used: EACCES: permission denied, `);
    expect(err).toContain(ownerOf(file));
  });

  test.for(['-wal', '-shm'])('the %s file of a database', async (suffix) => {
    const { path, file } = await makeDatabase(`file${suffix}`, {});
    await writeFile(`${file}${suffix}`, '', { mode: 0o600 });
    const err = `${cannotBeUsed(path, file + suffix)} ${ownerOf(file + suffix)}\n`;
    expect(await runProcess({ DATA_DIR: path }, nobody)).toEqual({ code: 1, err });
  });

  test('a read-only directory with a writable database file', async () => {
    const { path } = await makeDatabase('directory', { directoryMode: 0o755 });
    const err = `${cannotBeUsed(path, path)} ${ownerOf(path)}\n`;
    expect(await runProcess({ DATA_DIR: path }, nobody, 'serve')).toEqual({ code: 1, err });
  });

  test('the secrets', async () => {
    const path = await makeDirectory('secrets', 0o777);
    const secrets = await makeDirectory('other', 0o700);
    const { code, err } = await runProcess({ DATA_DIR: path, SECRETS_DIR: secrets }, nobody, 'worker');
    expect(code).toBe(1);
    expect(err).toMatch(/ in SECRETS_DIR cannot be read or written \(EACCES\)\. /);
    expect(err).toContain(ownerOf(secrets));
    expect(err).not.toMatch(/^ {4}at /m);
  });
});

const BASE_URL = 'https://bank.example';
test.for([
  [
    { HOST: 'nowhere.invalid', BASE_URL },
    /^Cannot listen on nowhere\.invalid:3000: .*\. Change PORT or HOST\.$/,
  ],
  [{ HOST: '203.0.113.1', BASE_URL }, /^Cannot listen on 203\.0\.113\.1:3000: .*\. Change PORT or HOST\.$/],
  [{ SECRETS_DIR: '/dev/null' }, /^\/dev\/null in SECRETS_DIR cannot be read or written \(EEXIST\)\.$/],
  [
    { DATA_DIR: '/dev/null/data' },
    /^The DATA_DIR directory \/dev\/null\/data cannot be created \(ENOTDIR\)\.$/,
  ],
  [{ DATABASE_URL: 'sqlite:/dev' }, /^The database file \/dev cannot be used: .*\.$/],
] as const)('%o', async ([settings, sentence]) => {
  expect(await failure(settings, 'serve')).toMatch(sentence);
});
