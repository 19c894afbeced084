// The page in the frame is not there: not yet, or not at all. The host page is never left behind a dark window that
// nothing fills: the user is told at once, may leave at any time, and hears of a failure as soon as it is known.
import type { BrowserContextOptions, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loaderTextsFor } from '../../widget/loader/loaderTexts.ts';
import { de } from '../../widget/page/texts/de.ts';
import { en } from '../../widget/page/texts/en.ts';
import { es } from '../../widget/page/texts/es.ts';
import { fr } from '../../widget/page/texts/fr.ts';
import { expectNoAxeViolations } from '../support/browser.ts';
import {
  type HostPage,
  type HostSite,
  type WidgetFixture,
  startHostSite,
  startWidgetFixture,
  openHostPage,
} from './hostPage.ts';
import { screenshotDirectory, takeScreenshot } from './screenshots.ts';
import { press } from './widgetSteps.ts';
import { browserOptionsFor, screenVariants } from './screenTest.ts';

let stage: WidgetFixture;
let foreign: HostSite;
beforeAll(async () => {
  stage = await startWidgetFixture();
  foreign = await startHostSite(() => stage.service.url);
});
afterAll(async () => {
  await foreign.close();
  await stage.close();
});

const blocked = 'could not be loaded here';

/** The host page with a widget that has only begun to load; `answer` is what becomes of its page. */
const visitWith = async (
  answer: (route: Route) => Promise<void>,
  options: { browser?: BrowserContextOptions; language?: string } = {},
): Promise<HostPage> => {
  const host = await openHostPage(stage, {
    ...options,
    before: (page) => page.route('**/connect?*', answer),
  });
  await host.open();
  return host;
};
const never = () => new Promise<void>(() => {});
const dialog = (host: HostPage) => host.page.getByRole('dialog');
const button = (host: HostPage, name: string) => host.page.getByRole('button', { name, exact: true });

describe.concurrent('while it is loading', () => {
  test('the dialog says so, and is left by its button or by Escape', async () => {
    const host = await visitWith(never);
    await host.page.getByRole('status').getByText('One moment…').waitFor();
    expect(await dialog(host).getAttribute('aria-label')).toBe('Connect your bank');
    expect(await button(host, 'Try again').count()).toBe(0);
    await button(host, 'Close').click();
    await host.expectEvents('onExit');
    await dialog(host).waitFor({ state: 'hidden' });
    await host.open();
    await host.page.keyboard.press('Tab');
    expect(await button(host, 'Close').evaluate((it) => it === document.activeElement)).toBe(true);
    await host.page.keyboard.press('Escape');
    await host.expectEvents('onExit', 'onExit');
    expect(await button(host, 'Connect').evaluate((it) => it === document.activeElement)).toBe(true);
    expect(host.consoleErrors).toEqual([]);
    await host.close();
  });

  test('what it says gives way to the page, in its place and size', async ({ expect }) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const host = await visitWith(async (route) => {
      await promise;
      await route.continue();
    });
    const place = (await host.page.locator('dialog > div').boundingBox())!;
    resolve();
    await host.widget.getByRole('button', { name: 'Continue' }).waitFor();
    expect(await host.widget.locator('.card').boundingBox()).toEqual(place);
    await expect.poll(() => host.page.locator('dialog > div').isVisible()).toBe(false);
    expect(await host.page.getByRole('status').count()).toBe(0);
    await host.close();
  });

  test.for([
    { texts: en, tag: 'en', scheme: 'dark', width: 320 },
    { texts: de, tag: 'de', scheme: 'light', width: 1280 },
    { texts: es, tag: 'es', scheme: 'dark', width: 1280 },
    { texts: fr, tag: 'fr', scheme: 'light', width: 320 },
  ] as const)('and when it fails, in $tag, $scheme, $width px', async ({ texts, tag, scheme, width }) => {
    const browser = { colorScheme: scheme, viewport: { width, height: 640 } };
    const { promise, resolve } = Promise.withResolvers<void>();
    const abort = async (route: Route) => {
      await promise;
      await route.abort();
    };
    const host = await visitWith(abort, { browser, language: `${tag}-AT` });
    const [, title, loading, failed, again, close] = loaderTextsFor([tag]);
    expect([title, loading, again, close]).toEqual([
      texts.title,
      texts.loading,
      texts.failed.tryAgain,
      texts.close,
    ]);
    await host.page.getByRole('dialog', { name: title }).getByText(loading).waitFor();
    expect(await host.page.locator('dialog > div').getAttribute('lang')).toBe(tag);
    await expectNoAxeViolations(host.page);
    resolve();
    await host.page.getByRole('alert').getByText(failed).waitFor();
    await expectNoAxeViolations(host.page);
    const cut = await host.page.locator('dialog > div *').evaluateAll((all) =>
      all.filter((one) => {
        const { left, right } = one.getBoundingClientRect();
        return left < 0 || right > document.documentElement.clientWidth;
      }),
    );
    expect(cut).toEqual([]);
    await button(host, close).click();
    await host.expectEvents('onExit');
    await host.close();
  });
});

