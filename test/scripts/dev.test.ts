// `npm run dev` on a copy of the sources: the browser shows changes without a build.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { freePort } from '../support/freePort.ts';
import { widgetOf } from '../support/linkInWidget.ts';

const root = join(import.meta.dirname, '../..');
const copied = [
  ...['client', 'connectors', 'dashboard', 'dist', 'examples', 'generated', 'management', 'scripts', 'src'],
  ...['widget', 'openapi.yaml', 'package.json', 'package-lock.json', 'tsconfig.json', 'vite.config.ts'],
];

let directory: string;
let url: string;
let program: ChildProcess;
let output = '';

beforeAll(async () => {
  directory = await realpath(await mkdtemp(join(tmpdir(), 'dev-')));
  for (const name of copied) await cp(join(root, name), join(directory, name), { recursive: true });
  await symlink(await realpath(join(root, 'node_modules')), join(directory, 'node_modules'));
  const port = await freePort();
  url = `http://localhost:${port}`;
  const settings = { PORT: String(port), BASE_URL: url, DATA_DIR: join(directory, 'data'), NODE_ENV: '' };
  program = spawn(process.execPath, ['scripts/dev.ts'], {
    cwd: directory,
    env: { ...process.env, ...settings },
  });
  for (const stream of [program.stdout!, program.stderr!]) stream.on('data', (text) => (output += text));
  await vi.waitFor(() => expect(output).toContain(`${url}/demo`), { timeout: 50_000, interval: 100 });
}, 60_000);

afterAll(async () => {
  const exited = once(program, 'exit');
  if (program.kill()) await exited;
  await rm(directory, { recursive: true, force: true });
});

const edit = async (path: string, from: string, to: string): Promise<void> => {
  const file = join(directory, path);
  const text = await readFile(file, 'utf8');
  expect(text).toContain(from);
  await writeFile(file, text.replace(from, to));
};

/** Resolves when a page, or a frame in it, is connected to receive changes, because it would miss earlier ones. */
const untilConnected = async (page: Page): Promise<unknown> =>
  page.waitForEvent('console', (message) => message.text().includes('[vite] connected'));

test('a changed screen of the widget is shown at once, in the same session', async () => {
  const page = await (await launchBrowser()).newPage();
  const connected = untilConnected(page);
  await page.goto(`${url}/demo`);
  await page.getByRole('button', { name: 'Connect a bank' }).click();
  const widget = widgetOf(page);
  await widget.locator('[data-action=continue]').click();
  await widget.getByRole('option', { name: 'Sandbox Bank', exact: true }).click();
  await widget.getByLabel('Username', { exact: true }).waitFor();
  await connected;
  await edit('widget/page/screens/Credentials.tsx', 'class="fields"', 'class="fields" aria-label="Changed"');
  await widget.getByRole('group', { name: 'Changed' }).getByLabel('Username', { exact: true }).waitFor();
  await edit('widget/page/styles/tokens.css', ':root {', ':root { --test: changed;');
  const style = () =>
    widget.locator(':root').evaluate((all) => getComputedStyle(all).getPropertyValue('--test'));
  await expect.poll(style).toBe('changed');
});

test.runIf(process.env.TEST_ALL)('a changed page of the dashboard is shown at once', async () => {
  const page = await (await launchBrowser()).newPage();
  const connected = untilConnected(page);
  await page.goto(`${url}/dashboard`);
  await page.getByRole('heading', { name: 'Welcome' }).waitFor();
  await connected;
  await edit('dashboard/pages/signIn/SignIn.tsx', 'title="Welcome"', 'title="Changed"');
  await page.getByRole('heading', { name: 'Changed' }).waitFor();
});

test('a changed source of the service restarts it, and requests wait for the restart', async () => {
  await edit('src/interfaces/http/health.ts', "'ok'", "'changed'");
  await expect.poll(async () => (await fetch(`${url}/health/live`)).text()).toContain('changed');
});
