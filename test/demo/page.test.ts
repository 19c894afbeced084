// The demo page in a real browser with the real widget, on a service as the command serve starts it: one user's journey.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sandboxUsers } from '../../connectors/sandbox/users.ts';
import { updateApplication } from '../../src/domain/applications/store.ts';
import { claimAccessUrl, readSet } from '../simplefin/fixture.ts';
import { collectRequests, expectNoAxeViolations, launchBrowser, type Requests } from '../support/browser.ts';
import { programEnv } from '../support/environment.ts';
import { freePort } from '../support/freePort.ts';
import { linkInWidget, widgetOf } from '../support/linkInWidget.ts';
import { hostOrigin, link } from '../support/testService.ts';
import { type RunningDemo, startDemo } from './startDemo.ts';

let demo: RunningDemo;
let application: { id: string; apiKey: string; keyId: string };
let copyPort: string;
let copyOrigin: string;
let page: Page;
let requests: Requests;
let scopedToken = '';
const received: Promise<string>[] = [];

beforeAll(async () => {
  demo = await startDemo();
  const { applicationId: id, apiKey } = demo.server.firstStart!;
  application = { id, apiKey, keyId: '' };
  copyPort = String(await freePort());
  copyOrigin = `http://localhost:${copyPort}`;
  await updateApplication(demo.server.service.db.write, id, { origins: [demo.url, hostOrigin, copyOrigin] });
  const browser = await launchBrowser();
  page = await browser.newPage({ ...{ locale: 'en-GB', reducedMotion: 'reduce' }, ...screen('light', 1280) });
  requests = collectRequests(page);
  page.on('response', (response) => {
    if (response.url().includes('/demo')) received.push(response.text().catch(() => ''));
  });
  await page.goto(`${demo.url}/demo`);
});
afterAll(async () => {
  await page.close();
  await demo.close();
});

/** True if a promise is already resolved. */
const isResolved = (promise: Promise<void>) => Promise.race([promise.then(() => true), false]);
const button = (name: string) => page.getByRole('button', { name, exact: true });
const account = (name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) });
const rows = () => page.locator('.transactions tbody tr');
const answer = () => page.getByRole('region', { name: 'Request and response' });
const feed = () => page.getByRole('region', { name: 'Requests and webhooks' });
/** The latest connection, which is shown first. */
const latest = () => page.locator('.connection').first();
const focusedText = () => page.evaluate(() => document.activeElement?.textContent);

const screen = (colorScheme: 'light' | 'dark', width: number) => ({
  colorScheme,
  viewport: { width, height: 900 },
});
const screens = [screen('light', 1280), screen('dark', 375), screen('dark', 1280), screen('light', 375)];
let checks = 0;

/** Checks one of two screens in turn; with TEST_ALL, both. */
const expectAccessible = async () => {
  for (const { colorScheme, viewport } of process.env.TEST_ALL ? screens : [screens[checks++ % 2]!]) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    await expectNoAxeViolations(page);
    await page.setViewportSize({ width: 375, height: 900 });
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
  }
  await page.setViewportSize(screens[0]!.viewport);
};

test('connects a bank with a code and shows accounts, balances and transactions', async () => {
  await expect.poll(() => button('Connect a bank').isEnabled()).toBe(true);
  await expectAccessible();
  const saving = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith('/demo/api/connections'),
  );
  await button('Connect a bank').click();
  await linkInWidget(page, { username: 'otp', answers: ['123456'] });
  ({ scopedToken } = (await saving).postDataJSON());
  await expect.poll(() => rows().count()).toBe(25);
  await button('Load more').click();
  await expect.poll(() => rows().count()).toBe(50);
  await account('Sandbox Credit Card').click();
  await page.getByRole('heading', { name: 'Sandbox Credit Card' }).waitFor();
  await page.getByText('Limit', { exact: true }).waitFor();
  await page.getByText(/^Credit card •• \d{4} · EUR$/).waitFor();
  const isShown = (logo: HTMLImageElement) => logo.complete && logo.naturalWidth > 0;
  expect(await page.locator('.bank-logo').evaluate(isShown)).toBe(true);
  expect(await page.evaluate(() => document.fonts.check('1em "Figtree Variable"'))).toBe(true);
  await expectAccessible();
  requests.expectOnlyTo(demo.url);
});