describe.concurrent('and as a picture', () => {
  test.for(screenshotDirectory ? screenVariants : screenVariants.slice(0, 1))(
    '$scheme, $width px',
    async (walk) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const abort = async (route: Route) => {
        await promise;
        await route.abort();
      };
      const { page, close } = await visitWith(abort, { browser: browserOptionsFor(walk), language: 'en' });
      await page.getByRole('status').waitFor();
      if (walk.screenshots) await takeScreenshot(page, 'loading', walk.screenshots);
      resolve();
      await page.getByRole('alert').waitFor();
      if (walk.screenshots) await takeScreenshot(page, 'not-loaded', walk.screenshots);
      await close();
    },
  );
});

describe.concurrent('a page that does not come up', () => {
  test('is told to the user and to the host within seconds, and tried again by a button', async () => {
    const started = Date.now();
    const host = await visitWith((route) => route.abort());
    await host.page.getByRole('alert').waitFor();
    expect(Date.now() - started).toBeLessThan(5000);
    expect(host.consoleErrors.filter((text) => text.includes(blocked))).toHaveLength(1);
    await host.expectEvents();
    await host.page.unroute('**/connect?*');
    await button(host, 'Try again').click();
    await press(host.widget, 'Continue');
    await host.widget.getByRole('searchbox').waitFor();
    await press(host.widget, 'Close');
    await host.expectEvents('onInit', 'onExit');
    await host.close();
  });

  test('is tried again by the next opening, whatever became of the one before', async () => {
    const host = await visitWith((route) => route.abort());
    await host.page.getByRole('alert').waitFor();
    await host.page.keyboard.press('Escape');
    await host.expectEvents('onExit');
    await host.page.unroute('**/connect?*');
    await host.open();
    await host.widget.getByRole('button', { name: 'Continue' }).waitFor();
    await press(host.widget, 'Close');
    await host.expectEvents('onExit', 'onInit', 'onExit');
    await host.close();
  });

  test('before it is opened disturbs nobody, and the opening tries again', async ({ expect }) => {
    const host = await openHostPage(stage, {
      before: (page) => page.route('**/connect?*', (route) => route.abort(), { times: 1 }),
    });
    await expect.poll(() => host.consoleErrors.at(-1)).toContain(blocked);
    expect(await dialog(host).count()).toBe(0);
    await host.open();
    await press(host.widget, 'Close');
    await host.expectEvents('onInit', 'onExit');
    await host.close();
  });

  test('in time, but then does, takes its place all the same', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const host = await openHostPage(stage, {
      language: 'de',
      before: async (page) => {
        await page.clock.install();
        await page.route('**/assets/de-*.js', async (route) => {
          await promise;
          await route.continue();
        });
      },
    });
    await host.open();
    await host.page.getByText('Einen Moment …').waitFor();
    // Somebody is there and says so: two seconds of silence are no failure then.
    await host.page.clock.runFor(9000);
    expect(await host.page.getByRole('alert').count()).toBe(0);
    await host.page.clock.runFor(5000);
    await host.page.getByRole('alert').waitFor();
    resolve();
    await press(host.widget, 'Schließen');
    await host.expectEvents('onInit', 'onExit');
    await host.close();
  });

  test('on an origin that the application does not allow, and why stands in the console', async () => {
    const host = await openHostPage(stage, { site: foreign });
    await host.open();
    await host.page.getByRole('alert').waitFor();
    expect(host.consoleErrors.at(-1)).toContain(`Does the application allow the origin ${foreign.origin}?`);
    expect(host.consoleErrors.some((text) => text.includes('frame-ancestors'))).toBe(true);
    await expectNoAxeViolations(host.page);
    await host.page.evaluate(() => window.widget.destroy());
    await host.expectEvents('onExit');
    expect(await host.page.locator('dialog').count()).toBe(0);
    await host.close();
  });
});
