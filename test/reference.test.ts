// The API reference: the contract's files, the page's headers, and the page in a real browser, in front of a server that
// records its requests.
import { readFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import express, { type Request } from 'express';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { referenceRouter } from '../src/http/api/reference.ts';
import { collectRequests, expectNoAxeViolations, launchBrowser } from './support/browser.ts';

const directory = fileURLToPath(new URL('../dist/reference', import.meta.url));
const contractFile = new URL('../openapi.yaml', import.meta.url);
const publicUrl = 'https://bank.example.com';
const apiKey = 'an-api-key-of-the-reader';
const scopedToken = 'sct_of-the-reader';

let server: Server;
let origin: string;
let received: Pick<Request, 'method' | 'url' | 'headers'>[] = [];

beforeAll(async () => {
  const app = express();
  app.use(referenceRouter({ baseUrl: publicUrl, contractFile, directory }));
  app.use((request, response) => {
    received.push({ method: request.method, url: request.url, headers: request.headers });
    response.json({ connections: [], handledBy: 'the test server' });
  });
  server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

describe('the contract', () => {
  test('is served as YAML and as JSON, with the URL of this server', async () => {
    const yaml = await fetch(`${origin}/openapi.yaml`);
    const json = await fetch(`${origin}/openapi.json`);
    expect(yaml.headers.get('Content-Type')).toBe('application/yaml; charset=utf-8');
    expect(json.headers.get('Content-Type')).toBe('application/json; charset=utf-8');
    const written = parse(await readFile(contractFile, 'utf8'));
    const served = await json.json();
    expect(parse(await yaml.text())).toEqual(served);
    expect(served).toEqual({ ...written, servers: [expect.objectContaining({ url: publicUrl })] });
  });

  test.each(['not_found', 'rate_limited', 'unauthorized'])(
    '/problems/%s redirects to its explanation',
    async (code) => {
      const response = await fetch(`${origin}/problems/${code}`, { redirect: 'manual' });
      expect(response.status).toBe(302);
      expect(response.headers.get('Location')).toBe(`/docs#description/${code.replace('_', '-')}`);
    },
  );

  test('an unknown code is left to the next handler', async () => {
    const response = await fetch(`${origin}/problems/elsewhere`, { redirect: 'manual' });
    expect(await response.json()).toMatchObject({ handledBy: 'the test server' });
  });
});

describe('the page', () => {
  test('its policy allows no other host and no inline script', async () => {
    const response = await fetch(`${origin}/docs`);
    const policy = response.headers.get('Content-Security-Policy') ?? '';
    expect(policy).not.toMatch(/https?:|\*|'unsafe-eval'|script-src[^;]*'unsafe-inline'/);
    const [, nonce] = /'nonce-([^']+)'/.exec(policy) ?? [];
    const scripts = [...(await response.text()).matchAll(/<script[^>]*>/g)].map(([tag]) => tag);
    expect(scripts.length).toBeGreaterThan(0);
    for (const script of scripts) expect(script).toContain(`nonce="${nonce}"`);
    const second = await fetch(`${origin}/docs`);
    expect(second.headers.get('Content-Security-Policy')).not.toBe(policy);
  });

  test('loads its script from this server, from a URL that contains the version', async () => {
    const html = await (await fetch(`${origin}/docs`)).text();
    const [, path] = /<script src="([^"]+)"/.exec(html) ?? [];
    expect(path).toMatch(/^\/docs\/scalar-\d+\.\d+\.\d+\.js$/);
    const headers = { 'Accept-Encoding': 'br' };
    const script = await fetch(`${origin}${path}`, { method: 'HEAD', headers });
    expect(script.headers.get('Content-Encoding')).toBe('br');
    expect(script.headers.get('Content-Type')).toContain('javascript');
    expect(script.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
  });
});

test('without the script, the service does not start', () => {
  const notBuilt = { baseUrl: publicUrl, contractFile, directory: `${directory}-missing` };
  expect(() => referenceRouter(notBuilt)).toThrow('npm run build');
});

