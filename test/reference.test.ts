// The API reference: the contract's files, the page's headers, and the page in a real browser, in front of a server that
// records its requests.
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import express, { type Request } from 'express';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { referenceRouter } from '../src/interfaces/http/api/reference.ts';
import { collectRequests, expectNoAxeViolations, launchBrowser, type Requests } from './support/browser.ts';
import { parseYaml } from './support/yaml.ts';

const directory = fileURLToPath(new URL('../dist/reference', import.meta.url));
const root = fileURLToPath(new URL('..', import.meta.url));
const contractFile = new URL('../openapi.yaml', import.meta.url);
const publicUrl = 'https://bank.example.com';
const apiKey = 'an-api-key-of-the-reader';
const scopedToken = 'sct_of-the-reader';

let server: Server;
let origin: string;
let received: Pick<Request, 'method' | 'url' | 'headers'>[] = [];

beforeAll(async () => {
  const app = express();
  app.use(referenceRouter({ baseUrl: publicUrl, directory }));
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
    const written = parseYaml(await readFile(contractFile, 'utf8'));
    const served = await json.json();
    expect(parseYaml(await yaml.text())).toEqual(served);
    expect(served).toEqual({ ...written, servers: [expect.objectContaining({ url: publicUrl })] });
  });

  test('of the management API is served next to it, with a separate page', async () => {
    const yaml = parseYaml(await (await fetch(`${origin}/management/openapi.yaml`)).text());
    expect(yaml).toEqual(await (await fetch(`${origin}/management/openapi.json`)).json());
    expect(yaml).toMatchObject({ info: { version: '2026-11-28' }, servers: [{ url: publicUrl }] });
  });

  test('llms.txt links to the documentation and to both contracts', async () => {
    const response = await fetch(`${origin}/llms.txt`);
    expect(response.headers.get('Content-Type')).toBe('text/plain; charset=utf-8');
    expect(response.headers.get('Cache-Control')).toBe('no-cache');
    const text = await response.text();
    expect(text).toMatch(/^# Bank Connection Data Service\n\n> [^\n]+\.\n\n## API\n/);
    const links = [...text.matchAll(/^- \[[^\]\n]+\]\((\S+)\): \S/gm)].map(([, to]) => to!);
    expect(links).toHaveLength(text.match(/^-/gm)!.length);
    const paths = links.map((to) => to.replace(publicUrl, ''));
    expect(paths).toHaveLength(new Set(paths).size);
    const pages = globSync(['README.md', 'docs/**/*.md'], { cwd: root }).map((path) => `/${path}`);
    const own = ['/openapi.yaml', '/docs', '/management/openapi.yaml', '/docs/management'];
    expect(paths).toEqual(expect.arrayContaining([...own, ...pages]));
    for (const path of paths) {
      const page = await fetch(origin + path);
      expect(page.status, path).toBe(200);
      if (!path.endsWith('.md')) expect((await page.text()).length, path).toBeGreaterThan(999);
      else {
        expect(page.headers.get('Content-Type')).toBe('text/markdown; charset=utf-8');
        expect(await page.text(), path).toBe(await readFile(join(root, path), 'utf8'));
      }
    }
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
    expect(policy).not.toMatch(/https?:|\*|'unsafe-eval'/);
    expect(policy).toContain("script-src 'self';");
    const scripts = [...(await response.text()).matchAll(/<script[^>]*>/g)].map(([tag]) => tag);
    expect(scripts).toEqual([expect.stringMatching(/^<script src="\/docs\/[^"]*">$/)]);
  });

  test('loads its script from this server, from a URL that contains the version', async () => {
    const html = await (await fetch(`${origin}/docs`)).text();
    const [, path] = /<script src="([^"]+)"/.exec(html) ?? [];
    expect(path).toMatch(/^\/docs\/scalar-\d+\.\d+\.\d+-[0-9a-f]{8}\/firstView\.js$/);
    const headers = { 'Accept-Encoding': 'br' };
    const scalar = new URL('standalone.esm.js', origin + path);
    const script = await fetch(scalar, { method: 'HEAD', headers });
    expect(script.headers.get('Content-Encoding')).toBe('br');
    expect(script.headers.get('Content-Type')).toContain('javascript');
    expect(script.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
  });

  test.each(['figtree.woff2', 'hero-light.webp', 'hero-dark.webp'])(
    'lets browsers keep %s for a day, because its URL never changes',
    async (file) => {
      const { status, headers } = await fetch(`${origin}/docs/${file}`, { method: 'HEAD' });
      expect([status, headers.get('Cache-Control')]).toEqual([200, 'public, max-age=86400']);
    },
  );
});

test('without the script, the service does not start', () => {
  const notBuilt = { baseUrl: publicUrl, directory: `${directory}-missing` };
  expect(() => referenceRouter(notBuilt)).toThrow('npm run build');
});

