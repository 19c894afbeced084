// @bank-connection/js in a browser, with a page and a service that exist only in the test.
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { build, type Rolldown } from 'vite';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { loadServiceConnect } from '../../widget/js/index.ts';
import { launchBrowser } from '../support/browser.ts';

const scriptUrl = 'https://bank.example.com/connect.js';
/** Imitates the parts of the service's script that this package depends on. */
const serviceScript = 'document.currentScript.serviceConnect = { script: document.currentScript.src }';

let bundle: string;
beforeAll(async () => {
  const [{ output }] = (await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      lib: {
        entry: join(import.meta.dirname, '../../widget/js/index.ts'),
        formats: ['iife'],
        name: 'js',
        fileName: 'js',
      },
    },
  })) as [Rolldown.RolldownOutput];
  bundle = output[0].code;
});

declare global {
  var js: { loadServiceConnect: typeof loadServiceConnect };
}

let page: Page;
let requests: number;
/** The responses to requests for a script; the last one is repeated. */
let responses: { status: number; body: string }[];

beforeEach(async () => {
  const context = await (await launchBrowser()).newContext();
  page = await context.newPage();
  requests = 0;
  responses = [{ status: 200, body: serviceScript }];
  await page.route('**/connect.js', (route) => {
    const response = responses[Math.min(requests++, responses.length - 1)]!;
    return route.fulfill({ ...response, contentType: 'text/javascript' });
  });
});
afterEach(() => page.context().close());

const openPage = async (body = ''): Promise<void> => {
  const html = `<!doctype html><html lang="en"><title>Shop</title><body>${body}<script>${bundle}</script>`;
  await page.route('https://shop.example.com/', (route) =>
    route.fulfill({ contentType: 'text/html', body: html }),
  );
  await page.goto('https://shop.example.com/');
};

/** Calls loadServiceConnect concurrently, once for each address; returns the script's own URL, or the error. */
const load = (...baseUrls: unknown[]): Promise<string[]> =>
  page.evaluate(
    (urls) =>
      Promise.all(
        urls.map((url) =>
          js
            .loadServiceConnect(url as string)
            .then((service) => (service as unknown as { script: string }).script)
            .catch((error: Error) => `${error.name}: ${error.message}`),
        ),
      ),
    baseUrls,
  );
const scriptCount = () => page.locator('script[src]').count();

test('the page has one script regardless of the number of calls', async () => {
  await openPage();
  const address = 'https://bank.example.com';
  expect(await load(address, address, `${address}/`)).toEqual([scriptUrl, scriptUrl, scriptUrl]);
  expect(await load(address)).toEqual([scriptUrl]);
  expect([await scriptCount(), requests]).toEqual([1, 1]);
});

test.each(['', ' async'])('a script that the page has itself is used (%s)', async (attribute) => {
  await openPage(`<script${attribute} src="${scriptUrl}"></script>`);
  expect(await load('https://bank.example.com')).toEqual([scriptUrl]);
  expect([await scriptCount(), requests]).toEqual([1, 1]);
});

test('two services have a script each', async () => {
  await openPage();
  expect(await load('https://bank.example.com', 'https://other.example.com/sub')).toEqual([
    scriptUrl,
    'https://other.example.com/sub/connect.js',
  ]);
});

test.each([
  [
    '',
    'Error: ServiceConnect: https://bank.example.com/connect.js could not be loaded.',
    { status: 404, body: '' },
  ],
  [
    ' and is not ours',
    'Error: ServiceConnect: https://bank.example.com/connect.js is not the script of a Bank Connection Data Service.',
    { status: 200, body: 'window.other = 1' },
  ],
])('a script that fails%s is an error, and the next call tries again', async (_, message, response) => {
  responses.unshift(response);
  await openPage();
  expect(await load('https://bank.example.com')).toEqual([message]);
  expect(await scriptCount()).toBe(0);
  expect(await load('https://bank.example.com')).toEqual([scriptUrl]);
  expect([await scriptCount(), requests]).toEqual([1, 2]);
});

test("a failed script of the page's own is not waited for again", async () => {
  responses.unshift({ status: 404, body: '' });
  await openPage(`<script src="${scriptUrl}"></script>`);
  expect(await load('https://bank.example.com')).toEqual([scriptUrl]);
  expect(requests).toBe(2);
});

test('a script that never arrives is an error after half a minute', async () => {
  await page.clock.install();
  await page.route('**/connect.js', () => undefined);
  await openPage();
  const loading = load('https://bank.example.com');
  await expect.poll(scriptCount).toBe(1);
  await page.clock.runFor(30_000);
  expect(await loading).toEqual([`Error: ServiceConnect: ${scriptUrl} did not load within 30 seconds.`]);
});

test('an invalid address is an error that names it', async () => {
  await openPage();
  const sentence = (given: string) =>
    `TypeError: ServiceConnect: "baseUrl" must be the address of the service; got ${given}.`;
  expect(await load('javascript:alert(1)', 'https://', undefined, 7)).toEqual([
    sentence('"javascript:alert(1)"'),
    sentence('"https://"'),
    sentence('undefined'),
    sentence('7'),
  ]);
  expect(await scriptCount()).toBe(0);
});
