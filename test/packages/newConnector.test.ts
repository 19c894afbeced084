// The steps of a connector's author: with the packed kit, in a folder outside this repository, they build and test the example,
// pack it, install it next to a service, add it to CONNECTORS, and link in the widget. Only with TEST_ALL.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startHarbourBank } from '../../examples/new-connector/src/bankServer.ts';
import { linkPackages } from '../../scripts/linkPackages.ts';
import { spawnCli } from '../support/cli.ts';
import { freePort } from '../support/freePort.ts';
import { type HostPage, openHostPage, startHostSite } from '../widget/hostPage.ts';
import { press, proceed, selectInstitution, shareAll } from '../widget/widgetSteps.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const installed = join(root, 'node_modules');
const isSource = (path: string): boolean => !['node_modules', 'dist', 'test'].includes(basename(path));

let directory: string;
let connector: string;
let service: string;

/** Packs a package and unpacks it where another one finds it. npm install does the same, but needs a registry. */
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

describe.runIf(process.env.TEST_ALL)('a connector outside the repository', () => {
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

  test('is packed, installed next to a service, and linked in the widget', { timeout: 120_000 }, async () => {
    const bank = await startHarbourBank();
    await copyService();
    await install(connector, 'harbour-bank-connector', service);
    // The connector brings its own copy of the kit.
    const harbour = join(service, 'node_modules/harbour-bank-connector');
    await install(join(root, 'connectors/kit/dist'), '@bank-connection/connector-kit', harbour);
    const openWidget = await startWithConnector(bank.url);
    const linked = await openWidget();
    await signIn(linked);
    await shareAll(linked.widget);
    await linked.expectEvents('onInit', 'onSuccess');
    const { institution, accounts } = await linked.result();
    expect(institution).toEqual({ id: 'harbour-bank', name: 'Harbour Bank' });
    expect(accounts).toHaveLength(1);
    await linked.close();
    await bank.close();
    const failed = await openWidget();
    await signIn(failed);
    await failed.widget.getByText('Your bank can’t be reached').waitFor();
    await press(failed.widget, 'Close');
    await failed.expectEvents('onInit', 'onExit');
    // The service recognizes BankUnreachable errors from the other copy.
    expect((await failed.events()).at(-1)![1]).toEqual({ reason: 'institution_down' });
    await failed.close();
  });
});

/** A separate service, with its sources, its pages, and the packages of this repository. */
const copyService = async (): Promise<void> => {
  const files = ['src', 'connectors', 'client', 'generated', 'examples', 'package.json'];
  const contracts = ['openapi.yaml', 'widget/openapi.yaml', 'management/openapi.yaml'];
  for (const name of [...files, ...contracts])
    await cp(join(root, name), join(service, name), { recursive: true, filter: isSource });
  await symlink(join(root, 'dist'), join(service, 'dist'));
  linkPackages(root, service);
};

/** Starts the service with the connector. Returns a function that opens its widget in a host page. */
const startWithConnector = async (bankUrl: string): Promise<() => Promise<HostPage>> => {
  const PORT = String(await freePort());
  const baseUrl = `http://localhost:${PORT}`;
  const settings = {
    ...{ PORT, DATA_DIR: join(directory, 'data') },
    ...{ CONNECTORS: 'harbour-bank-connector', HARBOUR_BANK_URL: bankUrl },
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
  const site = await startHostSite(() => baseUrl);
  onTestFinished(() => site.close());
  await expect
    .poll(() =>
      fetch(`${baseUrl}/health`).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
    .toBe(true);
  const words = ['create', '--name', 'Shop', '--environment', 'production', '--origin', site.origin];
  const { applicationId } = await runCommand('applications', ...words);
  return async () => {
    const host = await openHostPage({ service: { application: { id: applicationId } }, site });
    await host.open();
    return host;
  };
};

/** Links as mia, a customer without a challenge. */
const signIn = async ({ widget }: HostPage): Promise<void> => {
  await selectInstitution(widget, 'Harbour Bank');
  await widget.getByLabel('Username').fill('mia');
  await widget.getByLabel('PIN').fill('2468');
  await proceed(widget);
};
