// The demo page in a real browser with the real widget, on a service as the command serve starts it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { updateApplication } from '../../src/applications/store.ts';
import { days } from '../../src/clock.ts';
import type { RunningServer } from '../../src/commands/serve.ts';
import { advanceSandboxClock } from '../../src/institutions/sandbox/sandboxClock.ts';
import { claimAccessUrl, readSet } from '../simplefin/fixture.ts';
import { collectRequests, expectNoAxeViolations, launchBrowser, type Requests } from '../support/browser.ts';
import { programEnv } from '../support/environment.ts';
import { freePort } from '../support/freePort.ts';
import { linkInWidget, reconnectInWidget, widgetOf } from '../support/linkInWidget.ts';
import { type RunningDemo, startDemo } from './startDemo.ts';

let demo: RunningDemo;
let server: RunningServer;
let url: string;
let directory: string;

beforeAll(async () => {
  demo = await startDemo();
  ({ server, url, directory } = demo);
});
afterAll(() => demo.close());

let page: Page;
let requests: Requests;
beforeEach(async () => {
  const browser = await launchBrowser();
  const viewport = { width: 1280, height: 900 };
  page = await browser.newPage({ locale: 'en-GB', viewport, reducedMotion: 'reduce' });
  requests = collectRequests(page);
  await page.goto(`${url}/demo`);
  await expect.poll(() => button('Connect a bank').isEnabled()).toBe(true);
});
afterEach(() => page.close());
/** Whether a promise has been resolved already. */
const isResolved = (promise: Promise<void>) => Promise.race([promise.then(() => true), false]);
const button = (name: string) => page.getByRole('button', { name, exact: true });
const account = (name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) });
const rows = () => page.locator('.transactions tbody tr');
const answer = () => page.getByRole('region', { name: 'Request and answer' });
const connect = async (username: string, answers: string[] = []) => {
  await button('Connect a bank').click();
  await linkInWidget(page, { username, answers });
  await rows().first().waitFor();
};

const viewports = [
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 375 },
  ...(process.env.TEST_ALL
    ? ([
        { colorScheme: 'dark', width: 1280 },
        { colorScheme: 'light', width: 375 },
      ] as const)
    : []),
] as const;
const checkViewports = async () => {
  for (const { colorScheme, width } of viewports) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    await expectNoAxeViolations(page);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
  }
};

