// npm run count-flow-files [-- COMMIT ...] [--list]: counts the files under src/, connectors/ and widget/ in which a function runs,
// and the lines of those functions in src/, for three flows: a GET of transactions, from the request to the response; a link, from
// the click to onSuccess; and a scheduled refresh. Measures HEAD and the given commits with V8's precise coverage in the service
// and the browser, in the second run of each flow. If the commit allows it, all loops are stopped except the worker's in a refresh.
import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import BetterSqlite3 from 'better-sqlite3';
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';
import { type Checkout, checkOut, thisCheckout } from '../bench/against/checkout.ts';
import { type Tunables, tunables } from '../src/platform/settings/tunables.ts';
import { findChromium } from '../test/support/chromium.ts';
import { freePort } from '../test/support/freePort.ts';
import type { linkInWidget } from '../test/support/linkInWidget.ts';
import { withTunables } from '../test/support/tunables.ts';
import type { RunFunction } from './coverageChannel.ts';

type Flow = 'GET of transactions' | 'link' | 'scheduled refresh';
/** The lines of the functions that ran, by file path. Files of widget/ have no lines, because its pages are built. */
type RunLines = ReadonlyMap<string, ReadonlySet<number>>;
type Flows = Record<Flow, RunLines>;

const channel = fileURLToPath(new URL('coverageChannel.ts', import.meta.url));
/** Each flow runs once for each of these: the first run warms up the service, the second is counted. */
const users = [
  { institution: 'Sandbox Bank', username: 'good' },
  { institution: 'Sandbox Bank', username: 'moves' },
];

/** Every loop of the service waits for a day. A link wakes the worker, which does not poll for jobs. */
const stoppedLoops: Partial<Tunables> = {
  ...{ rateLimitFlushMs: 86_400_000, metricsFlushSeconds: 86_400, sweepInitialDelaySeconds: 86_400 },
  ...{ secretsPollMs: 86_400_000, sandboxClockPollMs: 86_400_000, logTruncateSeconds: 86_400 },
  ...{ workerPollMs: 86_400_000, webhookPollMs: 86_400_000 },
};
/** A refresh needs no index of institutions and no directory. */
const runningWorker: Partial<Tunables> = {
  ...stoppedLoops,
  ...{ workerPollMs: tunables.workerPollMs, afterStartSeconds: 86_400 },
};

// --- the checkout and its service

