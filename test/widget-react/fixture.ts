// A service, and a web page of another origin with the application in it, under a content policy that is as strict
// as the widget allows.
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

/** A page that places the service's script itself, or one that a server has rendered. */
export type PageKind = 'own' | 'rendered';

export type ReactFixture = {
  service: TestService;
  /** The page's address for one version, as one of its kinds. */
  address(version: Version, kind?: PageKind): string;
  /** What a server has rendered, for each version. */
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
    const own = searchParams.has('own') ? `<script async src="${service!.url}/connect.js"></script>` : '';
    const services = `${service!.url} ${otherOriginUrl(service!)}`;
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; script-src 'self' ${services}; frame-src ${services}`,
    });
    const inside = searchParams.has('rendered') ? rendered.get(version) : '';
    response.end(`<!doctype html><html lang="en"><head><title>Shop</title>${own}</head>
      <body><div id="app">${inside}</div><script src="/${version}.js"></script></body></html>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  service = await startService({ origins: [origin] });
  return {
    service,
    address: (version, kind) => `${origin}/${version}${kind ? `?${kind}` : ''}`,
    rendered,
    close: async () => {
      await service?.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

/** The same service at an address that a browser takes for another one. */
export const otherOriginUrl = ({ url }: TestService): string => url.replace('127.0.0.1', 'localhost');

export type AppPage = {
  page: Page;
  show(shown?: Partial<AppProps>): Promise<void>;
  calls(): Promise<string[]>;
  expectCalls(...told: string[]): Promise<void>;
  /** How many times the page asked for a service's script. */
  scriptRequestCount(): number;
  consoleErrors: string[];
  close(): Promise<void>;
};

/** A browser's page with the application, which shows nothing yet. */
export const openAppPage = async (
  stage: ReactFixture,
  version: Version,
  kind?: PageKind,
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
  await page.goto(stage.address(version, kind));
  const calls = () => page.evaluate(() => window.app.calls);
  return {
    page,
    show: (shown = {}) => page.evaluate((all) => window.app.show(all), optionsOf(stage, shown)),
    calls,
    expectCalls: async (...expected) => {
      await expect.poll(calls, { timeout: 20_000 }).toEqual(expected);
    },
    scriptRequestCount: () => scripts,
    consoleErrors,
    close: () => context.close(),
  };
};

export const optionsOf = ({ service }: ReactFixture, shown: Partial<AppProps>): AppProps => ({
  baseUrl: service.url,
  applicationId: service.application.id,
  label: 'first',
  ...shown,
});
