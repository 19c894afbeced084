// A service, and a web page on another origin with the application, under the strictest content security policy that works
// with the widget.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { startService, type TestService } from '../support/testService.ts';
import type { AppProps } from './app.ts';
import { bundle, type Version, versions } from './bundle.ts';

const app = join(import.meta.dirname, 'app.ts');

export type ReactFixture = {
  service: TestService;
  /** The URL of the page, with server-rendered HTML from `rendered`. */
  pageUrl(version: Version, kind?: 'rendered'): string;
  /** The server-rendered HTML of each version. */
  rendered: Map<Version, string>;
  close(): Promise<void>;
};

export const startReactFixture = async (): Promise<ReactFixture> => {
  const scripts = new Map(
    await Promise.all(versions.map(async (version) => [version, await bundle(app, { version })] as const)),
  );
  const rendered = new Map<Version, string>();
  let service: TestService | undefined;
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const version = pathname.slice(1, 3) as Version;
    if (pathname.endsWith('.js')) {
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(scripts.get(version));
      return;
    }
    const { url } = service!;
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; script-src 'self' ${url}; frame-src ${url}`,
    });
    const html = searchParams.has('rendered') ? rendered.get(version) : '';
    response.end(`<!doctype html><html lang="en"><head><title>Shop</title></head>
      <body><div id="app">${html}</div><script src="/${version}.js"></script></body></html>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  service = await startService({ origins: [origin] });
  return {
    service,
    pageUrl: (version, kind) => `${origin}/${version}${kind ? `?${kind}` : ''}`,
    rendered,
    close: async () => {
      await service?.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

export type AppPage = {
  page: Page;
  render(props?: Partial<AppProps>): Promise<void>;
  calls(): Promise<string[]>;
  expectCalls(...expected: string[]): Promise<void>;
  /** The number of requests for /connect.js. */
  scriptRequestCount(): number;
  consoleErrors: string[];
};

/** Opens the application's page; nothing is rendered yet. */
export const openAppPage = async (
  fixture: ReactFixture,
  version: Version,
  kind?: 'rendered',
): Promise<AppPage> => {
  const context = await (await launchBrowser()).newContext({ locale: 'en-US', reducedMotion: 'reduce' });
  const page = await context.newPage();
  const consoleErrors: string[] = [];
  let scripts = 0;
  page.on('pageerror', (error) => consoleErrors.push(error.message));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) consoleErrors.push(message.text());
  });
  page.on('request', (request) => {
    if (request.url().endsWith('/connect.js')) scripts++;
  });
  await page.goto(fixture.pageUrl(version, kind));
  const calls = () => page.evaluate(() => window.app.calls);
  return {
    page,
    render: (props = {}) => page.evaluate((all) => window.app.render(all), optionsOf(fixture, props)),
    calls,
    expectCalls: async (...expected) => {
      await expect.poll(calls, { timeout: 20_000 }).toEqual(expected);
    },
    scriptRequestCount: () => scripts,
    consoleErrors,
  };
};

export const optionsOf = ({ service }: ReactFixture, props: Partial<AppProps>): AppProps => ({
  baseUrl: service.url,
  applicationId: service.application.id,
  label: 'first',
  ...props,
});