/** The pages of the checkout, not minified and with source maps. The dashboard's page and the reference are not measured. */
const build = (checkout: string): void => {
  const vite = join(checkout, 'node_modules/vite/bin/vite.js');
  for (const mode of ['production', 'loader']) {
    execFileSync(process.execPath, [vite, 'build', '--mode', mode, '--sourcemap', '--minify', 'false'], {
      cwd: checkout,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }
  for (const name of ['dashboard', 'reference'])
    symlinkSync(join(thisCheckout, 'dist', name), join(checkout, 'dist', name));
};

type Operator = (...words: string[]) => Record<string, string>;

/** Runs `bank-connection WORDS --json` in the checkout. */
const operatorOf =
  (checkout: string, env: Record<string, string>): Operator =>
  (...words) =>
    JSON.parse(
      execFileSync(process.execPath, ['src/main.ts', ...words, '--json'], {
        cwd: checkout,
        env: { ...process.env, ...env },
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    );

/** Runs the first of these commands that exists in the checkout, because some were renamed. */
const firstKnown = (operator: Operator, ...commands: string[][]): Record<string, string> => {
  for (const words of commands) {
    try {
      return operator(...words);
    } catch {
      // The command is unknown in this checkout.
    }
  }
  throw new Error(`The checkout knows none of ${commands.map((words) => words.join(' ')).join(', ')}.`);
};

type Service = { url: string; takeFunctions(): Promise<RunFunction[]>; stop(): Promise<void> };

const startService = async (
  checkout: string,
  env: Record<string, string>,
  replaced: Partial<Tunables>,
): Promise<Service> => {
  const entries = ['test/support/main.ts', 'src/main.ts'].map((entry) => join(checkout, entry));
  const child: ChildProcess = fork(entries.find(existsSync)!, ['serve'], {
    cwd: checkout,
    execArgv: ['--import', channel],
    env: { PATH: process.env.PATH, ...env, ...withTunables(replaced) },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const url = env.BASE_URL!;
  for (;;) {
    const response = await fetch(`${url}/health`).catch(() => undefined);
    await response?.arrayBuffer();
    if (response?.ok) break;
    if (child.exitCode !== null) throw new Error('The service did not start.');
    await sleep(50);
  }
  return {
    url,
    takeFunctions: async () => {
      child.send('take');
      const [functions] = (await once(child, 'message')) as [RunFunction[]];
      return functions;
    },
    stop: async () => {
      if (child.exitCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
};

const sourceFolders = ['src', 'connectors'];

/** The lines of the checkout's source that contain these functions. Node.js keeps all positions when it strips types. */
const sourceLines = (checkout: string, functions: RunFunction[]): RunLines => {
  const lines = new Map<string, Set<number>>();
  for (const { url, offset, end } of functions) {
    const path = url.startsWith('file:') ? relative(checkout, fileURLToPath(url)) : '';
    if (!sourceFolders.some((folder) => path.startsWith(`${folder}/`))) continue;
    const text = textOf(join(checkout, path));
    const ofFile = lines.get(path) ?? new Set();
    const [first, last] = [positionOf(text, offset)[0], positionOf(text, end)[0]];
    for (let line = first; line <= last; line++) ofFile.add(line);
    lines.set(path, ofFile);
  }
  return lines;
};

const texts = new Map<string, string>();
const textOf = (path: string): string => {
  const text = texts.get(path) ?? readFileSync(path, 'utf8');
  texts.set(path, text);
  return text;
};

// --- the browser

const startCoverage = async (page: Page): Promise<CDPSession> => {
  const session = await page.context().newCDPSession(page);
  await session.send('Profiler.enable');
  await session.send('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  return session;
};

const takeFunctions = async (session: CDPSession): Promise<RunFunction[]> => {
  const { result } = await session.send('Profiler.takePreciseCoverage');
  return result.flatMap(({ url, functions }) =>
    functions
      .filter(
        ({ functionName, ranges: [range] }) => range!.count > 0 && (functionName || range!.startOffset > 0),
      )
      .map(({ ranges: [range] }) => ({ url, offset: range!.startOffset, end: range!.endOffset })),
  );
};

/** The line and column of an offset, both from 0. */
const positionOf = (text: string, offset: number): [line: number, column: number] => {
  const before = text.slice(0, offset);
  return [before.split('\n').length - 1, offset - before.lastIndexOf('\n') - 1];
};

/** The files of the checkout's widget/ that contain these functions of the built pages, by their source maps. */
const widgetFiles = (checkout: string, serviceUrl: string, functions: RunFunction[]): Set<string> => {
  const files = new Set<string>();
  for (const [url, ofScript] of Map.groupBy(functions, (one) => one.url)) {
    const built = join(checkout, 'dist/widget', url.replace(serviceUrl, '').replace(/[?#].*/, ''));
    if (!url.startsWith(serviceUrl) || !existsSync(`${built}.map`)) continue;
    const text = readFileSync(built, 'utf8');
    const map = new SourceMap(JSON.parse(readFileSync(`${built}.map`, 'utf8')));
    for (const { offset } of ofScript) {
      const entry = map.findEntry(...positionOf(text, offset));
      const path =
        'originalSource' in entry ? relative(checkout, join(dirname(built), entry.originalSource)) : '';
      if (path.startsWith('widget/')) files.add(path);
    }
  }
  return files;
};

type Linked = { connectionId: string; scopedToken: string; accounts: { id: string }[] };

const hostPage = (applicationId: string): string => `<!doctype html><html lang="en"><head><title>Host</title>
  <script src="/connect.js"></script></head><body><button id="connect">Connect</button><script>
    const onSuccess = (result) => { window.linked = result; };
    const widget = ServiceConnect.init({ applicationId: '${applicationId}', onSuccess });
    document.getElementById('connect').onclick = () => widget.open();
  </script></body></html>`;

/** Opens a host page on the service's own origin, so that the widget's frame runs in the page's process. */
const openHostPage = async (browser: Browser, url: string, applicationId: string): Promise<Page> => {
  const page = await (await browser.newContext({ locale: 'en-US' })).newPage();
  await page.route(`${url}/host`, (route) =>
    route.fulfill({ contentType: 'text/html', body: hostPage(applicationId) }),
  );
  return page;
};

type LinkInWidget = typeof linkInWidget;

const loadLinkInWidget = async (checkout: string): Promise<LinkInWidget> => {
  const paths = ['test/support/linkInWidget.ts', 'test/connectBank.ts'];
  const path = paths.find((file) => existsSync(join(checkout, file)));
  const module = await import(pathToFileURL(join(checkout, path ?? paths[0]!)).href);
  const link = module.linkInWidget ?? module.connectBank;
  return (page, input) => link(page, { ...input, bank: input.institution });
};

// --- the flows

const linkFlow = async (
  { path: checkout }: Checkout,
  service: Service,
  applicationId: string,
): Promise<{ lines: RunLines; linked: Linked[] }> => {
  const { executablePath, env } = await findChromium();
  const browser = await chromium.launch({ executablePath, env: { PATH: process.env.PATH ?? '', ...env } });
  const link = await loadLinkInWidget(checkout);
  const linked: Linked[] = [];
  let lines: RunLines = new Map();
  try {
    for (const user of users) {
      const page = await openHostPage(browser, service.url, applicationId);
      const session = await startCoverage(page);
      await page.goto(`${service.url}/host`);
      await takeFunctions(session);
      await service.takeFunctions();
      await page.getByRole('button', { name: 'Connect', exact: true }).click();
      await link(page, user);
      const result = await page.waitForFunction(() => (window as unknown as { linked?: Linked }).linked);
      const inBrowser = widgetFiles(checkout, service.url, await takeFunctions(session));
      const inService = sourceLines(checkout, await service.takeFunctions());
      linked.push((await result.jsonValue())!);
      lines = new Map([...[...inBrowser].map((path) => [path, new Set<number>()] as const), ...inService]);
      await page.context().close();
    }
  } finally {
    await browser.close();
  }
  return { lines, linked };
};

const getFlow = async (
  { path: checkout }: Checkout,
  service: Service,
  credentials: readonly { apiKey: string; linked: Linked }[],
): Promise<RunLines> => {
  let lines: RunLines = new Map();
  for (const { apiKey, linked } of credentials) {
    const url = `${service.url}/accounts/${linked.accounts[0]!.id}/transactions?limit=100`;
    const headers = { Authorization: `Bearer ${apiKey}`, 'X-Scoped-Token': linked.scopedToken };
    await service.takeFunctions();
    const response = await fetch(url, { headers });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`The GET returned ${response.status}.`);
    lines = sourceLines(checkout, await service.takeFunctions());
  }
  return lines;
};

const refreshFlow = async (
  { path: checkout }: Checkout,
  service: Service,
  file: string,
  connectionIds: readonly string[],
): Promise<RunLines> => {
  const db = new BetterSqlite3(file);
  const tables = db.prepare("select name from sqlite_master where name in ('jobs', 'due_work')").pluck();
  const table = tables.get() as string;
  const setDue = db.prepare(`update ${table} set due_at = ? where connection_id = ?`);
  const dueAt = db.prepare(`select due_at from ${table} where connection_id = ?`).pluck();
  let lines: RunLines = new Map();
  try {
    for (const connectionId of connectionIds) {
      await service.takeFunctions();
      const due = new Date().toISOString();
      setDue.run(due, connectionId);
      while ((dueAt.get(connectionId) as string) <= due) await sleep(20);
      await sleep(100);
      lines = sourceLines(checkout, await service.takeFunctions());
    }
  } finally {
    db.close();
  }
  return lines;
};

const measureFlows = async (checkout: Checkout): Promise<Flows> => {
  const directory = await mkdtemp(join(tmpdir(), 'bank-connection-flows-'));
  const port = String(await freePort());
  const file = join(directory, 'service.db');
  const env = {
    ...{ PORT: port, BASE_URL: `http://localhost:${port}`, DATA_DIR: directory },
    ...{ DATABASE_URL: `sqlite:${file}`, LOG_LEVEL: 'error', NODE_ENV: 'production' },
  };
  build(checkout.path);
  const operator = operatorOf(checkout.path, env);
  operator('migrate');
  operator('organizations', 'create', '--name', 'Flows');
  const settings = ['--name', 'Flows', '--environment', 'sandbox', '--origin', env.BASE_URL];
  const { applicationId } = operator('applications', 'create', ...settings);
  const createKey = (): string => {
    const words = ['create', '--application', applicationId!];
    return firstKnown(operator, ['api-keys', ...words], ['keys', ...words]).apiKey!;
  };
  // Each GET has its own key and token, which the service has not cached.
  const apiKeys = users.map(createKey);
  let service = await startService(checkout.path, env, stoppedLoops);
  try {
    const { lines: link, linked } = await linkFlow(checkout, service, applicationId!);
    const credentials = linked.map((one, index) => ({ apiKey: apiKeys[index]!, linked: one }));
    const get = await getFlow(checkout, service, credentials);
    await service.stop();
    service = await startService(checkout.path, env, runningWorker);
    const connectionIds = linked.map(({ connectionId }) => connectionId);
    const refresh = await refreshFlow(checkout, service, file, connectionIds);
    return { 'GET of transactions': get, link, 'scheduled refresh': refresh };
  } finally {
    await service.stop();
    await rm(directory, { recursive: true, force: true });
  }
};

// --- the table

const { values: options, positionals: commits } = parseArgs({
  allowPositionals: true,
  options: { list: { type: 'boolean', default: false } },
});

for (const commit of ['HEAD', ...commits]) {
  const checkout = checkOut(commit, []);
  try {
    const flows = await measureFlows(checkout);
    for (const [flow, lines] of Object.entries(flows)) {
      const paths = [...lines.keys()].sort();
      const count = (folder: string) => paths.filter((path) => path.startsWith(`${folder}/`)).length;
      if (
        flow !== 'GET of transactions' &&
        existsSync(join(checkout.path, 'connectors/sandbox')) &&
        count('connectors') === 0
      )
        throw new Error(`No file of connectors/ ran in the flow "${flow}": its files were not found.`);
      const inSrc = [...lines].filter(([path]) => path.startsWith('src/'));
      const sum = inSrc.reduce((total, [, { size }]) => total + size, 0);
      const counts = ['src', 'connectors', 'widget'].map(
        (folder) => `${folder} ${String(count(folder)).padStart(3)}`,
      );
      console.log(
        `${commit.padEnd(10)}  ${flow.padEnd(20)}  ${counts.join('  ')}  ${sum} lines of functions in src`,
      );
      if (options.list) console.log(paths.map((path) => `    ${path}`).join('\n'));
    }
  } finally {
    checkout.remove();
  }
}
