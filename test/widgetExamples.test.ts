// The examples of the widget do what their README says: each is started as a reader would start it, and used once.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { collectRequests, launchBrowser } from './support/browser.ts';
import { linkInWidget, reconnectInWidget } from './support/linkInWidget.ts';
import { freePort } from './support/freePort.ts';
import { startService, type TestService } from './support/testService.ts';

const root = join(import.meta.dirname, '..');
let service: TestService;
let running: ChildProcess | undefined;
let said = '';

beforeAll(async () => {
  service = await startService();
});
afterEach(async () => {
  if (running?.exitCode === null && running.kill()) await once(running, 'exit');
});
afterAll(() => service.close());

/** Starts a program for a page of its own, and waits until it says where that is. */
const start = async (...command: string[]): Promise<string> => {
  const PORT = String(await freePort());
  const origin = `http://localhost:${PORT}`;
  const { id } = await service.addApplication({ origins: [origin] });
  const env = { ...process.env, NODE_ENV: '', BASE_URL: service.url, APPLICATION_ID: id, PORT };
  const program = spawn(process.execPath, command, { cwd: root, env });
  running = program;
  said = '';
  for (const stream of [program.stdout, program.stderr]) stream.on('data', (text) => (said += text));
  await expect.poll(() => said, { timeout: 20_000 }).toContain(`Open ${origin}`);
  return origin;
};

/** Connects a bank in the page and restores it. */
const use = async (origin: string): Promise<void> => {
  const page = await (await launchBrowser()).newPage({ locale: 'en-US' });
  const requests = collectRequests(page);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(origin);
  await page.getByRole('button', { name: 'Connect a bank' }).click();
  await linkInWidget(page, { username: 'good' });
  await page.getByText('Sandbox Bank: ').or(page.getByText('Connected: Sandbox Bank')).waitFor();
  await expect.poll(() => said).toMatch(/con_\w+: the token is kept \(1 in all\)/);
  await page.getByRole('button', { name: 'Reconnect' }).click();
  await reconnectInWidget(page, { username: 'good' });
  await page.getByText('Reconnected.').waitFor();
  requests.expectOnlyTo(origin, service.url);
  expect(complaints).toEqual([]);
  await page.close();

  const headers = { 'sec-fetch-site': 'cross-site' };
  const forged = { method: 'POST', headers, body: '{}' };
  expect((await fetch(`${origin.replace('localhost', '127.0.0.1')}/connected`, forged)).status).toBe(403);
};

test('html: one page, one script', async () => {
  await use(await start('examples/html/server.ts'));
});

test('react: the hook and the button, in strict mode', async () => {
  await use(await start('node_modules/vite/bin/vite.js', 'examples/react'));
});
