// The service as an npm package: built, started by its launcher on each Node of this machine, and, with TEST_ALL, installed by
// npm from its tarball, which needs a registry.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdirSync, statSync } from 'node:fs';
import { cp, realpath } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../support/cli.ts';
import { freePort } from '../support/freePort.ts';
import { hostPath, makeNpmEnv } from '../support/npmEnv.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const launcher = join(root, 'server/dist/bank-connection.cjs');

const env = makeNpmEnv();

const makeFolder = async (): Promise<string> => {
  const directory = await temporaryDirectory();
  onTestFinished(directory.remove);
  return realpath(directory.path);
};

/** Starts a serving program in a folder, and waits for its first output. */
const start = async (cwd: string, [program, ...args]: [string, ...string[]], settings = {}) => {
  const PORT = String(await freePort());
  const startedAt = performance.now();
  const child = spawn(program, args, { cwd, env: { ...env, PORT, LOG_LEVEL: 'error', ...settings } });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  const closed = once(child, 'close').then(([code, signal]) => code ?? signal);
  const serving = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text) => {
        output += text;
        if (output.includes('Bank Connection Data Service at')) resolve();
      });
  });
  await Promise.race([
    serving,
    closed.then((code) => {
      throw new Error(`It ended with ${code}: ${output}`);
    }),
  ]);
  const get = (path: string) => fetch(`http://127.0.0.1:${PORT}${path}`);
  const stop = async () => {
    child.kill('SIGTERM');
    const code = await closed;
    await expect.poll(() => get('/health').catch(() => 'free')).toBe('free');
    return code;
  };
  return { output: () => output, get, stop, startedAt };
};

const nodes = hostPath.split(delimiter).map((folder) => join(folder, 'node'));

test.each([process.execPath, ...new Set(nodes.filter((file) => existsSync(file)))])(
  'the launcher serves the demo on %s, names its data, and ends at SIGTERM',
  async (node) => {
    const folder = await makeFolder();
    const server = await start(folder, [node, launcher]);
    expect(server.output()).toContain(`Data                      ${join(folder, 'data')}\n`);
    expect(existsSync(join(folder, 'data/service.db'))).toBe(true);
    for (const path of ['/demo', '/dashboard', '/docs', '/connect.js', '/openapi.yaml', '/llms.txt'])
      expect((await server.get(path)).status, path).toBe(200);
    expect(await server.stop()).toBe(0);
  },
);

test('the package has the connectors of this repository', async () => {
  const { stdout } = await run(process.execPath, [launcher, 'config', 'print'], { env });
  expect(stdout).toMatch(/^ENABLE_BANKING_KEY .*^FINTS_BANKS /ms);
});

test('the package has no test, no TypeScript and no module that only tests need', () => {
  const files = globSync('{src,connectors,client,generated}/**', { cwd: join(root, 'server/dist') });
  expect(files.filter((file) => /\.ts$|\.md$|test|conformance/.test(file))).toEqual([]);
});

const megabytesOf = (folder: string): number =>
  globSync(`${folder}/**`, { withFileTypes: true })
    .map((entry) => statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false }))
    .reduce((sum, file) => sum + (file?.blocks ?? 0) * 512, 0) / 1e6;

describe.runIf(process.env.TEST_ALL)('from the tarball', () => {
  const pack = async (source: string, into: string): Promise<string> => {
    const args = ['pack', '--json', '--pack-destination', into];
    const { stdout } = await run('npm', args, { cwd: join(root, source), env });
    return join(into, JSON.parse(stdout)[0].filename);
  };

  test('npx serves the demo from an empty cache within 120 MB', {
    timeout: 180_000,
  }, async () => {
    const folder = await makeFolder();
    const tarball = await pack('server/dist', folder);
    const cache = join(folder, 'cache');
    const npx = ['npx', '--yes', '--cache', cache, '--package', tarball, 'bank-connection'] as const;
    const on24 = { PATH: [dirname(process.execPath), hostPath].join(delimiter) };
    const server = await start(folder, [...npx], on24);
    const seconds = (performance.now() - server.startedAt) / 1000;
    expect((await server.get('/demo')).status).toBe(200);
    const megabytes = megabytesOf(join(cache, '_npx'));
    console.log(`npx: ${seconds.toFixed(1)} s, ${megabytes.toFixed(0)} MB`);
    // It takes 10 seconds on an idle machine, and often twice as long next to other tests.
    expect(seconds).toBeLessThan(45);
    expect(megabytes).toBeLessThan(120);
    // npx itself reports the signal.
    expect([0, 143, 'SIGTERM']).toContain(await server.stop());
  });

  test('a custom connector is loaded next to the installed package', { timeout: 180_000 }, async () => {
    const folder = await makeFolder();
    const tarballs = [await pack('server/dist', folder), await pack('connectors/kit/dist', folder)];
    await run('npm', ['install', '--prefix', folder, ...tarballs], { env });
    mkdirSync(join(folder, 'own'));
    await cp(join(root, 'examples/new-connector'), join(folder, 'own'), {
      recursive: true,
      filter: (path) => !['node_modules', 'dist', 'package.json'].includes(basename(path)),
    });
    const installed = join(folder, 'node_modules/@bank-connection/server/bank-connection.cjs');
    const own = { CONNECTORS: './own/src/connector.ts,simplefin', HARBOUR_BANK_URL: 'http://127.0.0.1:9' };
    const server = await start(folder, [process.execPath, installed], own);
    expect(await server.stop()).toBe(0);
    const wrong = { ...own, CONNECTORS: './own/src/missing.ts' };
    await expect(start(folder, [process.execPath, installed], wrong)).rejects.toThrow(/could not be loaded/);
  });
});
