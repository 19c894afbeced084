// A real browser for the tests, and two checks of its pages: accessibility, and the origins that they request.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { chromium, type Frame, type Page, type Request, type WebSocket } from 'playwright-core';
import { expect } from 'vitest';
import { afterFile, afterTest, oncePerFile } from './cleanups.ts';
import { sharedServerUrl } from './sharedServers.ts';

/**
 * A connection of this test file to the browser of the run. The pages of a test are closed after it, because a page that a failed
 * test left open would slow down the others; those of `beforeAll` after the last test.
 */
export const launchBrowser = oncePerFile(async () => {
  const browser = await chromium.connect(await sharedServerUrl('browser'));
  const openContext = browser.newContext.bind(browser);
  // This covers `newPage` as well, which calls it.
  browser.newContext = async (options) => {
    const context = await openContext(options);
    afterTest(() => context.close());
    return context;
  };
  afterFile(() => browser.close());
  return browser;
});

let axeSource: string | undefined;

/**
 * Waits for finite animations, because contrast is wrong during a color transition. Repeats, because the end of a
 * transition of an inherited color starts transitions of the child elements.
 */
export const waitForAnimations = (page: Page | Frame): Promise<void> =>
  page.evaluate(async () => {
    const deadline = performance.now() + 2000;
    const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
    for (;;) {
      for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
      const finite = document
        .getAnimations()
        .filter((animation) => animation.effect?.getComputedTiming().iterations !== Infinity);
      if (finite.length === 0 || performance.now() > deadline) return;
      const ended = Promise.all(finite.map((animation) => animation.finished.catch(() => {})));
      await Promise.race([ended, wait(deadline - performance.now())]);
    }
  });

/**
 * Fails with the list of axe violations of one document; check each frame with its own call. Works under any
 * Content-Security-Policy, because the script runs through the debugger.
 */
export const expectNoAxeViolations = async (page: Page | Frame): Promise<void> => {
  await waitForAnimations(page);
  axeSource ??= readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  // Once per document: parsing axe takes several times as long as running it. The style sheets that it preloads for the
  // rule about orientation do not change either.
  const preload = !(await page.evaluate('"axe" in window'));
  if (preload) await page.evaluate(axeSource);
  const options = JSON.stringify({ iframes: false, preload, resultTypes: ['violations'] });
  const run = `axe.run(document, ${options}).then(({ violations }) => violations)`;
  const violations = (await page.evaluate(run)) as AxeResults['violations'];
  const found = violations.map(({ id, help, nodes }) => ({
    rule: id,
    help,
    where: nodes.map((node) => `${node.target.join(' ')}: ${node.failureSummary}`),
  }));
  expect(found).toEqual([]);
};

export type Requests = {
  /** The URLs requested so far, in order. */
  urls(): string[];
  /** Fails if a request went to another origin. */
  expectOnlyTo(...origins: string[]): void;
};

/** Collects the requests of a page, its frames, workers, sockets and popups from now on. */
export const collectRequests = (page: Page): Requests => {
  const urls: string[] = [];
  const context = page.context();
  const onRequest = (request: Request) => urls.push(request.url());
  const onSocket = (socket: WebSocket) => urls.push(socket.url());
  context.on('request', onRequest);
  const watch = (one: Page) => one.on('websocket', onSocket);
  for (const one of context.pages()) watch(one);
  context.on('page', watch);
  return {
    urls: () => [...urls],
    expectOnlyTo: (...origins) => {
      const unexpected = urls.filter((url) => isNetworkUrl(url) && !origins.includes(originOf(url)));
      expect(unexpected).toEqual([]);
    },
  };
};

const isNetworkUrl = (url: string): boolean => !/^(data|blob|about):/.test(url);

/** The origin of a URL; for a WebSocket, that of the HTTP server. */
const originOf = (url: string): string => new URL(url.replace(/^ws/, 'http')).origin;
