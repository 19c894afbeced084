// The image: the files from deploy/image/service.ts suffice to run `serve` and `worker`. With TEST_ALL both images are built and
// run, as their user, without privileges, on a read-only file system: with runc, or with bwrap if control groups forbid runc. The
// image for the other architecture runs with qemu-user.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { arch } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type Architecture, assembleService } from '../../deploy/image/service.ts';
import { temporaryDirectory } from '../support/cli.ts';
import { programEnv } from '../support/environment.ts';
import { freePort } from '../support/freePort.ts';
import { makeNpmEnv } from '../support/npmEnv.ts';
import { parseYaml } from '../support/yaml.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8');

/** Runs the image's program until its output matches `output`. */
const runUntil = async (
  directory: string,
  { args, env, output }: { args: string[]; env: Record<string, string>; output: RegExp },
): Promise<string> => {
  const child = spawn(process.execPath, ['src/main.js', ...args], {
    cwd: directory,
    env: { ...programEnv, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  }
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await exited;
  });
  await expect.poll(() => output.test(text) || child.exitCode !== null, { timeout: 50_000 }).toBe(true);
  expect(text).toMatch(output);
  return text;
};

test('/service has all files of serve and worker, and the pages', { timeout: 180_000 }, async () => {
  const { path, remove } = await temporaryDirectory();
  onTestFinished(remove);
  assembleService(path, process.arch as Architecture);
  const directory = join(path, 'service');
  const banks = [{ id: 'm', name: 'M', bankCode: '12345678', url: 'https://m.example/', country: 'DE' }];
  await writeFile(join(directory, 'banks.json'), JSON.stringify(banks));
  const env = {
    ...{ CONNECTORS: 'fints,simplefin', FINTS_PRODUCT_ID: 'A', FINTS_BANKS: 'banks.json' },
    ...{ NODE_ENV: 'production', HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'silent', DEMO: 'on' },
    DATA_DIR: join(directory, 'data'),
  };
  const text = await runUntil(directory, { args: ['serve'], env, output: /"demo"|Health +http/ });
  const [, base] = /Health +(http\S+)\/health/.exec(text)!;
  const pages = ['/docs', '/openapi.yaml', '/connect.js', '/connect', '/dashboard', '/demo'];
  for (const path of ['/health', ...pages]) {
    const response = await fetch(`${base}${path}`);
    await response.arrayBuffer();
    expect([path, response.status]).toEqual([path, 200]);
  }
  await runUntil(directory, { args: ['worker'], env, output: /Running imports/ });
});

describe('the files', () => {
  test('the Dockerfile creates the same /service, and a user that Kubernetes recognizes as not root', async () => {
    const text = await read('Dockerfile');
    expect(text).toContain('node deploy/image/service.ts /image');
    expect(text).toMatch(/^COPY --from=build \/image \/$/m);
    expect(text).toMatch(/^USER 1000:1000$/m);
    // The instructions are part of the image, so none may contain a secret.
    expect(text).not.toMatch(/^(ARG|ENV) .*(PASSWORD|SECRET_|TOKEN|DATABASE_URL)/m);
  });

  test('the service has no secret of the worker, and waits for its dependencies', async () => {
    const { services, volumes } = parseYaml(await read('compose.yaml'));
    const { prepare, service, worker, database } = services;
    const own = ['prepare', 'service', 'worker'];
    expect(Object.keys(services)).toEqual(['proxy', ...own, 'database', 'prometheus']);
    for (const name of own)
      expect([services[name].ulimits, services[name].pids_limit, services[name].entrypoint]).toEqual([
        { core: 0 },
        200,
        undefined,
      ]);
    expect(service.healthcheck.test.join()).toContain('/health/ready');
    expect(service.volumes).toEqual(['serving-secrets:/secrets:ro']);
    expect(service.command).toContain('--no-worker');
    expect(worker.volumes).toEqual(['secrets:/secrets:ro']);
    const waiting = { prepare: { condition: 'service_completed_successfully' } };
    expect([service.depends_on, worker.depends_on]).toEqual([waiting, waiting]);
    expect(prepare.depends_on).toEqual({ database: { condition: 'service_healthy' } });
    expect(database.healthcheck.test.join(' ')).toContain('pg_isready');
    const names = ['proxy-data', 'proxy-config', 'secrets', 'serving-secrets', 'database', 'prometheus'];
    expect(Object.keys(volumes)).toEqual(names);
    // Both containers share settings through YAML anchors.
    expect(service.environment.DATABASE_URL).toBe(worker.environment.DATABASE_URL);
    expect([service.read_only, worker.read_only]).toEqual([true, true]);
  });

  test('the password of the database has no default', async () => {
    const text = await read('compose.yaml');
    const uses = [...text.matchAll(/\$\{POSTGRES_PASSWORD[^}]*\}/g)].map(([use]) => use);
    expect(uses).toHaveLength(2);
    for (const use of uses) expect(use).toMatch(/^\$\{POSTGRES_PASSWORD:\?.+\}$/);
  });

  test('the build context contains no secrets and no build output', async () => {
    const ignored = (await read('.dockerignore')).split('\n');
    expect(ignored).toEqual(expect.arrayContaining(['.git', '**/node_modules', 'dist', 'data', 'test']));
  });
});