test('lists the sandbox users, except those that only developers need', async () => {
  const listed = await page.locator('#usernames code').allTextContents();
  const others = ['rate-limited', 'consent-90', 'new-account', 'forgetful', 'edits', 'statement-tan'];
  expect([...listed, ...others].toSorted()).toEqual([...sandboxUsers.keys()].toSorted());
});

test('shows the request of the backend, which anybody with both credentials can repeat, and no credential', async () => {
  await account('Everyday Checking').click();
  await page.getByRole('heading', { name: 'Everyday Checking' }).waitFor();
  const command = await answer().locator('.copyable code').innerText();
  const response = await runCurl(command, { API_KEY: application.apiKey, SCOPED_TOKEN: scopedToken });
  expect(response.status).toBe(200);
  expect(JSON.parse(await answer().locator('> pre').innerText())).toEqual(await response.json());
  const all = [await page.content(), ...(await Promise.all(received))].join('\n');
  expect(all).toContain('Everyday Checking');
  expect(all).not.toContain(scopedToken);
  // Every API key is a signed JWT.
  expect(all).not.toMatch(/eyJ[\w-]+\.eyJ/);
});

test('shows the stored rows of an account, which contain nothing that its user sees', async () => {
  const stored = page.getByRole('region', { name: 'Stored rows' });
  for (const table of ['transactions', 'transaction_blocks', 'data_keys', 'accounts']) {
    await stored.getByRole('heading', { name: table, exact: false }).first().waitFor();
  }
  const text = await stored.innerText();
  const [id] = /acc_\w+/.exec(text)!;
  const { read } = demo.server.service.db;
  const { shortId, sealed, connectionId } = (await read('accounts').where({ id }).first())!;
  expect(text).toContain(sealed.toString('hex').slice(0, 24));
  expect(text).toMatch(new RegExp(`account_short_id\\s+${shortId}`));
  for (const secret of ['Everyday Checking', await rows().first().locator('.description').innerText()]) {
    expect(text).not.toContain(secret);
  }

  // Another user's account is not found, although the connection is the visitor's own.
  const other = await link({ url: demo.url, application });
  const statusOf = (accountId: string) =>
    page.evaluate(
      async (path) => (await fetch(path)).status,
      `/demo/api/connections/${connectionId}/accounts/${accountId}/stored`,
    );
  const ids = [id, other.accounts[0]!.id, 'acc_1'];
  expect(await Promise.all(ids.map(statusOf))).toEqual([200, 404, 404]);
});

test('without the token, shows ciphertext and the API’s refusal, until the token is back', async () => {
  const open = await page.locator('#account').innerText();
  const token = page.getByRole('switch', { name: 'Remove the token' });
  await token.press('Space');
  await answer().getByText('403', { exact: true }).waitFor();
  const sealed = await page.locator('#account').innerText();
  for (const line of open.split('\n').filter((text) => /[A-Z]{3}|€/.test(text))) {
    expect(sealed).not.toContain(line);
  }
  expect(await page.getByText('Everyday Checking').count()).toBe(0);
  expect(await rows().first().locator('.description').innerText()).toMatch(/^[\da-f]{20}$/);
  expect(await answer().locator('> pre').innerText()).toContain('X-Scoped-Token');
  await expectAccessible();
  await token.press('Space');
  await answer().getByText('200', { exact: true }).waitFor();
  expect(await page.locator('#account').innerText()).toBe(open);
});

