// Starts PgBouncer, a connection pooler, in front of a PostgreSQL server, if it is installed. Its files are in a temporary
// directory.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from './freePort.ts';

export const hasPgBouncer = spawnSync('pgbouncer', ['--version']).status === 0;

/** `settings` are lines of its configuration. */
export const startPgBouncer = async (
  databaseUrl: string,
  settings: Record<string, string | number>,
): Promise<{ url: string; stop(): Promise<void> }> => {
  const server = new URL(databaseUrl);
  const directory = await mkdtemp(join(tmpdir(), 'bank-connection-pgbouncer-'));
  const port = await freePort();
  const configuration = [
    '[databases]',
    `* = host=${server.hostname} port=${server.port} user=${server.username}`,
    '[pgbouncer]',
    ...Object.entries({
      ...{ listen_addr: '127.0.0.1', listen_port: port, unix_socket_dir: '', auth_type: 'any' },
      ...settings,
    }).map(([name, value]) => `${name} = ${value}`),
  ];
  await writeFile(join(directory, 'pgbouncer.ini'), configuration.join('\n'));
  await chmod(directory, 0o755);
  // PgBouncer refuses to run as root.
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child = spawn('pgbouncer', [...user, join(directory, 'pgbouncer.ini')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(child, 'exit');
  const log: string[] = [];
  const isUp = new Promise<true>((resolve) => {
    createInterface({ input: child.stderr }).on('line', (line) => {
      log.push(line);
      if (line.includes('process up')) resolve(true);
    });
  });
  if ((await Promise.race([isUp, exited])) !== true) throw new Error(log.join('\n'));
  server.host = `127.0.0.1:${port}`;
  return {
    url: server.href,
    stop: async () => {
      child.kill('SIGINT');
      await exited;
      await rm(directory, { recursive: true, force: true });
    },
  };
};
