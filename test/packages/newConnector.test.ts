// What somebody does who writes a connector: with the packed kit, in a folder outside of this repository, they build and test the
// example, pack it, install it beside a service and name it in CONNECTORS. With TEST_ALL only.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import openapiFetch from 'openapi-fetch';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startHarbourBank } from '../../examples/new-connector/src/bankServer.ts';
import type { components, paths } from '../../generated/widget.ts';
import { linkPackages } from '../../scripts/linkPackages.ts';
import { spawnCli } from '../support/cli.ts';
import { freePort } from '../support/freePort.ts';

type View = components['schemas']['LinkSessionView'];
type Step = components['schemas']['LinkStep'];

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const installed = join(root, 'node_modules');
const isSource = (path: string): boolean => !['node_modules', 'dist', 'test'].includes(basename(path));

let directory: string;
let connector: string;
let service: string;

/** Packs a package and unpacks it where another one finds it. npm install does the same, and needs a registry. */
const install = async (source: string, name: string, into: string): Promise<void> => {
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', directory], { cwd: source });
  const [{ filename }] = JSON.parse(stdout);
  const target = join(into, 'node_modules', name);
  await mkdir(target, { recursive: true });
  await run('tar', ['-xzf', join(directory, filename), '-C', target, '--strip-components=1']);
};

const linkInstalled = async (names: readonly string[], into: string): Promise<void> => {
  for (const name of names) {
    const path = join(into, 'node_modules', name);
    await mkdir(dirname(path), { recursive: true });
    await symlink(await realpath(join(installed, name)), path);
  }
};

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'new-connector-'));
  connector = join(directory, 'connector');
  service = join(directory, 'service');
});
afterAll(() => rm(directory, { recursive: true }));

describe.runIf(process.env.TEST_ALL)('a connector outside of the repository', () => {
  test('is built and passes the conformance suite with the packed kit', { timeout: 120_000 }, async () => {
    const isCopied = (path: string) => !['node_modules', 'dist'].includes(basename(path));
    await cp(join(root, 'examples/new-connector'), connector, { recursive: true, filter: isCopied });
    await install(join(root, 'connectors/kit/dist'), '@bank-connection/connector-kit', connector);
    await linkInstalled(['ipaddr.js', 'typescript', 'vitest', '@types/node', 'undici-types'], connector);
    await run(process.execPath, [join(installed, 'typescript/bin/tsc')], { cwd: connector });
    const { stdout } = await run(process.execPath, [join(installed, 'vitest/vitest.mjs'), 'run'], {
      cwd: connector,
    });
    expect(stdout).toMatch(/Tests .*\d+ passed/);
  });

  test('is packed, installed beside a service, and linked', { timeout: 120_000 }, async () => {
    const bank = await startHarbourBank();
    await copyService();
    await install(connector, 'harbour-bank-connector', service);
    // The connector brings a copy of the kit of its own.
    const harbour = join(service, 'node_modules/harbour-bank-connector');
    await install(join(root, 'connectors/kit/dist'), '@bank-connection/connector-kit', harbour);
    const { link, stopBank } = await startWithConnector(bank);
    expect(await link()).toMatchObject({ state: 'finished' });
    await stopBank();
    // The service recognizes the BankUnreachable of the other copy.
    expect(await link()).toMatchObject({ state: 'failed', reason: 'institution_down' });
  });
});

/** A service of its own: with its sources, its pages, and the packages of this repository. */
const copyService = async (): Promise<void> => {
  const files = ['src', 'connectors', 'client', 'generated', 'examples', 'package.json'];
  const contracts = ['openapi.yaml', 'widget/openapi.yaml', 'dashboard/openapi.yaml'];
  for (const name of [...files, ...contracts])
    await cp(join(root, name), join(service, name), { recursive: true, filter: isSource });
  await symlink(join(root, 'dist'), join(service, 'dist'));
  linkPackages(root, service);
};

const startWithConnector = async (bank: Awaited<ReturnType<typeof startHarbourBank>>) => {
  const PORT = String(await freePort());
  const origin = 'https://shop.example';
  const settings = {
    ...{ PORT, DATA_DIR: join(directory, 'data') },
    ...{ CONNECTORS: 'harbour-bank-connector', HARBOUR_BANK_URL: bank.url },
  };
  const runCommand = async (...args: string[]) => {
    const child = spawnCli([...args, '--json'], settings, ['ignore', 'pipe', 'inherit'], {
      version: service,
    });
    let output = '';
    child.stdout!.on('data', (text) => (output += text));
    await once(child, 'close');
    return JSON.parse(output);
  };
  const server = spawnCli(['serve'], settings, 'ignore', { version: service });
  onTestFinished(async () => {
    const exited = once(server, 'exit');
    if (server.exitCode === null && server.kill()) await exited;
  });
  const baseUrl = `http://localhost:${PORT}`;
  await expect
    .poll(() =>
      fetch(`${baseUrl}/health`).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
    .toBe(true);
  const { applicationId } = await runCommand(
    ...['applications', 'create', '--name', 'Shop', '--environment', 'production', '--origin', origin],
  );
  const client = openapiFetch<paths>({ baseUrl });
  /** The last view of a link of mia at Harbour Bank. */
  const link = async (): Promise<View> => {
    const created = await client.POST('/connect/api/link-sessions', { body: { applicationId, origin } });
    const { session, view: first } = created.data!;
    const request = {
      params: { path: { linkSessionId: session.id } },
      headers: { Authorization: `Bearer ${session.secret}` },
    };
    let view: View = first;
    for (;;) {
      if (view.state === 'finished' || view.state === 'failed' || ('error' in view && view.error))
        return view;
      const step = nextStep(view);
      const path = '/connect/api/link-sessions/{linkSessionId}';
      const answer = step
        ? await client.POST(`${path}/steps`, { ...request, body: { version: view.version, step } })
        : await client.GET(path, request);
      view = answer.data!.view;
    }
  };
  return { link, stopBank: bank.close };
};

const nextStep = (view: View): Step | undefined => {
  if (view.state === 'consent') return { kind: 'consent' };
  if (view.state === 'institution') return { kind: 'selectInstitution', institutionId: 'harbour-bank' };
  if (view.state === 'credentials') return { kind: 'credentials', values: { customer: 'mia', pin: '2468' } };
  if (view.state === 'accounts')
    return { kind: 'selectAccounts', accountIds: view.accounts.map(({ id }) => id) };
  return undefined;
};
