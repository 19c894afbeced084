// The image, as far as it can be tried without an engine that builds images: what the last stage of the Dockerfile
// copies, beside the packages that `npm ci --omit=dev --omit=optional` would leave, is enough to serve and to work.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8');

type Instruction = { name: string; rest: string };

/** The instructions of each stage; a line that ends in a backslash goes on. */
const readStages = (text: string): Instruction[][] => {
  const lines = text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n/g, ' ')
    .split('\n');
  const instructions = lines.flatMap((line) => {
    const [, name, rest] = /^([A-Z]+) +(.*)$/.exec(line.trim()) ?? [];
    return name && rest !== undefined ? [{ name, rest }] : [];
  });
  const stages: Instruction[][] = [];
  for (const instruction of instructions) {
    if (instruction.name === 'FROM') stages.push([]);
    stages.at(-1)!.push(instruction);
  }
  return stages;
};

/** Copies as COPY does, from the repository, and what was built from where it was built. */
const runCopyInstructions = async (instructions: Instruction[], directory: string): Promise<void> => {
  for (const { rest } of instructions.filter(({ name }) => name === 'COPY')) {
    const words = rest.split(/ +/).filter((word) => !word.startsWith('--'));
    const target = words.pop()!;
    for (const word of words) {
      const source = word.replace(/^\/service\//, '');
      const isDirectory = target.endsWith('/');
      const place = join(directory, target, isDirectory ? source.split('/').at(-1)! : '');
      await mkdir(dirname(place), { recursive: true });
      await cp(join(root, source), place, { recursive: true });
    }
  }
};

type LockFile = { packages: Record<string, { dev?: boolean; optional?: boolean; devOptional?: boolean }> };

/** Puts the packages of production where `npm ci` would: as links, which Node is told to take for what they are. */
const linkPackages = async (directory: string): Promise<number> => {
  const { packages } = JSON.parse(await read('package-lock.json')) as LockFile;
  const wanted = Object.entries(packages).filter(
    ([path, { dev, optional, devOptional }]) =>
      /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) && !dev && !optional && !devOptional,
  );
  for (const [path] of wanted) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await symlink(join(root, path), join(directory, path));
  }
  return wanted.length;
};

/** Without it a package behind a link would find those that only we have. */
const preserveSymlinks = ['--preserve-symlinks', '--preserve-symlinks-main'];

/** Runs the image's program until it says something that fits. */
const runUntil = async (
  directory: string,
  { args, env, says }: { args: string[]; env: Record<string, string>; says: RegExp },
): Promise<string> => {
  const child = spawn(process.execPath, [...preserveSymlinks, 'src/main.ts', ...args], {
    cwd: directory,
    env: { PATH: process.env.PATH, ...env },
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
  await expect.poll(() => says.test(text) || child.exitCode !== null, { timeout: 50_000 }).toBe(true);
  expect(text).toMatch(says);
  return text;
};

test('the last stage has all that serves and works, and its pages', { timeout: 180_000 }, async () => {
  const directory = await mkdtemp(join(tmpdir(), 'bank-connection-image-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const last = readStages(await read('Dockerfile')).at(-1)!;
  await runCopyInstructions(last, directory);
  expect(await linkPackages(directory)).toBeGreaterThan(50);
  const env = {
    ...{ NODE_ENV: 'production', HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'silent', DEMO: 'on' },
    DATA_DIR: join(directory, 'data'),
  };
  const text = await runUntil(directory, { args: ['serve'], env, says: /"demo"|Health +http/ });
  const [, base] = /Health +(http\S+)\/health/.exec(text)!;
  for (const path of [
    '/health',
    '/docs',
    '/openapi.yaml',
    '/connect.js',
    '/connect',
    '/dashboard',
    '/demo',
  ]) {
    const response = await fetch(`${base}${path}`);
    await response.arrayBuffer();
    expect([path, response.status]).toEqual([path, 200]);
  }
  await runUntil(directory, { args: ['worker'], env, says: /Working on imports/ });
});

describe('the files', () => {
  test('the image is small, says how it is, and does not run as root', async () => {
    const text = await read('Dockerfile');
    const last = readStages(text).at(-1)!;
    const of = (name: string) =>
      last.filter((instruction) => instruction.name === name).map(({ rest }) => rest);
    expect(of('FROM')).toEqual(['node:24-slim']);
    expect(of('USER')).toEqual(['node']);
    expect(of('HEALTHCHECK').join()).toContain('/health');
    expect(of('RUN').join()).toContain('npm ci --omit=dev --omit=optional');
    // Everything but what is listed by name stays outside.
    expect(of('COPY')).not.toContain('. .');
    // Where a secret would be an instruction, everybody who has the image would have it.
    expect(text).not.toMatch(/^(ARG|ENV) .*(PASSWORD|SECRET_|TOKEN|DATABASE_URL)/m);
  });

  test('the service has none of the worker’s secrets, waits for what it needs, is seen from here only', async () => {
    const { services, volumes } = parse(await read('compose.yaml'), { merge: true });
    expect(Object.keys(services)).toEqual(['prepare', 'service', 'worker', 'database']);
    const { prepare, service, worker, database } = services;
    expect(service.volumes).toEqual(['serving-secrets:/secrets:ro']);
    expect(service.command).toContain('--no-worker');
    expect(worker.volumes).toEqual(['secrets:/secrets:ro']);
    expect(prepare.command[0]).toContain('cp api-keys cursors sandbox worker.pub /serving-secrets/');
    expect(service.ports).toEqual(['127.0.0.1:3000:3000']);
    expect([worker.ports, database.ports]).toEqual([undefined, undefined]);
    const waiting = { prepare: { condition: 'service_completed_successfully' } };
    expect([service.depends_on, worker.depends_on]).toEqual([waiting, waiting]);
    expect(prepare.depends_on).toEqual({ database: { condition: 'service_healthy' } });
    expect(database.healthcheck.test.join(' ')).toContain('pg_isready');
    expect(Object.keys(volumes)).toEqual(['secrets', 'serving-secrets', 'database']);
    // The settings that both must have are the same, and the anchors have not been overwritten.
    expect(service.environment.DATABASE_URL).toBe(worker.environment.DATABASE_URL);
    expect([service.read_only, worker.read_only]).toEqual([true, true]);
  });

  test('nothing that is secret or made here is sent to the engine', async () => {
    const ignored = (await read('.dockerignore')).split('\n');
    expect(ignored).toEqual(expect.arrayContaining(['.git', '**/node_modules', 'dist', 'data', 'test']));
  });
});

test('a service needs just those secrets that the first container copies', { timeout: 120_000 }, async () => {
  const directory = await mkdtemp(join(tmpdir(), 'bank-connection-secrets-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const env = { PORT: '0', LOG_LEVEL: 'silent', DATA_DIR: join(directory, 'data') };
  const secrets = join(directory, 'serving');
  await runUntil(root, { args: ['organizations', 'list', '--json'], env, says: /organizations/ });
  const { services } = parse(await read('compose.yaml'), { merge: true });
  const [, names] = /cp (.*) \/serving-secrets\//.exec(services.prepare.command[0])!;
  await mkdir(secrets);
  for (const name of names!.split(' ')) await cp(join(directory, 'data/secrets', name), join(secrets, name));
  const given = { ...env, SECRETS_DIR: secrets };
  await runUntil(root, { args: ['serve', '--no-worker'], env: given, says: /Health +http/ });
  await runUntil(root, { args: ['worker'], env: given, says: /secret .*worker is missing/ });
});
