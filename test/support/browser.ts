// A real browser for the tests, and two questions to ask of its pages: is it accessible, and whom did it call?
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { chromium, type Frame, type Page, type Request, type WebSocket } from 'playwright-core';
import { expect } from 'vitest';
import { afterFile, oncePerFile } from './afterFile.ts';
import { sharedServerUrl } from './sharedServers.ts';

/** A browser for this test file alone, in the one program of the run; what it opened is closed after the last test. */
export const launchBrowser = oncePerFile(async () => {
  const browser = await chromium.connect(await sharedServerUrl('browser'));
  afterFile(() => browser.close());
  return browser;
});

let axeSource: string | undefined;

/**
 * Waits for transitions that end: a colour on its way between dark and light is nobody's contrast. Again and again,
 * because an inherited colour starts the transitions of the elements within when it arrives.
 */
const waitForAnimations = (page: Page | Frame): Promise<void> =>
  page.evaluate(async () => {
    const giveUp = performance.now() + 2000;
    const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
    for (;;) {
      for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
      const ending = document
        .getAnimations()
        .filter((animation) => animation.effect?.getComputedTiming().iterations !== Infinity);
      if (ending.length === 0 || performance.now() > giveUp) return;
      const ended = Promise.all(ending.map((animation) => animation.finished.catch(() => {})));
      await Promise.race([ended, wait(giveUp - performance.now())]);
    }
  });

/**
 * Fails with the list of what is wrong for people who use a keyboard or a screen reader. One document at a time:
 * ask for a frame by itself. Works under any Content-Security-Policy, because the debugger runs the script.
 */
export const expectNoAxeViolations = async (page: Page | Frame): Promise<void> => {
  await waitForAnimations(page);
  axeSource ??= readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  // Once for each document: reading the program takes several times as long as running it. What it loads beside
  // the page (style sheets, for the rule about turned screens) is the same each time, too.
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
  /** Every address asked for so far, in order. */
  urls(): string[];
  /** Fails where a request went anywhere else. */
  expectOnlyTo(...origins: string[]): void;
};

/** Writes down what a page, its frames, workers, sockets and popups ask for from now on. */
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
      const elsewhere = urls.filter((url) => isNetworkUrl(url) && !origins.includes(originOf(url)));
      expect(elsewhere).toEqual([]);
    },
  };
};

const isNetworkUrl = (url: string): boolean => !/^(data|blob|about):/.test(url);

/** A socket belongs to the origin that serves its page. */
const originOf = (url: string): string => new URL(url.replace(/^ws/, 'http')).origin;