describe('in a browser', () => {
  const listTransactions = 'tag/transactions/GET/accounts/{accountId}/transactions';

  const sectionOf = (page: Page, id: string) => page.locator(`:is(section, h3)[id$="${id}"]`);

  /** Pixels from the top of the window. */
  const topOf = (element: Locator) => element.evaluate((one) => one.getBoundingClientRect().top);

  const waitUntilAtTop = (element: Locator) =>
    expect.poll(async () => Math.abs(await topOf(element))).toBeLessThan(100);

  describe('without scripts', () => {
    let page: Page;
    beforeAll(async () => {
      page = await (await launchBrowser()).newPage({ javaScriptEnabled: false });
    });

    test('the URL of a problem type opens the explanation of its code', async () => {
      await page.goto(`${origin}/problems/rate_limited`);
      await waitUntilAtTop(sectionOf(page, 'description/rate-limited'));
    });

    test('the management API has a page, which shows the scope of an operation', async () => {
      const operation = 'POST/management/organizations/{organizationId}/sandbox/clock';
      await page.goto(`${origin}/docs/management#tag/sandbox/${operation}`);
      const section = sectionOf(page, operation);
      await waitUntilAtTop(section);
      expect(await section.innerText()).toContain('Advance the sandbox');
      expect(await section.innerText()).toContain(`${publicUrl}/management/organizations/`);
    });

    test('it shows the contract, and a link to an operation opens it without a frame', async () => {
      await page.goto(`${origin}/docs#${listTransactions}`);
      const section = sectionOf(page, listTransactions);
      await waitUntilAtTop(section);
      const outline = () =>
        section.evaluate((one) => one.matches(':focus') && getComputedStyle(one).outlineStyle);
      expect(await outline()).toBe('none');
      expect(await section.innerText()).toContain('refreshedSince');
      expect(await section.innerText()).toContain(`curl ${publicUrl}/accounts/`);
      await page.getByRole('link', { name: 'Get account' }).click();
      await waitUntilAtTop(sectionOf(page, '/GET/accounts/{accountId}'));
    });
  });

  describe('with scripts', () => {
    let context: BrowserContext;
    let page: Page;
    let requests: Requests;
    let loaded = 0;
    const wanted = Promise.withResolvers<void>();
    const policyErrors: string[] = [];

    beforeAll(async () => {
      const options = { colorScheme: 'dark', viewport: { width: 375, height: 740 } } as const;
      context = await (await launchBrowser()).newContext(options);
      page = await context.newPage();
      requests = collectRequests(page);
      page.on('console', (message) => {
        if (message.text().includes('Content Security Policy')) policyErrors.push(message.text());
      });
      const network = await context.newCDPSession(page);
      network.on('Network.loadingFinished', ({ encodedDataLength }) => (loaded += encodedDataLength));
      await network.send('Network.enable');
      await page.route('**/standalone.esm.js', (route) => wanted.promise.then(() => route.continue()));
      await page.goto(`${origin}/docs#${listTransactions}`, { waitUntil: 'networkidle' });
    });

    const fields = () => page.locator('input.scalar-password-input');
    const values = () => Promise.all([fields().nth(0).inputValue(), fields().nth(1).inputValue()]);

    test('on a phone and in the dark, the first view is accessible and has a menu', async () => {
      await waitUntilAtTop(sectionOf(page, listTransactions));
      expect(loaded).toBeGreaterThan(50_000);
      expect(loaded).toBeLessThan(120_000);
      expect(await page.locator('body').getAttribute('class')).toBe('dark-mode');
      await expectNoAxeViolations(page);
      const link = page.getByRole('link', { name: 'Get account' });
      expect(await link.isVisible()).toBe(false);
      await page.getByRole('button', { name: 'Open Menu' }).click();
      await link.click();
      await waitUntilAtTop(sectionOf(page, '/GET/accounts/{accountId}'));
      expect(await link.isVisible()).toBe(false);
    });

    test('a control of the first view is used once Scalar shows the same position, accessible and in less than 1 MB', async () => {
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize({ width: 1400, height: 900 });
      expect(await values()).toEqual(['', '']);
      await fields().nth(0).fill(apiKey);
      await fields().nth(1).fill(scopedToken);

      await page.getByRole('link', { name: 'List transactions' }).click();
      const section = sectionOf(page, listTransactions);
      await waitUntilAtTop(section);
      await page.mouse.move(500, 500);
      await page.mouse.wheel(0, 237);
      await expect.poll(() => topOf(section)).toBeLessThan(-200);
      const top = await topOf(section);
      const tab = section.getByRole('tab', { name: '404' });
      await tab.click();
      wanted.resolve();
      await page.locator('#first-view').waitFor({ state: 'detached' });
      expect(await tab.getAttribute('aria-selected')).toBe('true');
      expect(Math.abs((await topOf(section)) - top)).toBeLessThan(2);
      expect(loaded).toBeGreaterThan(500_000);
      expect(loaded).toBeLessThan(1_000_000);
      await expectNoAxeViolations(page);
    });

    test('it sends requests to this server only and does not violate its policy', async () => {
      received = [];
      await page.getByRole('link', { name: 'List transactions' }).click();
      await waitUntilAtTop(sectionOf(page, listTransactions));
      await page
        .getByRole('button', { name: /^Test Request.*get \/accounts\/\{accountId\}\/transactions\)/ })
        .click();
      await page.getByRole('button', { name: /^Send get request/ }).click();
      await page.getByText('the test server').first().waitFor();
      // Full browsers request the icon on their own.
      expect(received.filter(({ url }) => url !== '/favicon.ico')).toMatchObject([
        {
          method: 'GET',
          url: '/accounts/acc_3nVnx3kVEcA4wxWXfIjhkr/transactions',
          headers: { authorization: `Bearer ${apiKey}`, 'x-scoped-token': scopedToken },
        },
      ]);
      expect(requests.urls().length).toBeGreaterThanOrEqual(3);
      requests.expectOnlyTo(origin);
      expect(policyErrors).toEqual([]);
    });

    test('credentials are empty at first and are not stored', async () => {
      const { cookies, origins } = await context.storageState({ indexedDB: true });
      const session = await page.evaluate(() => JSON.stringify({ ...sessionStorage }));
      expect(JSON.stringify({ cookies, origins }) + session).not.toMatch(/of-the-reader/);
      await page.reload();
      expect(await values()).toEqual(['', '']);
    });
  });
});
