// The container image, tested without building it: the files that the last stage of the Dockerfile copies, with the
// packages that `npm ci --omit=dev --omit=optional` installs, suffice to run `serve` and `worker`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { productionPackages } from '../deploy/deployFiles.ts';
import { temporaryDirectory } from '../support/cli.ts';
import { programEnv } from '../support/environment.ts';
import { parseYaml } from '../support/yaml.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8');

type Instruction = { name: string; rest: string };

/** The instructions of each stage; a backslash continues a line. */
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

/** Runs the COPY instructions from the repository; files of the build stage come from the local build. */
const runCopyInstructions = async (instructions: Instruction[], directory: string): Promise<void> => {
  for (const { rest } of instructions.filter(({ name }) => name === 'COPY')) {
    const words = rest.split(/ +/).filter((word) => !word.startsWith('--'));
    const target = words.pop()!;
    for (const word of words) {
      const source = word.replace(/^\/service\//, '');
      const isDirectory = target.endsWith('/');
      const path = join(directory, target, isDirectory ? source.split('/').at(-1)! : '');
      await mkdir(dirname(path), { recursive: true });
      await cp(join(root, source), path, { recursive: true });
    }
  }
};

/** Links the production packages into `node_modules`, where `npm ci` would install them. */
const linkPackages = async (directory: string): Promise<number> => {
  const production = productionPackages().filter(([path]) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path));
  for (const [path, { link, resolved = '' }] of production) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    // A workspace is what the image copies.
    await symlink(link ? join(directory, resolved) : join(root, path), join(directory, path));
  }
  return production.length;
};

/** Runs the image's program until its output matches `output`. */
const runUntil = async (
  directory: string,
  { args, env, output }: { args: string[]; env: Record<string, string>; output: RegExp },
): Promise<string> => {
  const child = spawn(process.execPath, ['src/main.ts', ...args], {
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

test('the last stage contains all files of serve and worker, and the pages', {
  timeout: 180_000,
}, async () => {
  const { path: directory, remove } = await temporaryDirectory();
  onTestFinished(remove);
  const last = readStages(await read('Dockerfile')).at(-1)!;
  await runCopyInstructions(last, directory);
  expect(await linkPackages(directory)).toBeGreaterThan(50);
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
  await runUntil(directory, { args: ['worker'], env, output: /Working on imports/ });
});

describe('the files', () => {
  test('the image is slim, has a health check, and does not run as root', async () => {
    const text = await read('Dockerfile');
    const last = readStages(text).at(-1)!;
    const instructionsNamed = (name: string) =>
      last.filter((instruction) => instruction.name === name).map(({ rest }) => rest);
    expect(instructionsNamed('FROM')).toEqual(['node:24-slim']);
    expect(instructionsNamed('USER')).toEqual(['node']);
    expect(instructionsNamed('HEALTHCHECK').join()).toContain('/health');
    expect(instructionsNamed('RUN').join()).toContain('npm ci --omit=dev --omit=optional');
    // Files are copied by name only.
    expect(instructionsNamed('COPY')).not.toContain('. .');
    // The instructions are part of the image, so none may contain a secret.
    expect(text).not.toMatch(/^(ARG|ENV) .*(PASSWORD|SECRET_|TOKEN|DATABASE_URL)/m);
  });

  test('the service has no secret of the worker, and waits for its dependencies', async () => {
    const { services, volumes } = parseYaml(await read('compose.yaml'));
    expect(Object.keys(services)).toEqual(['proxy', 'prepare', 'service', 'worker', 'database']);
    const { prepare, service, worker, database } = services;
    expect(service.volumes).toEqual(['serving-secrets:/secrets:ro']);
    expect(service.command).toContain('--no-worker');
    expect(worker.volumes).toEqual(['secrets:/secrets:ro']);
    const waiting = { prepare: { condition: 'service_completed_successfully' } };
    expect([service.depends_on, worker.depends_on]).toEqual([waiting, waiting]);
    expect(prepare.depends_on).toEqual({ database: { condition: 'service_healthy' } });
    expect(database.healthcheck.test.join(' ')).toContain('pg_isready');
    const names = ['proxy-data', 'proxy-config', 'secrets', 'serving-secrets', 'database'];
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