test('returns a setup token, with which another application reads the accounts of the connection', async () => {
  await button('Share with another app').click();
  const setupToken = await page.locator('.setup-token code').innerText();
  await expect.poll(focusedText).toContain('Copy');
  await expectAccessible();
  // This redraws the connections, as a webhook does.
  await account('Everyday Checking').click();
  await page.getByText(setupToken).waitFor();
  const names = (await readSet(await claimAccessUrl(setupToken))).accounts.map(({ name }) => name);
  expect(names.length).toBeGreaterThan(0);
  for (const name of names) await account(name.replace(/ \(.*/, '')).waitFor();
});

test('shows an error if the service is unreachable, and retries', async () => {
  await page.route('**/transactions*', (route) => route.abort());
  await account('Sandbox Credit Card').click();
  await page.getByRole('alert').getByText('The service cannot be reached').waitFor();
  await expectAccessible();
  await page.unroute('**/transactions*');
  await button('Try again').click();
  await page.getByRole('heading', { name: 'Sandbox Credit Card' }).waitFor();
});

test('connects a second bank with a currency of three decimals, and shows it although an older answer arrives after it', async () => {
  const idsOf = (pressed: string) =>
    page
      .locator(`.account-button${pressed}`)
      .evaluateAll((buttons) => buttons.map((one) => one.dataset.focus));
  const firstIds = await idsOf('');
  const [saved, arrived] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let reads = 0;
  await page.route('**/demo/api/connections', async (route) => {
    const isRead = route.request().method() === 'GET';
    const isOldest = isRead && reads++ === 0;
    if (isRead && !isOldest && (await isResolved(saved.promise))) await arrived.promise;
    const response = await route.fetch();
    if (isOldest) await saved.promise;
    await route.fulfill({ response });
    if (!isRead) saved.resolve();
    if (isOldest) arrived.resolve();
  });
  await button('Reload data').click();
  await expect.poll(() => reads).toBe(1);
  await button('Connect a bank').click();
  await linkInWidget(page, { username: 'bhd' });
  await expect.poll(async () => (await idsOf('')).length).toBe(2 * firstIds.length);
  // A webhook may show the new connection before the page selects its account.
  await expect.poll(async () => (await idsOf('[aria-pressed=true]'))[0]).not.toBeOneOf(firstIds);
  expect(await account('Everyday Checking').and(page.locator('[aria-pressed=true]')).count()).toBe(1);
  await expect.poll(() => rows().first().locator('.amount').innerText()).toMatch(/^[+-]BHD\s[\d,]+\.\d{3}$/);
  await page.unrouteAll();
});

test('asks the user to sign in again when the bank does, and shows the webhooks and requests', async () => {
  await feed().getByText('connection.created').first().waitFor();
  await feed()
    .getByText(/^\/accounts\/acc_\w+\/transactions\?limit=25$/)
    .first()
    .waitFor();
  await latest()
    .getByText(/^Refreshed /)
    .waitFor();
  await button('Require a new sign-in').press('Enter');
  await latest().getByText('Your bank needs you to sign in again').waitFor();
  await latest().getByText('Needs sign-in', { exact: true }).waitFor();
  await latest()
    .getByText(/^Not refreshed since /)
    .waitFor();
  await feed().getByText('connection.needs_reconnect').waitFor();
  await expect.poll(() => button('Require a new sign-in').isEnabled()).toBe(false);
  await expectAccessible();
  await button('Sign in again').press('Enter');
  const widget = widgetOf(page);
  await widget.getByLabel('Username', { exact: true }).fill('bhd');
  await widget.getByLabel('Password', { exact: true }).fill('password');
  await widget.locator('[data-action=continue]').click();
  // The webhook removes the button that opened the widget, to which the focus would return.
  await feed().getByText('connection.restored').waitFor();
  await page.locator('.banner').waitFor({ state: 'detached' });
  await widget.getByRole('button', { name: 'Done', exact: true }).click();
  await expect.poll(() => button('Require a new sign-in').isEnabled()).toBe(true);
  await latest()
    .getByText(/^Refreshed /)
    .waitFor();
  await expect.poll(focusedText).toMatch(/^Everyday Checking/);
});

test('changes nothing if the widget is closed or the connection is kept, and revokes', async () => {
  const revoke = latest().getByRole('button', { name: 'Revoke' });
  await latest().getByRole('button', { name: 'Reconnect' }).click();
  await widgetOf(page).getByLabel('Username', { exact: true }).waitFor();
  await widgetOf(page).getByRole('button', { name: 'Close' }).click();
  await page.locator('dialog[open]').waitFor({ state: 'detached' });
  await revoke.click();
  await expectAccessible();
  await button('Keep it').click();
  await expect.poll(() => button('Revoke').count()).toBe(2);
  await revoke.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await latest().getByText('Readable until').waitFor();
  await expect.poll(() => rows().count()).toBe(25);
  await expect.poll(() => button('Revoke').count()).toBe(1);
});

test('at a name other than that in BASE_URL, it links to the right address', async () => {
  await page.goto(`${demo.url.replace('localhost', '127.0.0.1')}/demo`);
  const alert = page.getByRole('alert');
  await alert.getByText(`This page must be opened at ${demo.url}/demo.`).waitFor();
  expect(await button('Connect a bank').isEnabled()).toBe(false);
  await expectAccessible();
  await alert.getByRole('link').click();
  await expect.poll(() => page.locator('.connection').count()).toBe(2);
});

test('offers to reload the page once its session has expired', async () => {
  await page.context().clearCookies();
  await button('Reload data').click();
  await page.getByText('This page’s session has expired').first().waitFor();
  await button('Reload').first().click();
  await expect.poll(() => button('Connect a bank').isEnabled()).toBe(true);
  expect(await page.getByText('This page’s session has expired').count()).toBe(0);
});

test('shows a page, a component and a backend to copy; page and backend together connect a bank', async () => {
  const texts: Record<string, string> = {};
  for (const [name, file] of [
    ['HTML', 'index.html'],
    ['React', 'App.tsx'],
    ['Express', 'server.ts'],
  ] as const) {
    await page.locator('#examples summary', { hasText: name }).press('Enter');
    texts[file] = await page.locator('details[open] pre').innerText();
    expect(texts[file]).toContain(application.id);
  }
  expect(texts['index.html']).not.toContain('{{');
  expect(texts['App.tsx']).not.toContain('./settings');
  await expectAccessible();
  const copy = join(demo.directory, 'copy');
  await mkdir(copy);
  await symlink(join(import.meta.dirname, '../../node_modules'), join(copy, 'node_modules'));
  for (const file of ['index.html', 'server.ts']) await writeFile(join(copy, file), texts[file]!);
  const env = { ...programEnv, PORT: copyPort, API_KEY: application.apiKey };
  const program = spawn(process.execPath, ['server.ts'], { cwd: copy, env });
  let output = '';
  for (const stream of [program.stdout, program.stderr]) stream.on('data', (text) => (output += text));
  try {
    await expect.poll(() => output).toContain(`Open ${copyOrigin}`);
    await page.goto(copyOrigin);
    await button('Connect a bank').click();
    await linkInWidget(page, { username: 'good' });
    await page.getByText(/^Connected: Sandbox Bank/).waitFor();
    expect(output).toContain("name: 'Everyday Checking'");
  } finally {
    program.kill();
    await once(program, 'exit');
  }
});

/** Sends the request of a curl command. */
const runCurl = (command: string, values: { API_KEY: string; SCOPED_TOKEN: string }): Promise<Response> => {
  const curl = command.replace(/\$(API_KEY|SCOPED_TOKEN)/g, (_, name: keyof typeof values) => values[name]);
  const url = /curl -sS(?: -g)? "([^"]+)"/.exec(curl)?.[1] ?? '';
  const headers = [...curl.matchAll(/-H "([\w-]+): ([^"]+)"/g)].map(([, name, value]) => [name, value]);
  return fetch(url, { headers: headers as [string, string][] });
};
