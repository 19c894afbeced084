// The tests use a real browser, which draws text and enforces a page's policy, and the helpers' checks can fail.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { collectRequests, expectNoAxeViolations, launchBrowser } from './browser.ts';

const documentOf = (body: string): string =>
  `<!doctype html><html lang="en"><head><title>A page</title></head><body><main>${body}</main></body></html>`;

const pages: Record<string, string> = {
  '/fine': documentOf('<h1>Fine</h1><label>Name <input></label>'),
  '/unlabelled': documentOf('<h1>Not fine</h1><input>'),
  '/inline': documentOf('<h1>Inline</h1><script>document.title = "The script ran"</script>'),
};

let server: Server;
let origin: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    response.setHeader('Content-Security-Policy', "default-src 'none'; img-src *");
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.end(pages[request.url ?? ''] ?? '');
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const openPage = async (path: string) => {
  const browser = await launchBrowser();
  const page = await browser.newPage();
  await page.goto(`${origin}${path}`);
  return page;
};

test('an accessible page passes, under a policy that allows no script', async () => {
  const page = await openPage('/fine');
  await expectNoAxeViolations(page);
});

test('a field without a label is found and named', async () => {
  const page = await openPage('/unlabelled');
  await expect(expectNoAxeViolations(page)).rejects.toThrow('label');
});

test('the Content-Security-Policy of a page is enforced', async () => {
  const page = await openPage('/inline');
  expect(await page.title()).toBe('A page');
});

test('text is drawn: a wide letter is wider than a narrow one, and has dark pixels', async () => {
  const page = await openPage('/fine');
  const widths = await page.evaluate(() => {
    const context = document.createElement('canvas').getContext('2d')!;
    context.font = '40px sans-serif';
    context.fillText('Wj€', 10, 50);
    const pixels = context.getImageData(0, 0, 200, 100).data;
    const drawn = pixels.filter((value, at) => at % 4 === 3 && value > 200).length;
    return { wide: context.measureText('W').width, narrow: context.measureText('j').width, drawn };
  });
  expect(widths.wide).toBeGreaterThan(widths.narrow * 1.5);
  expect(widths.drawn).toBeGreaterThan(100);
});

test('a request to another origin is reported', async () => {
  const page = await openPage('/fine');
  const requests = collectRequests(page);
  await page.goto(`${origin}/unlabelled`);
  requests.expectOnlyTo(origin);
  await page.evaluate(
    () =>
      new Promise((resolve) =>
        Object.assign(new Image(), { onerror: resolve, src: 'http://127.0.0.1:9/x.png' }),
      ),
  );
  expect(requests.urls().at(-1)).toBe('http://127.0.0.1:9/x.png');
  expect(() => requests.expectOnlyTo(origin)).toThrow('127.0.0.1:9');
});

describe.concurrent('tests that run beside each other', () => {
  const pageOfOther = Promise.withResolvers<Page>();

  test('a page is closed after its test', async () => {
    pageOfOther.resolve(await openPage('/fine'));
  });

  test('a page stays open when another test ends', async () => {
    const page = await openPage('/fine');
    const other = await pageOfOther.promise;
    await vi.waitUntil(() => other.isClosed(), { timeout: 10_000 });
    expect(page.isClosed()).toBe(false);
  });
});
