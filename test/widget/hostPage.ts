// A consumer's web page for the tests, on an origin of its own (another site even: localhost against 127.0.0.1) and
// with a content policy as strict as the widget allows, so that everything here also shows that the policy holds.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContextOptions, Frame, FrameLocator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { ConnectOptions } from '../../widget/loader/options.ts';
import type { ConnectWidget } from '../../widget/loader/createWidget.ts';
import type { ConnectResult } from '../../widget/protocol.ts';
import { launchBrowser } from '../support/browser.ts';
import {
  hostOrigin,
  startService,
  type TestService,
  type TestServiceOptions,
} from '../support/testService.ts';

/** A callback that was called, in order. */
export type HostEvent = ['onInit'] | ['onExit'] | ['onSuccess', ConnectResult];

declare global {
  interface Window {
    widget: ConnectWidget;
    hostEvents: HostEvent[];
  }
}

export type HostSite = { origin: string; close(): Promise<void> };

const earlyScript = `
  window.hostEvents = [];
  const applicationId = new URLSearchParams(location.search).get('application');
  ServiceConnect.init({ applicationId, onInit: () => hostEvents.push(['onInit']) }).open();
`;

const forgedMessageScript = `
  parent.postMessage({ serviceConnect: 1, kind: 'success', openId: 1, result: { connectionId: 'con_forged' } }, '*');
`;

/**
 * Serves a web page that loads the script of a service. At /early one that opens the widget before its body; at
 * /forger one that takes the widget's place in its frame and claims success.
 */
export const startHostSite = async (serviceUrl: () => string): Promise<HostSite> => {
  const server = createServer((request, response) => {
    const service = serviceUrl();
    const path = request.url ?? '/';
    const script = { '/early.js': earlyScript, '/forger.js': forgedMessageScript }[path];
    if (script) {
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
      return;
    }
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; script-src 'self' ${service}; frame-src 'self' ${service}`,
    });
    response.end(`<!doctype html><html lang="en"><head><title>Shop</title>
      <meta name="viewport" content="width=device-width"><script src="${service}/connect.js"></script>
      ${path.startsWith('/early') ? '<script src="/early.js"></script>' : ''}
      ${path === '/forger' ? '<script src="/forger.js"></script>' : ''}</head>
      <body><main><h1>Shop</h1><button>Connect</button></main></body></html>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://localhost:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

/** A service and a web page that it allows to open the widget. */
export type WidgetFixture = { service: TestService; site: HostSite; close(): Promise<void> };

export const startWidgetFixture = async (options: TestServiceOptions = {}): Promise<WidgetFixture> => {
  let url = '';
  const site = await startHostSite(() => url);
  const service = await startService({ ...options, origins: [site.origin, hostOrigin] });
  url = service.url;
  return {
    service,
    site,
    close: async () => {
      await service.close();
      await site.close();
    },
  };
};

/** A browser's page on the host, with one widget in it. */
export type HostPage = {
  page: Page;
  /** The inside of the widget. */
  widget: FrameLocator;
  /** The same as a document of its own, for what must be asked of a document. */
  frame(): Promise<Frame>;
  open(): Promise<void>;
  events(): Promise<HostEvent[]>;
  /** The names of the callbacks that were called, in order, as soon as they are these. */
  expectEvents(...names: HostEvent[0][]): Promise<void>;
  result(): Promise<ConnectResult>;
  /** What the browser complained about: refused by a content policy, thrown by a script. */
  consoleErrors: string[];
  close(): Promise<void>;
};

export type HostPageOptions = Omit<ConnectOptions, 'onInit' | 'onSuccess' | 'onExit' | 'applicationId'> & {
  applicationId?: string;
  browser?: BrowserContextOptions;
  site?: HostSite;
  /** What is to be prepared before the page is there. */
  before?: (page: Page) => Promise<unknown>;
};

/** Visits the host page and calls `init` there. */
export const openHostPage = async (
  stage: WidgetFixture,
  options: HostPageOptions = {},
): Promise<HostPage> => {
  const { browser: contextOptions, site = stage.site, before, ...given } = options;
  const browser = await launchBrowser();
  const context = await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce', ...contextOptions });
  const page = await context.newPage();
  const consoleErrors: string[] = [];
  page.on('pageerror', (error) => consoleErrors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') consoleErrors.push(message.text());
  });
  await before?.(page);
  await page.goto(site.origin);
  await page.evaluate(init, { applicationId: stage.service.application.id, ...given });
  const events = () => page.evaluate(() => window.hostEvents);
  return {
    page,
    widget: page.frameLocator('dialog iframe'),
    frame: async () =>
      (await (await page.waitForSelector('dialog iframe', { state: 'attached' })).contentFrame())!,
    open: () => page.getByRole('button', { name: 'Connect' }).click(),
    events,
    expectEvents: async (...names) => {
      const wanted = names.join();
      const came = (wanted: string) => window.hostEvents.map(([name]) => name).join() === wanted;
      // What came instead says more than that time is up.
      await page.waitForFunction(came, wanted, { timeout: 30_000 }).catch(() => undefined);
      expect((await events()).map(([name]) => name)).toEqual(names);
    },
    result: async () => {
      const success = (await events()).find((event) => event[0] === 'onSuccess');
      return success![1]!;
    },
    consoleErrors,
    close: () => context.close(),
  };
};

/** Runs in the browser, so that it can use nothing from out here. */
const init = (options: ConnectOptions): void => {
  window.hostEvents = [];
  window.widget = window.ServiceConnect!.init({
    ...options,
    onInit: () => window.hostEvents.push(['onInit']),
    onSuccess: (result) => window.hostEvents.push(['onSuccess', result]),
    onExit: () => window.hostEvents.push(['onExit']),
  });
  document.querySelector('button')!.addEventListener('click', window.widget.open);
};
