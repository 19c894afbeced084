// The demo page as a newcomer meets it: a real browser, the real widget, the service as `serve` starts it.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type RunningServer, startServer } from '../../src/commands/serve.ts';
import { readConfig } from '../../src/config.ts';
import { collectRequests, expectNoAxeViolations, launchBrowser, type Requests } from '../support/browser.ts';
import { linkInWidget, reconnectInWidget } from '../support/linkInWidget.ts';
import { databases, type TestDatabase } from '../support/databases.ts';
import { freePort } from '../support/freePort.ts';

let directory: string;
let database: TestDatabase;
let serving: RunningServer;
let url: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'demo-page-'));
  database = await databases[0]!.create();
  // The widget opens only at the address that the service knows, so that must be known before it listens.
  const PORT = String(await freePort());
  const config = readConfig({ PORT, DATA_DIR: directory, DATABASE_URL: database.url, LOG_LEVEL: 'silent' });
  serving = await startServer(config, { worker: true });
  url = config.baseUrl;
});
afterAll(async () => {
  await serving.close();
  await database.drop();
  await rm(directory, { recursive: true, force: true });
});

let page: Page;
let requests: Requests;
let bodies: Promise<string>[];
beforeEach(async () => {
  const browser = await launchBrowser();
  page = await browser.newPage({ locale: 'en-GB', viewport: { width: 1280, height: 900 } });
  requests = collectRequests(page);
  bodies = [];
  page.on('response', (response) => bodies.push(response.text().catch(() => '')));
  await page.goto(`${url}/demo`);
  await expect.poll(() => button('Connect a bank').isEnabled()).toBe(true);
});
afterEach(() => page.close());
const button = (name: string) => page.getByRole('button', { name, exact: true });
const account = (name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) });
const rows = () => page.locator('.transactions tbody tr');
const connect = async (username: string, answers: string[] = []) => {
  await button('Connect a bank').click();
  await linkInWidget(page, { username, answers });
  await rows().first().waitFor();
};

describe('a newcomer', () => {
  test('links a bank with a security code and sees accounts, balances and transactions', async () => {
    await connect('otp', ['123456']);
    await account('Everyday Checking').waitFor();
    await expect.poll(() => rows().count()).toBe(25);
    await button('Load more').click();
    await expect.poll(() => rows().count()).toBe(50);
    await account('Sandbox Credit Card').click();
    await page.getByRole('heading', { name: 'Sandbox Credit Card' }).waitFor();
    await page.getByText('Limit', { exact: true }).waitFor();
    requests.expectOnlyTo(url);
  });

  test('reads the same with the commands that the page shows, and with a key that it never sees', async () => {
    await connect('good');
    await button('Show my scoped token').click();
    const credentials = page.locator('.credentials code');
    await credentials.getByText(/sct_\w/).waitFor();
    const [token] = /sct_[\w-]+/.exec(await credentials.innerText()) ?? [];
    const commands = await page.locator('.commands code').allInnerTexts();
    expect(commands).toHaveLength(7);
    const values = { API_KEY: serving.firstStart!.apiKey, SCOPED_TOKEN: token! };
    for (const command of commands) {
      const answer = await runCurl(command, values);
      expect([command, answer.status]).toEqual([command, 200]);
    }
    const list = await (await runCurl(commands[4]!, values)).json();
    expect(list.transactions[0].description).toBe(await rows().first().locator('.description').innerText());

    const seen = [await page.content(), ...(await Promise.all(bodies))].join('\n');
    expect(seen).toContain('Everyday Checking');
    // A key is a signed JWT, whichever of the application's keys it is.
    expect(seen).not.toMatch(/eyJ[\w-]+\.eyJ/);
  });

  test('connects a second bank, whose currency has three decimals, and reads both with one token', async () => {
    await connect('good');
    await connect('bhd');
    await expect.poll(() => page.locator('.connection').count()).toBe(2);
    await expect
      .poll(() => rows().first().locator('.amount').innerText())
      .toMatch(/^[+-]BHD\s[\d,]+\.\d{3}$/);
    await page.reload();
    await expect.poll(() => page.locator('.connection').count()).toBe(2);
  });

  test('reconnects with nothing but the credentials, and revokes', async () => {
    await connect('good');
    await button('Reconnect').click();
    await reconnectInWidget(page, { username: 'good' });
    await expect.poll(() => page.locator('#said').innerText()).toContain('transactions shown');
    await expect.poll(() => page.locator('.connection').count()).toBe(1);
    await button('Revoke').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Readable until').waitFor();
    await expect.poll(() => rows().count()).toBe(25);
    await expect.poll(() => button('Revoke').count()).toBe(0);
  });

  test('may change their mind: closing the widget or keeping the connection changes nothing', async () => {
    await button('Connect a bank').click();
    await page.locator('dialog[open] iframe').contentFrame().getByRole('button', { name: 'Close' }).click();
    await connect('good');
    await button('Revoke').click();
    await button('Keep it').click();
    await expect.poll(() => button('Revoke').count()).toBe(1);
  });

  test('is told when the service does not answer, and can try again', async () => {
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

describe('everybody can use it, and nothing runs over the edge', () => {
  const looks = [
    { colorScheme: 'light', width: 1280 },
    { colorScheme: 'dark', width: 1280 },
    { colorScheme: 'light', width: 320 },
  ] as const;
  const lookAt = async () => {
    for (const { colorScheme, width } of looks) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await expectNoAxeViolations(page);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    }
  };

  test('before and after connecting, and while being asked', async () => {
    await lookAt();
    await connect('good');
    await lookAt();
    await button('Revoke').click();
    await lookAt();
  });
});

/** What a terminal would do with one of the page's commands. */
const runCurl = (command: string, values: { API_KEY: string; SCOPED_TOKEN: string }): Promise<Response> => {
  const filled = command.replace(/\$(API_KEY|SCOPED_TOKEN)/g, (_, name: keyof typeof values) => values[name]);
  const address = /curl -sS(?: -g)? "([^"]+)"/.exec(filled)?.[1] ?? '';
  const headers = [...filled.matchAll(/-H "([\w-]+): ([^"]+)"/g)].map(([, name, value]) => [name, value]);
  return fetch(address, { headers: headers as [string, string][] });
};