describe('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });

  const open = async (path = '/docs', options: BrowserContextOptions = {}) => {
    const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, ...options });
    const page = await context.newPage();
    const requests = collectRequests(page);
    const network = await context.newCDPSession(page);
    const loaded = { bytes: 0 };
    network.on('Network.loadingFinished', ({ encodedDataLength }) => {
      loaded.bytes += encodedDataLength;
    });
    await network.send('Network.enable');
    const policyErrors: string[] = [];
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) policyErrors.push(message.text());
    });
    await page.goto(origin + path);
    await page.getByRole('heading', { name: 'Bank Connection Data Service' }).waitFor();
    return { context, page, requests, policyErrors, loaded };
  };

  const fields = (page: Page) => page.locator('input.scalar-password-input');

  const fillCredentials = async (page: Page) => {
    await fields(page).nth(0).fill(apiKey);
    await fields(page).nth(1).fill(scopedToken);
  };

  const openOperation = async (page: Page, group: string, operation: string) => {
    await page.getByRole('button', { name: `Open Group - ${group}` }).click();
    await page.getByRole('link', { name: operation }).click();
    await page.getByRole('heading', { name: operation }).waitFor();
  };

  test.each<[string, BrowserContextOptions]>([
    ['light', { colorScheme: 'light' }],
    ['dark', { colorScheme: 'dark' }],
    ['on a phone', { viewport: { width: 375, height: 740 } }],
  ])('it is accessible and loads at most 1 MB, %s', async (_name, options) => {
    const { context, page, policyErrors, loaded } = await open('/docs', options);
    await page.evaluate(() => document.fonts.ready);
    await expectNoAxeViolations(page);
    expect(loaded.bytes).toBeGreaterThan(500_000);
    expect(loaded.bytes).toBeLessThanOrEqual(1_000_000);
    expect(policyErrors).toEqual([]);
    await context.close();
  });

  test('it sends requests to this server only and does not violate its policy', async () => {
    received = [];
    const { context, page, requests, policyErrors } = await open();
    await fillCredentials(page);
    await openOperation(page, 'Transactions', 'List transactions');
    requests.expectOnlyTo(origin);
    expect(requests.urls().length).toBeGreaterThanOrEqual(3);

    // Sends a request with the credentials that were filled in.
    await page
      .getByRole('button', { name: /^Test Request.*get \/accounts\/\{accountId\}\/transactions\)/ })
      .click();
    await page.getByRole('button', { name: /^Send get request/ }).click();
    await page.getByText('the test server').first().waitFor();
    // Full browsers ask for the icon on their own.
    expect(received.filter(({ url }) => url !== '/favicon.ico')).toMatchObject([
      {
        method: 'GET',
        url: '/accounts/acc_3nVnx3kVEcA4wxWXfIjhkr/transactions',
        headers: { authorization: `Bearer ${apiKey}`, 'x-scoped-token': scopedToken },
      },
    ]);
    requests.expectOnlyTo(origin);
    expect(policyErrors).toEqual([]);
    await context.close();
  });

  test('credentials are empty at first and are not stored', async () => {
    const { context, page } = await open();
    const values = async () => [
      await fields(page).nth(0).inputValue(),
      await fields(page).nth(1).inputValue(),
    ];
    expect(await values()).toEqual(['', '']);
    await fillCredentials(page);
    await page.getByRole('heading', { name: 'Errors', exact: true }).scrollIntoViewIfNeeded();
    const { cookies, origins } = await context.storageState({ indexedDB: true });
    const session = await page.evaluate(() => JSON.stringify({ ...sessionStorage }));
    expect(JSON.stringify({ cookies, origins }) + session).not.toMatch(/of-the-reader/);
    await page.reload();
    await fields(page).nth(1).waitFor();
    expect(await values()).toEqual(['', '']);
    await context.close();
  });

  test('the URL of a problem type opens the explanation of its code', async () => {
    const { context, page } = await open('/problems/rate_limited');
    await page.waitForFunction(() => {
      const headings = [...document.querySelectorAll('h3')];
      const top = headings
        .find((one) => one.textContent?.trim() === 'rate_limited')
        ?.getBoundingClientRect().top;
      return top !== undefined && top >= 0 && top < innerHeight / 2;
    });
    await context.close();
  });
});
