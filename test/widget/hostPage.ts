// A consumer's web page for the tests, on another site (localhost instead of 127.0.0.1), with the strictest content
// security policy that works with the widget.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContextOptions, Frame, FrameLocator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { ConnectWidget } from '../../widget/loader/createWidget.ts';
import type { ConnectOptions } from '../../widget/loader/options.ts';
import type { ConnectResult } from '../../widget/protocol.ts';
import type { ConnectError, ConnectEvent, ConnectMetadata } from '../../widget/types.ts';
import { launchBrowser } from '../support/browser.ts';
import {
  hostOrigin,
  startService,
  type TestService,
  type TestServiceOptions,
} from '../support/testService.ts';

/** A call to a callback other than onEvent. */
export type HostEvent =
  | ['onInit']
  | ['onExit', ConnectError | null, ConnectMetadata]
  | ['onSuccess', ConnectResult];

declare global {
  interface Window {
    widget: ConnectWidget;
    hostEvents: HostEvent[];
    /** The calls to onEvent. */
    widgetEvents: [ConnectEvent, ConnectMetadata][];
  }
}

export type HostSite = { origin: string; close(): Promise<void> };

const openInHeadScript = `
  window.hostEvents = [];
  const applicationId = new URLSearchParams(location.search).get('application');
  ServiceConnect.init({ applicationId, onInit: () => hostEvents.push(['onInit']) }).open();
`;

const forgedMessageScript = `
  parent.postMessage({ serviceConnect: 1, kind: 'success', openId: 1, result: { connectionId: 'con_forged' } }, '*');
`;

/**
 * Serves a web page that loads /connect.js. /early opens the widget in its head. /forger is loaded into the widget's frame
 * and posts a forged success message.
 */
export const startHostSite = async (serviceUrl: () => string): Promise<HostSite> => {
  const server = createServer((request, response) => {
    const service = serviceUrl();
    const path = request.url ?? '/';
    const script = { '/early.js': openInHeadScript, '/forger.js': forgedMessageScript }[path];
    if (script) {
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
      return;
    }
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; script-src 'self' ${service}; frame-src 'self' ${service}; connect-src ${service}`,
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

/** A host page needs an application of a service, and a web page on an allowed origin. */
type HostedApplication = { service: { application: { id: string } }; site: HostSite };

/** A service and a web page on an allowed origin. */
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

/** The host page in a browser, with one widget. */
export type HostPage = {
  page: Page;
  /** The widget's frame. */
  widget: FrameLocator;
  /** The widget's frame, for scripts. */
  frame(): Promise<Frame>;
  open(): Promise<void>;
  /** Reloads the page in its tab, as after the browser has discarded it, and calls `init` with these options instead. */
  reload(options?: Partial<ConnectOptions>): Promise<void>;
  events(): Promise<HostEvent[]>;
  /** Waits until exactly these callbacks have been called, in this order. */
  expectEvents(...names: HostEvent[0][]): Promise<void>;
  result(): Promise<ConnectResult>;
  /** Uncaught errors and errors in the console, including violations of the content security policy. */
  consoleErrors: string[];
  close(): Promise<void>;
};

export type HostPageOptions = Omit<
  ConnectOptions,
  'onInit' | 'onSuccess' | 'onExit' | 'onEvent' | 'applicationId'
> & {
  applicationId?: string;
  browser?: BrowserContextOptions;
  site?: HostSite;
  /** Runs before the page is loaded. */
  before?: (page: Page) => Promise<unknown>;
};

/** Holds the page's requests back, all or those whose body contains a text, until the returned function is called. */
export const holdRequests = async (page: Page, url: string | RegExp, text = ''): Promise<() => void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    if ((route.request().postData() ?? '').includes(text)) await promise;
    await route.continue();
  });
  return resolve;
};

/** Opens the host page and calls `init`. */
export const openHostPage = async (
  fixture: HostedApplication,
  options: HostPageOptions = {},
): Promise<HostPage> => {
  const { browser: contextOptions, site = fixture.site, before, ...initOptions } = options;
  const browser = await launchBrowser();
  const context = await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce', ...contextOptions });
  const page = await context.newPage();
  const consoleErrors: string[] = [];
  page.on('pageerror', (error) => consoleErrors.push(error.message));
  page.on('console', (message) => {
    const { url } = message.location();
    const text = message.text();
    // The browser's own message does not name the resource that could not be loaded.
    if (message.type() === 'error')
      consoleErrors.push(/^Failed to load/.test(text) ? `${text} ${url}` : text);
  });
  await before?.(page);
  await page.goto(site.origin);
  const allOptions = { applicationId: fixture.service.application.id, ...initOptions };
  await page.evaluate(init, allOptions);
  const events = () => page.evaluate(() => window.hostEvents);
  return {
    page,
    widget: page.frameLocator('dialog iframe'),
    frame: async () =>
      (await (await page.waitForSelector('dialog iframe', { state: 'attached' })).contentFrame())!,
    open: () => page.getByRole('button', { name: 'Connect' }).click(),
    reload: async (options) => {
      await page.reload();
      await page.evaluate(init, { ...allOptions, ...options });
    },
    events,
    expectEvents: async (...names) => {
      const matches = (expected: string) => window.hostEvents.map(([name]) => name).join() === expected;
      // After a timeout, the assertion below shows the difference.
      await page.waitForFunction(matches, names.join(), { timeout: 30_000 }).catch(() => undefined);
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

/** Runs in the browser. */
const init = (options: ConnectOptions): void => {
  window.hostEvents = [];
  window.widgetEvents = [];
  window.widget = window.ServiceConnect!.init({
    ...options,
    onInit: () => window.hostEvents.push(['onInit']),
    onSuccess: (result) => window.hostEvents.push(['onSuccess', result]),
    onExit: (...exit) => window.hostEvents.push(['onExit', ...exit]),
    onEvent: (...event) => window.widgetEvents.push(event),
  });
  document.querySelector('button')!.addEventListener('click', window.widget.open);
};

type CreatedLinkSession = { id: string; secret: string };

/** The link session that the widget creates next. */
export const nextLinkSession = async ({ page }: HostPage): Promise<CreatedLinkSession> => {
  const created = await page.waitForResponse((response) => response.url().endsWith('/api/link-sessions'));
  return (await created.json()).session;
};

/** A request for a link session with its secret, as the widget sends it. */
export const requestLinkSession = (
  { service }: WidgetFixture,
  { id, secret }: CreatedLinkSession,
  method: 'GET' | 'DELETE' = 'GET',
): Promise<Response> =>
  fetch(`${service.url}/connect/api/link-sessions/${id}`, {
    method,
    headers: { authorization: `Bearer ${secret}` },
  });