describe('the demo page', () => {
  test('connects a bank with a code and shows accounts, balances and transactions', async () => {
    await connect('otp', ['123456']);
    await account('Everyday Checking').waitFor();
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
    requests.expectOnlyTo(url);
  });

  test('shows the request of the backend, which anybody with both credentials can repeat, and no credential', async () => {
    const bodies: Promise<string>[] = [];
    page.on('response', (response) => {
      if (response.url().includes('/demo')) bodies.push(response.text().catch(() => ''));
    });
    await page.reload();
    const saving = page.waitForRequest(
      (request) => request.method() === 'POST' && request.url().endsWith('/demo/api/connections'),
    );
    await connect('good');
    const values = {
      API_KEY: server.firstStart!.apiKey,
      SCOPED_TOKEN: (await saving).postDataJSON().scopedToken as string,
    };
    const response = await runCurl(await answer().locator('.copyable code').innerText(), values);
    expect(response.status).toBe(200);
    const shown = await answer().locator('> pre').innerText();
    expect(JSON.parse(shown)).toEqual(await response.json());
    const received = [await page.content(), ...(await Promise.all(bodies))].join('\n');
    expect(received).toContain('Everyday Checking');
    expect(received).not.toContain(values.SCOPED_TOKEN);
    // Every API key is a signed JWT.
    expect(received).not.toMatch(/eyJ[\w-]+\.eyJ/);
  });

  test('shows what is stored of an account, which contains nothing of what its user sees', async () => {
    await connect('good');
    const stored = page.getByRole('region', { name: 'Stored rows' });
    for (const table of ['transactions', 'transaction_blocks', 'data_keys', 'accounts']) {
      await stored.getByRole('heading', { name: table, exact: false }).first().waitFor();
    }
    const text = await stored.innerText();
    const [id] = /acc_\w+/.exec(text)!;
    const { read } = server.service.db;
    const own = (await read('accounts').where({ id }).first())!;
    const { shortId, sealed, connectionId, endUserId } = own;
    expect(text).toContain(sealed.toString('hex').slice(0, 24));
    expect(text).toMatch(new RegExp(`account_short_id\\s+${shortId}`));
    for (const secret of ['Everyday Checking', await rows().first().locator('.description').innerText()]) {
      expect(text).not.toContain(secret);
    }

    // Another user's account is not found, although the connection is the visitor's own.
    const other = (await read('accounts').whereNot({ endUserId }).first())!;
    const statusOf = (accountId: string) =>
      page.evaluate(
        async (path) => (await fetch(path)).status,
        `/demo/api/connections/${connectionId}/accounts/${accountId}/stored`,
      );
    expect(await Promise.all([own.id, other.id, 'acc_1'].map(statusOf))).toEqual([200, 404, 404]);
  });

  test('without the token, shows ciphertext and the API’s refusal, until the token is back', async () => {
    await connect('good');
    const open = await page.locator('#account').innerText();
    const token = page.getByRole('switch', { name: 'Take the token away' });
    await token.press('Space');
    await answer().getByText('403', { exact: true }).waitFor();
    const sealed = await page.locator('#account').innerText();
    for (const line of open.split('\n').filter((text) => /[A-Z]{3}|€/.test(text))) {
      expect(sealed).not.toContain(line);
    }
    expect(await page.getByText('Everyday Checking').count()).toBe(0);
    expect(await rows().first().locator('.description').innerText()).toMatch(/^[\da-f]{20}$/);
    expect(await answer().locator('> pre').innerText()).toContain('X-Scoped-Token');
    await checkViewports();
    await token.press('Space');
    await answer().getByText('200', { exact: true }).waitFor();
    expect(await page.locator('#account').innerText()).toBe(open);
  });

  test('connects a second bank with a currency of three decimals, and reads both with one token', async () => {
    await connect('good');
    await connect('bhd');
    await expect.poll(() => page.locator('.connection').count()).toBe(2);
    await expect
      .poll(() => rows().first().locator('.amount').innerText())
      .toMatch(/^[+-]BHD\s[\d,]+\.\d{3}$/);
    await page.reload();
    await expect.poll(() => page.locator('.connection').count()).toBe(2);
  });

  test('changes nothing if the widget is closed or the connection is kept; reconnects and revokes', async () => {
    await button('Connect a bank').click();
    await page.locator('dialog[open] iframe').contentFrame().getByRole('button', { name: 'Close' }).click();
    await connect('good');
    await button('Revoke').click();
    await button('Keep it').click();
    await expect.poll(() => button('Revoke').count()).toBe(1);
    await button('Reconnect').click();
    await reconnectInWidget(page, { username: 'good' });
    await expect.poll(() => page.locator('#announcer').innerText()).toContain('transactions shown');
    await expect.poll(() => page.locator('.connection').count()).toBe(1);
    await button('Revoke').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Readable until').waitFor();
    await expect.poll(() => rows().count()).toBe(25);
    await expect.poll(() => button('Revoke').count()).toBe(0);
  });

  test('gives a setup token, with which another application reads the accounts of the connection', async () => {
    await connect('good');
    await button('Share with another app').click();
    const setupToken = await page.locator('.setup-token code').innerText();
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('Copy');
    await expectNoAxeViolations(page);
    // A webhook redraws the connections in the same way.
    await account('Everyday Checking').click();
    await page.getByText(setupToken).waitFor();
    const accessUrl = await claimAccessUrl(setupToken);
    const names = (await readSet(accessUrl)).accounts.map(({ name }) => name);
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) await account(name.replace(/ \(.*/, '')).waitFor();
  });

  test('says that a connection needs its user, and connects it again', async () => {
    await connect('expires');
    await page.getByText(/^Refreshed /).waitFor();
    const { db, clock } = server.service;
    const organizationId = (await db.read('organizations').first('id'))!.id;
    await advanceSandboxClock(db, { organizationId, milliseconds: days(1), now: clock.real() });
    const needsSignIn = page.getByText('Needs sign-in', { exact: true });
    await expect
      .poll(
        async () => {
          await button('Read again').click();
          return needsSignIn.count();
        },
        { timeout: 20_000, interval: 250 },
      )
      .toBe(1);
    await page.getByText(/^Not refreshed since /).waitFor();
    await expectNoAxeViolations(page);
    await button('Reconnect').click();
    await reconnectInWidget(page, { username: 'expires' });
    await page.getByText(/^Refreshed /).waitFor();
    expect(await needsSignIn.count()).toBe(0);
  });

  test('at another name than BASE_URL says where it must be opened, and leads there', async () => {
    await page.goto(`${url.replace('localhost', '127.0.0.1')}/demo`);
    await page.getByRole('alert').getByText(`This page must be opened at ${url}/demo.`).waitFor();
    expect(await button('Connect a bank').isEnabled()).toBe(false);
    await checkViewports();
    await page.getByRole('alert').getByRole('link').click();
    await connect('good');
  });

  test('offers to reload the page once its session has expired', async () => {
    await connect('good');
    await page.context().clearCookies();
    await button('Read again').click();
    await page.getByText('The session of this page has expired').first().waitFor();
    await button('Reload').first().click();
    await page.getByText('The session of this page has expired').waitFor({ state: 'detached' });
    await connect('good');
  });

  test('asks the user to sign in again when the bank does, and shows the webhooks and requests of it', async () => {
    await connect('good');
    const feed = page.getByRole('region', { name: 'Requests and webhooks' });
    await feed.getByText('connection.created').waitFor();
    await feed
      .getByText(/^\/accounts\/acc_\w+\/transactions\?limit=25$/)
      .first()
      .waitFor();
    await button('Make the bank ask again').press('Enter');
    await page.getByText('Your bank needs you to sign in again').first().waitFor();
    await feed.getByText('connection.needs_reconnect').waitFor();
    await expect.poll(() => button('Make the bank ask again').isEnabled()).toBe(false);
    await checkViewports();
    await button('Sign in again').press('Enter');
    const widget = widgetOf(page);
    await widget.getByLabel('Username', { exact: true }).fill('good');
    await widget.getByLabel('Password', { exact: true }).fill('password');
    await widget.locator('[data-action=continue]').click();
    // The webhook removes the button that opened the widget, to which the focus would return.
    await feed.getByText('connection.restored').waitFor();
    await page.locator('.banner').waitFor({ state: 'detached' });
    await widget.getByRole('button', { name: 'Done', exact: true }).click();
    await expect.poll(() => button('Make the bank ask again').isEnabled()).toBe(true);
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toMatch(/^Everyday Checking/);
  });

  test('shows the account that was connected last, although an older answer arrives after it', async () => {
    await connect('good');
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
    await button('Read again').click();
    await expect.poll(() => reads).toBe(1);
    await connect('otp', ['123456']);
    await expect.poll(async () => (await idsOf('')).length).toBe(2 * firstIds.length);
    // A webhook may show the new connection before the page selects its account.
    await expect.poll(async () => (await idsOf('[aria-pressed=true]'))[0]).not.toBeOneOf(firstIds);
    expect(await account('Everyday Checking').and(page.locator('[aria-pressed=true]')).count()).toBe(1);
  });

  test('gives a page, a component and a backend to copy; page and backend together connect a bank', async () => {
    const texts: Record<string, string> = {};
    for (const [name, file] of Object.entries({
      HTML: 'index.html',
      React: 'App.tsx',
      Express: 'server.ts',
    })) {
      await page.locator('#examples summary', { hasText: name }).press('Enter');
      texts[file] = await page.locator('details[open] pre').innerText();
      expect(texts[file]).toContain(server.firstStart!.applicationId);
    }
    expect(texts['index.html']).not.toContain('{{');
    expect(texts['App.tsx']).not.toContain('./settings');
    await checkViewports();
    const copy = join(directory, 'copy');
    await mkdir(copy);
    await symlink(join(import.meta.dirname, '../../node_modules'), join(copy, 'node_modules'));
    for (const file of ['index.html', 'server.ts']) await writeFile(join(copy, file), texts[file]!);
    const PORT = String(await freePort());
    const origin = `http://localhost:${PORT}`;
    await updateApplication(server.service.db.write, server.firstStart!.applicationId, {
      origins: [url, origin],
    });
    const env = { ...programEnv, PORT, API_KEY: server.firstStart!.apiKey };
    const program = spawn(process.execPath, ['server.ts'], { cwd: copy, env });
    let output = '';
    for (const stream of [program.stdout, program.stderr]) stream.on('data', (text) => (output += text));
    try {
      await expect.poll(() => output).toContain(`Open ${origin}`);
      await page.goto(origin);
      await button('Connect a bank').click();
      await linkInWidget(page, { username: 'good' });
      await page.getByText(/^Connected: Sandbox Bank/).waitFor();
      expect(output).toContain("name: 'Everyday Checking'");
    } finally {
      program.kill();
      await once(program, 'exit');
    }
  });

  test('shows an error if the service is unreachable, and retries', async () => {
    await page.route('**/transactions*', (route) => route.abort());
    await button('Connect a bank').click();
    await linkInWidget(page, { username: 'good' });
    await page.getByRole('alert').getByText('The service cannot be reached').waitFor();
    await expectNoAxeViolations(page);
    await page.unroute('**/transactions*');
    await button('Try again').click();
    await expect.poll(() => rows().count()).toBe(25);
  });
});

describe('the demo page is accessible and does not overflow', () => {
  test('before and after connecting, and in the confirmation', async () => {
    await checkViewports();
    await connect('good');
    await checkViewports();
    await button('Revoke').click();
    await checkViewports();
  });
});

/** Sends the request of a curl command. */
const runCurl = (command: string, values: { API_KEY: string; SCOPED_TOKEN: string }): Promise<Response> => {
  const curl = command.replace(/\$(API_KEY|SCOPED_TOKEN)/g, (_, name: keyof typeof values) => values[name]);
  const url = /curl -sS(?: -g)? "([^"]+)"/.exec(curl)?.[1] ?? '';
  const headers = [...curl.matchAll(/-H "([\w-]+): ([^"]+)"/g)].map(([, name, value]) => [name, value]);
  return fetch(url, { headers: headers as [string, string][] });
};
