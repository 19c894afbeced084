// The examples html and react work as their READMEs describe.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { collectRequests, launchBrowser } from './support/browser.ts';
import { freePort } from './support/freePort.ts';
import { linkInWidget, reconnectInWidget } from './support/linkInWidget.ts';
import { startService, type TestService } from './support/testService.ts';

const root = join(import.meta.dirname, '..');
let service: TestService;
let running: ChildProcess | undefined;
let output = '';

beforeAll(async () => {
  service = await startService();
});
afterEach(async () => {
  if (running?.exitCode === null && running.kill()) await once(running, 'exit');
});
afterAll(() => service.close());

/** Starts a program that serves a page on its own origin, and waits until it listens. */
const start = async (...command: string[]): Promise<string> => {
  const PORT = String(await freePort());
  const origin = `http://localhost:${PORT}`;
  const { id, apiKey } = await service.addApplication({ origins: [origin] });
  const settings = { BASE_URL: service.url, APPLICATION_ID: id, API_KEY: apiKey, PORT };
  const env = { ...process.env, NODE_ENV: '', ...settings };
  const program = spawn(process.execPath, command, { cwd: root, env });
  running = program;
  output = '';
  for (const stream of [program.stdout, program.stderr]) stream.on('data', (text) => (output += text));
  await expect.poll(() => output, { timeout: 20_000 }).toContain(`Open ${origin}`);
  return origin;
};

/** Connects a bank in the page and reconnects it. */
const connectAndReconnect = async (origin: string): Promise<void> => {
  const page = await (await launchBrowser()).newPage({ locale: 'en-US' });
  const requests = collectRequests(page);
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  await page.goto(origin);
  await page.getByRole('button', { name: 'Connect a bank' }).click();
  await linkInWidget(page, { username: 'twins' });
  await page.getByText('Sandbox Bank: ').or(page.getByText('Connected: Sandbox Bank')).waitFor();
  await expect.poll(() => output).toMatch(/con_\w+: token stored \(1 in total\)/);
  await page.getByRole('button', { name: 'Reconnect' }).click();
  await reconnectInWidget(page, { username: 'twins' });
  await page.getByText('Reconnected.').waitFor();
  requests.expectOnlyTo(origin, service.url);
  expect(errors).toEqual([]);
  await page.close();

  const headers = { 'sec-fetch-site': 'cross-site' };
  const crossSite = { method: 'POST', headers, body: '{}' };
  expect((await fetch(`${origin.replace('localhost', '127.0.0.1')}/connected`, crossSite)).status).toBe(403);
};

test('html: one page, one script', async () => {
  await connectAndReconnect(await start('examples/html/server.ts'));
  expect(output).toContain("name: 'Everyday Checking'");
});

test('react: the hook and the button, in strict mode', async () => {
  await connectAndReconnect(await start('node_modules/vite/bin/vite.js', 'examples/react'));
});
