// A log that cannot be written because its reader has stopped or its disk is full. The service still responds.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, existsSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { afterFile } from '../support/cleanups.ts';
import { spawnCli, temporaryDirectory } from '../support/cli.ts';

let directory: { path: string; remove(): Promise<void> };
beforeAll(async () => {
  directory = await temporaryDirectory();
});
afterAll(() => directory.remove());

/** Starts `serve`, which writes its result to standard output, and a log line for each request to `log`. */
const serve = async (log: number | 'pipe') => {
  const settings = { DATA_DIR: join(directory.path, crypto.randomUUID()), PORT: '0', LOG_LEVEL: 'info' };
  const child = spawnCli(['serve', '--json'], settings, ['ignore', 'pipe', log]);
  afterFile(async () => child.kill('SIGKILL'));
  const [output] = await once(child.stdout!, 'data');
  const { baseUrl } = JSON.parse(String(output)) as { baseUrl: string };
  return { child, url: baseUrl.replace('localhost', '127.0.0.1') };
};
type Served = Awaited<ReturnType<typeof serve>>;

const requests = 1_500;

/** Logs over 200 bytes per request, more than a pipe (64 KiB) or a socket (208 KiB) holds. Every request gets a response. */
const requestOften = async ({ url }: Served): Promise<void> => {
  const statuses = new Map<number, number>();
  const send = async () => {
    const response = await fetch(`${url}/institutions`);
    await response.arrayBuffer();
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
  };
  for (let sent = 0; sent < requests; sent += 50) await Promise.all(Array.from({ length: 50 }, send));
  expect([...statuses.values()].reduce((sum, count) => sum + count)).toBe(requests);
  expect((await fetch(`${url}/health`)).status).toBe(200);
};

const stop = async ({ child }: Served): Promise<number | null> => {
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  return code;
};

const readAll = (fd: number): string => {
  const chunks: Buffer[] = [];
  const chunk = Buffer.alloc(65_536);
  try {
    for (let read = readSync(fd, chunk); read > 0; read = readSync(fd, chunk))
      chunks.push(Buffer.from(chunk.subarray(0, read)));
  } catch {
    // The reader has nothing more to read at present.
  }
  return Buffer.concat(chunks).toString();
};

test('a pipe whose reader has stopped: nothing blocks, and the reader gets every line when it continues', async () => {
  const path = join(directory.path, 'pipe');
  execFileSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(path, 'w');
  const served = await serve(writer);
  closeSync(writer);
  await requestOften(served);
  let log = '';
  const lines = () => {
    log += readAll(reader);
    return log.split('\n').filter((line) => line.includes('"msg":"request"')).length;
  };
  await expect.poll(lines, { timeout: 20_000 }).toBe(requests + 1);
  for (const line of log.trimEnd().split('\n')) expect(() => JSON.parse(line)).not.toThrow();
  expect(await stop(served)).toBe(0);
  closeSync(reader);
});

test('a pipe whose reader has gone', async () => {
  const path = join(directory.path, 'gone');
  execFileSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(path, 'w');
  const served = await serve(writer);
  closeSync(writer);
  closeSync(reader);
  await requestOften(served);
  expect(await stop(served)).toBe(0);
});

test('a socket whose reader has stopped', async () => {
  const served = await serve('pipe');
  served.child.stderr!.pause();
  await requestOften(served);
  expect(await stop(served)).toBe(0);
});

test('a full disk', async ({ skip }) => {
  skip(!existsSync('/dev/full'), 'which need /dev/full');
  const full = openSync('/dev/full', 'w');
  const served = await serve(full);
  closeSync(full);
  await requestOften(served);
  expect(await stop(served)).toBe(0);
});

const logFile = fileURLToPath(new URL('../../src/platform/telemetry/log.ts', import.meta.url));
const given = 30_000;

/** Writes 5 MB of lines at once. On a signal, it ends with a line that has the counter. */
const flood = `
import { droppedLogLines, makeLog } from ${JSON.stringify(logFile)};
const log = makeLog('info');
for (let at = 0; at < ${given}; at++) log.info({ at }, 'x'.repeat(100));
const waiting = setInterval(() => {}, 1000);
process.once('SIGTERM', () => {
  log.info({ counted: droppedLogLines() }, 'end');
  clearInterval(waiting);
});
console.error('written');`;

test('up to 1 MiB of lines is buffered; further ones are dropped, counted, and reported in a separate line', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', flood], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  afterFile(async () => child.kill('SIGKILL'));
  await once(child.stderr, 'data');
  let log = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    log += text;
  });
  await expect.poll(() => log).toContain('log lines dropped');
  child.kill('SIGTERM');
  const [code] = await once(child, 'close');
  expect(code).toBe(0);
  const lines = log
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const written = lines.flatMap(({ at }) => at ?? []);
  const reports = lines.filter(({ dropped }) => dropped !== undefined);
  expect(reports).toHaveLength(1);
  expect(written).toEqual(Array.from({ length: given - reports[0].dropped }, (_, at) => at));
  expect(lines.at(-1)).toMatchObject({ msg: 'end', counted: reports[0].dropped });
  // The reader's side of the socket also buffers some data.
  expect(log.length).toBeGreaterThan(1_000_000);
  expect(log.length).toBeLessThan(1_600_000);
});
