// The time in a real browser from the click on "Connect" to a usable first screen, compared with loading an empty page
// from the same server.
import { type Browser, chromium, type Page } from 'playwright-core';
import { findChromium } from '../../test/support/chromium.ts';
import { addOrigin } from '../data/addOrigin.ts';
import { ratioOf, statsOf } from '../load/stats.ts';
import { serviceOn } from '../targets/programs.ts';
import type { Row } from './row.ts';

export const widget: Row = {
  name: 'widget',
  measure: async (bench) => {
    const { fixture, sizes } = bench;
    const service = await bench.start(serviceOn(fixture, { BENCH_APPLICATION_ID: fixture.applicationId }));
    const url = `http://localhost:${service.port}`;
    await addOrigin(fixture, url);
    const { executablePath, env } = await findChromium();
    const browser = await chromium.launch({ executablePath, env: { PATH: process.env.PATH ?? '', ...env } });
    try {
      const widgetMs: number[] = [];
      const emptyMs: number[] = [];
      for (let round = 0; round <= sizes.rounds; round++) {
        bench.reportProgress(`round ${round}`);
        const ofWidget = await openWidget(browser, url);
        const ofEmpty = await loadEmptyPage(browser, url);
        if (round === 0) continue;
        widgetMs.push(ofWidget);
        emptyMs.push(ofEmpty);
      }
      return [
        {
          row: 'click on "Connect" to a usable first screen',
          comparedWith: 'loading an empty page',
          metric: 'ms in a new browser profile',
          service: statsOf(widgetMs),
          other: statsOf(emptyMs),
          ratio: ratioOf(widgetMs, emptyMs),
        },
      ];
    } finally {
      await browser.close();
    }
  },
};

/** A new profile each time, so that the browser's cache is empty. */
const inNewPage = async (browser: Browser, measure: (page: Page) => Promise<number>): Promise<number> => {
  const context = await browser.newContext();
  try {
    return await measure(await context.newPage());
  } finally {
    await context.close();
  }
};

const openWidget = (browser: Browser, url: string): Promise<number> =>
  inNewPage(browser, async (page) => {
    await page.goto(`${url}/host`);
    const button = page.getByRole('button', { name: 'Connect' });
    await button.waitFor();
    const started = performance.now();
    await button.click();
    const frame = page.locator('dialog[open] iframe').contentFrame();
    await frame.locator('[data-action=continue]').waitFor();
    return performance.now() - started;
  });

const loadEmptyPage = (browser: Browser, url: string): Promise<number> =>
  inNewPage(browser, async (page) => {
    // Loads the host page first, so that the connection exists, as it does before a click.
    await page.goto(`${url}/host`);
    const started = performance.now();
    await page.goto(`${url}/empty`);
    return performance.now() - started;
  });
