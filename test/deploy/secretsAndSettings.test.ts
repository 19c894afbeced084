// The secrets, settings and ports that each kind of deployment gives to the processes.
import { cp, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/platform/settings/config.ts';
import { runCliProcess, temporaryDirectory } from '../support/cli.ts';
import { link, startService } from '../support/testService.ts';
import {
  readCompose,
  readResources,
  readText,
  readUnit,
  secretFiles,
  servingFiles,
  variablesIn,
} from './deployFiles.ts';

/** The target of the export, and the SECRETS_DIR of the service. */
const exportOf: Record<string, () => [target: string | undefined, secretsDir: string | undefined]> = {
  compose: () => {
    const { prepare, service } = readCompose().services;
    const [volume, target] = prepare.volumes[1].split(':');
    expect([prepare.command.slice(0, 2), service.volumes]).toEqual([
      ['secrets', 'export'],
      [`${volume}:${service.environment.SECRETS_DIR}:ro`],
    ]);
    return [prepare.command[2], target];
  },
  systemd: () => [
    / secrets export (\S+)/.exec(readUnit('bank-connection-prepare').get('ExecStart')!.join('\n'))?.[1],
    /SECRETS_DIR=(\S+)/.exec(readUnit('bank-connection-service').get('Environment')!.join(' '))?.[1],
  ],
};

test.each(Object.keys(exportOf))(
  '%s: the secrets are exported to where the service reads them',
  (platform) => {
    const [target, secretsDir] = exportOf[platform]!();
    expect(target).toMatch(/^\/.*serving-secrets$/);
    expect(target).toBe(secretsDir);
  },
);

test('`secrets export` copies exactly the secrets that the service needs, including rotated ones', async () => {
  const directory = await temporaryDirectory();
  onTestFinished(directory.remove);
  const [secrets, target, shared] = ['secrets', 'new/serving', 'shared'].map((name) =>
    join(directory.path, name),
  ) as [string, string, string];
  const run = (to: string) => runCliProcess({ DATA_DIR: directory.path }, 'secrets', 'export', to, '--json');
  const created = (await run(target)).json<{ files: string[] }>().files;
  expect(created).toEqual(servingFiles.filter((file) => !/\.0/.test(file)).sort());
  for (const file of secretFiles.filter((name) => !created.includes(name) && name.includes('.0')))
    await writeFile(join(secrets, file), file);
  await writeFile(join(secrets, 'worker.key'), 'not a secret of the service');
  expect(await run(target)).toMatchObject({ code: 0 });
  expect((await readdir(target)).sort()).toEqual(servingFiles.toSorted());
  for (const file of servingFiles)
    expect(await readFile(join(target, file))).toEqual(await readFile(join(secrets, file)));
  await mkdir(shared, { mode: 0o750 });
  await run(shared);
  const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
  expect([await modeOf(target), await modeOf(join(target, 'cursors'))]).toEqual(['700', '600']);
  expect(await modeOf(join(shared, 'cursors'))).toBe('640');
});

test('`serve --no-worker` runs with these secrets only, and users link and read through it', async () => {
  const worker = await startService();
  onTestFinished(worker.close);
  const { databaseUrl, secretsDir } = worker.service.config;
  const directory = await temporaryDirectory();
  onTestFinished(directory.remove);
  const filter = (path: string) => path === secretsDir || servingFiles.includes(basename(path));
  await cp(secretsDir, directory.path, { recursive: true, filter });
  const existing = { databaseUrl, secretsDir: directory.path };
  const serving = await startService({ existing, worker: false });
  onTestFinished(serving.close);
  const { connectionId, scopedToken } = await link(serving);
  const { data } = await serving.client(scopedToken).GET('/connections');
  expect(data!.connections.map(({ id }) => id)).toEqual([connectionId]);
});

/** The words formatted as code at the start of each item in the settings. */
const settings = new Set(
  [...readText('docs/settings.md').matchAll(/^- `([A-Z_]+)`/gm)].map(([, name]) => name!),
);

const ownServices = (): { environment?: object }[] => {
  const { prepare, service, worker } = readCompose().services;
  return [prepare, service, worker];
};

const units = ['prepare', 'service', 'worker'].map((name) => `bank-connection-${name}`);

const variablesOf: Record<string, () => string[]> = {
  compose: () => ownServices().flatMap(({ environment }) => Object.keys(environment ?? {})),
  Kubernetes: () =>
    readResources().flatMap(({ kind, data, spec }) => [
      ...(kind === 'ConfigMap' ? Object.keys(data) : []),
      ...(spec?.template?.spec.containers ?? []).flatMap(({ env }: { env: { name: string }[] }) =>
        env.map(({ name }) => name),
      ),
    ]),
  systemd: () => [
    ...variablesIn(readText('deploy/systemd/settings.env')),
    // A variable of Node.js.
    ...units
      .flatMap((unit) => variablesIn(readUnit(unit).get('Environment')!.join(' ')))
      .filter((name) => name !== 'NODE_COMPILE_CACHE'),
  ],
};

test.each(Object.keys(variablesOf))('%s: every environment variable is a documented setting', (platform) => {
  const names = variablesOf[platform]!();
  expect(names).toEqual(expect.arrayContaining(['DATABASE_URL', 'BASE_URL']));
  expect(names.filter((name) => !settings.has(name))).toEqual([]);
});

test('.env.example names settings, in lines that a shell and Compose read alike', () => {
  const lines = readText('.env.example')
    .split('\n')
    .filter((line) => /^#?[A-Z]/.test(line) && line.includes('='));
  const names = lines.map((line) => /^#?([A-Z_]+)=\S*$/.exec(line)?.[1]);
  expect(names).toContain('BASE_URL');
  const isSetting = (name = '') => settings.has(name.replace(/_FILE$/, ''));
  expect(names.filter((name) => !isSetting(name))).toEqual(['POSTGRES_PASSWORD']);
});

test('every part names the same port', () => {
  const port = String(readConfig({}).port);
  const [, imagePort] = /PORT=(\d+)/.exec(readText('Dockerfile')) ?? [];
  const [, exposed] = /^EXPOSE (\d+)$/m.exec(readText('Dockerfile')) ?? [];
  const [, proxied] = /SERVICE_ADDRESS:127\.0\.0\.1:(\d+)/.exec(readText('deploy/Caddyfile')) ?? [];
  const [, composed] = readCompose().services.proxy.environment.SERVICE_ADDRESS.split(':');
  expect([imagePort, exposed, proxied, composed]).toEqual([port, port, port, port]);
});