const debianPackages: Record<string, string> = { bwrap: 'bubblewrap' };
const isInstalled = (program: string): boolean => spawnSync('which', [program]).status === 0;
const missingOf = (...programs: string[]): string[] =>
  programs.filter((program) => !isInstalled(program)).map((program) => debianPackages[program] ?? program);

const platforms = { amd64: { node: 'x64', qemu: 'x86_64' }, arm64: { node: 'arm64', qemu: 'aarch64' } };
const user = 1000;
const limits = { 'MiB on disk': 180, 'MB to pull': 65 };

type ImageConfig = { Entrypoint: string[]; Env: string[]; User: string; Volumes: object };
type Run = { args: string[]; env: string[] };

describe.runIf(process.env.TEST_ALL).each(['amd64', 'arm64'] as const)('the image for %s', (platform) => {
  const emulator = platforms[platform].node === arch() ? '' : `qemu-${platforms[platform].qemu}-static`;
  const needsEmulator = emulator && !isInstalled(emulator) ? ['qemu-user-static'] : [];
  const missing = [...missingOf('mmdebstrap', 'runc', 'bwrap'), ...needsEmulator];
  let image: ImageConfig;
  let printed: string;
  let bundle: string;
  let removeBundle: () => Promise<void>;

  beforeAll(async () => {
    ({ path: bundle, remove: removeBundle } = await temporaryDirectory());
    if (missing.length > 0) return;
    const build = [join(root, 'deploy/image/build.ts'), platform];
    printed = execFileSync(process.execPath, build, { encoding: 'utf8', env: makeNpmEnv() });
    const blob = (digest: string) => join(root, 'dist/image/blobs', digest.replace(':', '/'));
    const json = async (file: string) => JSON.parse(await readFile(file, 'utf8'));
    const { manifests } = await json(join(root, 'dist/image/index.json'));
    const [{ digest: all }] = manifests;
    const [{ digest }] = (await json(blob(all))).manifests;
    const { config, layers } = await json(blob(digest));
    image = (await json(blob(config.digest))).config;
    await mkdir(join(bundle, 'rootfs'));
    for (const layer of layers)
      execFileSync('tar', ['-xzpf', blob(layer.digest), '--numeric-owner', '-C', join(bundle, 'rootfs')]);
    // Mounted in advance, because the root is read-only later.
    if (emulator) await writeFile(join(bundle, 'rootfs/dev/emulator'), '');
    await mkdir(join(bundle, 'data'), { mode: 0o700 });
  }, 600_000);
  afterAll(() => removeBundle());
  beforeEach(({ skip }) => skip(missing.length > 0, `which need the Debian packages ${missing.join(', ')}`));

  const emulatorPath = `/usr/bin/${emulator}`;

  const byRunc = async ({ args, env }: Run): Promise<string[]> => {
    const folder = await mkdtemp(join(bundle, 'run-'));
    execFileSync('runc', ['spec'], { cwd: folder });
    const spec = JSON.parse(await readFile(join(folder, 'config.json'), 'utf8'));
    const { process: defaults, mounts, linux } = spec;
    spec.process = { ...defaults, args, env, cwd: '/service', terminal: false, capabilities: {} };
    spec.process.user = { uid: user, gid: user };
    spec.root = { path: join(bundle, 'rootfs'), readonly: true };
    const bind = (source: string, destination: string, ...options: string[]) =>
      mounts.push({ destination, type: 'bind', source, options: ['rbind', ...options] });
    bind(join(bundle, 'data'), '/data', 'rw');
    mounts.push({ destination: '/tmp', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'nodev'] });
    if (emulator) bind(emulatorPath, '/dev/emulator', 'ro');
    // Uses this machine's network, so that the test can connect.
    linux.namespaces = linux.namespaces.filter(({ type }: { type: string }) => type !== 'network');
    await writeFile(join(folder, 'config.json'), JSON.stringify(spec));
    // A killed runc leaves its container.
    onTestFinished(() => void spawnSync('runc', ['delete', '--force', basename(folder)]));
    return ['runc', 'run', '--bundle', folder, basename(folder)];
  };

  const byBwrap = async ({ args, env }: Run): Promise<string[]> => [
    ...['bwrap', '--ro-bind', join(bundle, 'rootfs'), '/', '--bind', join(bundle, 'data'), '/data'],
    ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp', '--chdir', '/service', '--clearenv'],
    ...(emulator ? ['--ro-bind', emulatorPath, '/dev/emulator'] : []),
    ...env.flatMap((one) => ['--setenv', ...one.split(/=(.*)/s).slice(0, 2)]),
    ...['--unshare-pid', '--unshare-ipc', '--as-pid-1', '--die-with-parent', '--new-session'],
    ...['--unshare-user', '--uid', String(user), '--gid', String(user), ...args],
  ];

  /** Starts the image's program with a command, in a separate container on the shared volume. */
  const start = async (engine: typeof byRunc, command: string[], settings: Record<string, string> = {}) => {
    const [program = '', ...args] = emulator
      ? ['/dev/emulator', '/usr/bin/node', '/usr/bin/bank-connection', ...command]
      : [...image.Entrypoint, ...command];
    const env = [...image.Env, ...Object.entries(settings).map(([name, value]) => `${name}=${value}`)];
    const [container = '', ...rest] = await engine({ args: [program, ...args], env });
    const child = spawn(container, rest, { stdio: ['ignore', 'pipe', 'pipe'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    let output = '';
    let errors = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (errors += text));
    const ended = once(child, 'close').then(([code]) => code as number);
    return { child, ended, output: () => output, errors: () => errors };
  };

  test('is small, has one volume, and no user that a cluster takes for root', () => {
    for (const [unit, limit] of Object.entries(limits)) {
      const [, size] = new RegExp(`([\\d.]+) ${unit}`).exec(printed)!;
      expect(Number(size), printed).toBeLessThanOrEqual(limit);
    }
    expect([image.User, image.Volumes]).toEqual([`${user}:${user}`, { '/data': {} }]);
    expect(existsSync(join(bundle, 'rootfs/bin/sh'))).toBe(false);
  });

  test('links, reads, stops, starts, and reads the same bytes', { timeout: 300_000 }, async () => {
    const tried = await start(byRunc, ['--version']);
    const engine = (await tried.ended) === 0 ? byRunc : byBwrap;
    // bwrap maps the user of this process to the image's.
    if (engine === byRunc) await chown(join(bundle, 'data'), user, user);
    const url = (PORT: string) => ({ PORT, BASE_URL: `http://127.0.0.1:${PORT}` });
    const serve = async () => {
      const settings = url(String(await freePort()));
      const startedAt = performance.now();
      const server = await start(engine, ['serve', '--json'], {
        ...settings,
        DEMO: 'on',
        LOG_LEVEL: 'error',
      });
      const isReady = () =>
        fetch(`${settings.BASE_URL}/health/ready`).then(
          ({ ok }) => ok,
          () => false,
        );
      await expect.poll(server.output, { message: server.errors(), timeout: 120_000 }).toMatch(/\}\n$/);
      await expect.poll(isReady, { message: server.errors(), timeout: 120_000 }).toBe(true);
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      console.log(`${platform} by ${engine === byRunc ? 'runc' : 'bwrap'}: ready after ${seconds} s`);
      return { ...server, settings };
    };
    const stop = async ({ child, ended, errors }: Awaited<ReturnType<typeof serve>>) => {
      // bwrap passes no signal on to its child, which is process 1 of the container.
      const children = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8');
      process.kill(engine === byRunc ? child.pid! : Number.parseInt(children, 10), 'SIGTERM');
      expect(await ended, errors()).toBe(0);
    };
    const server = await serve();
    const { applicationId, apiKey } = JSON.parse(server.output());
    const words = ['sandbox', 'link', '--application', applicationId, '--user', 'good', '--json'];
    const linking = await start(engine, words);
    expect(await linking.ended, linking.errors()).toBe(0);
    const { connectionId, scopedToken } = JSON.parse(linking.output());
    const readAll = async ({ BASE_URL }: { BASE_URL: string }) => {
      const headers = { authorization: `Bearer ${apiKey}`, 'x-scoped-token': scopedToken };
      const response = await fetch(`${BASE_URL}/connections/${connectionId}/accounts`, { headers });
      return [response.status, await response.text()];
    };
    const first = await readAll(server.settings);
    expect(first[0], String(first[1])).toBe(200);
    await stop(server);
    const again = await serve();
    expect(await readAll(again.settings)).toEqual(first);
    await stop(again);
  });
});
