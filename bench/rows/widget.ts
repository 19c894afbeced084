// In a real browser: from the click on "connect" to a first screen that one can use, against loading an empty
// page from the same server.
import { type Browser, chromium, type Page } from 'playwright-core';
import { findChromium } from '../../test/support/chromium.ts';
import { serviceOn } from '../targets/programs.ts';
import { addOrigin } from '../data/addOrigin.ts';
import { ratioOf, statsOf } from '../load/stats.ts';
import type { Row } from './row.ts';

export const widget: Row = {
  name: 'widget',
  measure: async (bench) => {
    const { fixture, sizes } = bench;
    const service = await bench.start(serviceOn(fixture, { BENCH_WIDGET_FOR: fixture.applicationId }));
    const url = `http://localhost:${service.port}`;
    await addOrigin(fixture, url);
    const { executablePath, env } = await findChromium();
    const browser = await chromium.launch({ executablePath, env: { PATH: process.env.PATH ?? '', ...env } });
    try {
      const opened: number[] = [];
      const empty: number[] = [];
      for (let round = 0; round <= sizes.rounds; round++) {
        bench.reportProgress(`round ${round}`);
        const one = await openWidget(browser, url);
        const other = await loadEmpty(browser, url);
        if (round === 0) continue;
        opened.push(one);
        empty.push(other);
      }
      return [
        {
          row: 'click on "connect" to a usable first screen',
          against: 'loading an empty page',
          metric: 'ms in a fresh browser profile',
          ours: statsOf(opened),
          theirs: statsOf(empty),
          ratio: ratioOf(opened, empty),
        },
      ];
    } finally {
      await browser.close();
    }
  },
};

/** Each time without anything in the browser's cache. */
const inFreshPage = async (browser: Browser, work: (page: Page) => Promise<number>): Promise<number> => {
  const context = await browser.newContext();
  try {
    return await work(await context.newPage());
  } finally {
    await context.close();
  }
};

const openWidget = (browser: Browser, url: string): Promise<number> =>
  inFreshPage(browser, async (page) => {
    await page.goto(`${url}/host`);
    const button = page.getByRole('button', { name: 'Connect' });
    await button.waitFor();
    const started = performance.now();
    await button.click();
    const frame = page.locator('dialog[open] iframe').contentFrame();
    await frame.getByRole('button', { name: 'Continue', exact: true }).waitFor();
    return performance.now() - started;
  });

const loadEmpty = (browser: Browser, url: string): Promise<number> =>
  inFreshPage(browser, async (page) => {
    await page.goto(`${url}/host`);
    const started = performance.now();
    await page.goto(`${url}/empty`);
    return performance.now() - started;
  });
