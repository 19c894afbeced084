// The reference as a reader meets it: a real browser on the page, and a small interface behind it that writes
// down what it was asked with.
import { readFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Request } from 'express';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { referenceRouter } from '../src/http/api/reference.ts';
import { collectRequests, launchBrowser } from './support/browser.ts';

const contractFile = new URL('../openapi.yaml', import.meta.url);
const publicUrl = 'https://bank.example.com';
const apiKey = 'a-key-that-a-reader-pastes';
const scopedToken = 'sct_that-a-reader-pastes';

let server: Server;
let origin: string;
let asked: Pick<Request, 'method' | 'url' | 'headers'>[] = [];

beforeAll(async () => {
  const app = express();
  app.use(referenceRouter({ baseUrl: publicUrl, contractFile }));
  app.use((request, response) => {
    asked.push({ method: request.method, url: request.url, headers: request.headers });
    response.json({ connections: [], answered: 'by the interface itself' });
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
  test('is served as YAML and as JSON, equal but for the server, which is this one', async () => {
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
    '/problems/%s leads to its explanation',
    async (code) => {
      const response = await fetch(`${origin}/problems/${code}`, { redirect: 'manual' });
      expect(response.status).toBe(302);
      expect(response.headers.get('Location')).toBe(`/docs#description/${code.replace('_', '-')}`);
    },
  );

  test('a code that does not exist is left to whoever comes next', async () => {
    const response = await fetch(`${origin}/problems/elsewhere`, { redirect: 'manual' });
    expect(await response.json()).toMatchObject({ answered: 'by the interface itself' });
  });
});

describe('the page', () => {
  test('allows no host but its own, and no script but its own', async () => {
    const response = await fetch(`${origin}/docs`);
    const policy = response.headers.get('Content-Security-Policy') ?? '';
    expect(policy).not.toMatch(/https?:|\*|'unsafe-eval'|script-src[^;]*'unsafe-inline'/);
    const [, nonce] = /'nonce-([^']+)'/.exec(policy) ?? [];
    const scripts = [...(await response.text()).matchAll(/<script[^>]*>/g)].map(([tag]) => tag);
    expect(scripts.length).toBeGreaterThan(0);
    for (const script of scripts) expect(script).toContain(`nonce="${nonce}"`);
    const again = await fetch(`${origin}/docs`);
    expect(again.headers.get('Content-Security-Policy')).not.toBe(policy);
  });

  test('has its script from here, under an address that changes with the version', async () => {
    const html = await (await fetch(`${origin}/docs`)).text();
    const [, address] = /<script src="([^"]+)"/.exec(html) ?? [];
    expect(address).toMatch(/^\/docs\/scalar-\d+\.\d+\.\d+\.js$/);
    const script = await fetch(`${origin}${address}`, { method: 'HEAD' });
    expect(script.headers.get('Content-Type')).toContain('javascript');
    expect(script.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
  });
});

describe('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });

  const open = async (path = '/docs') => {
    const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
    const page = await context.newPage();
    const requests = collectRequests(page);
    const refused: string[] = [];
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) refused.push(message.text());
    });
    await page.goto(origin + path);
    await page.getByRole('heading', { name: 'Bank Connection Data Service' }).waitFor();
    return { context, page, requests, refused };
  };

  const fields = (page: Page) => page.locator('input.scalar-password-input');

  const paste = async (page: Page) => {
    await fields(page).nth(0).fill(apiKey);
    await fields(page).nth(1).fill(scopedToken);
  };

  const turnTo = async (page: Page, group: string, operation: string) => {
    await page.getByRole('button', { name: `Open Group - ${group}` }).click();
    await page.getByRole('link', { name: operation }).click();
    await page.getByRole('heading', { name: operation }).waitFor();
  };

  test('it asks for nothing beyond this host and breaks none of its own rules', async () => {
    asked = [];
    const { context, page, requests, refused } = await open();
    await paste(page);
    await turnTo(page, 'Transactions', 'List transactions');
    requests.expectOnlyTo(origin);
    expect(requests.urls().length).toBeGreaterThanOrEqual(3);

    // A real request to this host with what was pasted, and nothing more.
    await page
      .getByRole('button', { name: /^Test Request.*get \/accounts\/\{accountId\}\/transactions\)/ })
      .click();
    await page.getByRole('button', { name: /^Send get request/ }).click();
    await page.getByText('by the interface itself').first().waitFor();
    expect(asked).toMatchObject([
      {
        method: 'GET',
        url: '/accounts/acc_3nVnx3kVEcA4wxWXfIjhkr/transactions',
        headers: { authorization: `Bearer ${apiKey}`, 'x-scoped-token': scopedToken },
      },
    ]);
    requests.expectOnlyTo(origin);
    expect(refused).toEqual([]);
    await context.close();
  });

  test('no credential is there before the reader pastes one, and it goes with the page', async () => {
    const { context, page } = await open();
    const values = async () => [
      await fields(page).nth(0).inputValue(),
      await fields(page).nth(1).inputValue(),
    ];
    expect(await values()).toEqual(['', '']);
    await paste(page);
    await page.getByRole('heading', { name: 'Errors', exact: true }).scrollIntoViewIfNeeded();
    const { cookies, origins } = await context.storageState({ indexedDB: true });
    const session = await page.evaluate(() => JSON.stringify({ ...sessionStorage }));
    expect(JSON.stringify({ cookies, origins }) + session).not.toMatch(/that-a-reader-pastes/);
    await page.reload();
    await fields(page).nth(1).waitFor();
    expect(await values()).toEqual(['', '']);
    await context.close();
  });

  test('the address of a problem opens at the explanation of its code', async () => {
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
