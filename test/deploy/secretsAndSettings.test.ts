// What each way to deploy gives to the processes: secrets, settings and ports.
import { cp } from 'node:fs/promises';
import { basename } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/platform/settings/config.ts';
import { temporaryDirectory } from '../support/cli.ts';
import { link, startService } from '../support/testService.ts';
import {
  readCompose,
  readResources,
  readText,
  readUnit,
  selectFiles,
  servingFiles,
  variablesIn,
} from './deployFiles.ts';

const copyOf: Record<string, () => string | undefined> = {
  compose: () => /cp (.*) \/serving-secrets\//.exec(readCompose().services.prepare.command[0])?.[1],
  systemd: () =>
    /install -m 0640 (.*) \.\.\/serving-secrets/.exec(
      readUnit('bank-connection-prepare').get('ExecStart')!.join('\n'),
    )?.[1],
  Kubernetes: () => /cp (.*) \.\.\/serving-secrets/.exec(readText('docs/operating/install.md'))?.[1],
};

test.each(Object.keys(copyOf))(
  '%s: the service gets exactly the secrets that it needs, also rotated ones',
  (platform) => {
    expect(selectFiles(copyOf[platform]!() ?? '')).toEqual(servingFiles);
  },
);

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

/** The words in code that begin the items of the settings. */
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
    // Node's own.
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

test('every part names the same port', () => {
  const port = String(readConfig({}).port);
  const [, imagePort] = /PORT=(\d+)/.exec(readText('Dockerfile')) ?? [];
  const [, exposed] = /^EXPOSE (\d+)$/m.exec(readText('Dockerfile')) ?? [];
  const [, proxied] = /SERVICE_ADDRESS:127\.0\.0\.1:(\d+)/.exec(readText('deploy/Caddyfile')) ?? [];
  const [, composed] = readCompose().services.proxy.environment.SERVICE_ADDRESS.split(':');
  expect([imagePort, exposed, proxied, composed]).toEqual([port, port, port, port]);
});
