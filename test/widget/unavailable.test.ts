// The page in the frame is loading or cannot be loaded: the dialog shows this, can be closed at any time, and reports a
// failure within seconds.
import type { BrowserContextOptions, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loaderTextsFor } from '../../widget/loader/loaderTexts.ts';
import { expectNoAxeViolations } from '../support/browser.ts';
import { takeScreenshot, takesScreenshots } from '../support/screenshots.ts';
import {
  type HostPage,
  type HostSite,
  openHostPage,
  startHostSite,
  startWidgetFixture,
  type WidgetFixture,
} from './hostPage.ts';
import { browserOptionsFor, pairwiseVariants, screenVariants } from './screenTest.ts';
import { press, proceed } from './widgetSteps.ts';

let fixture: WidgetFixture;
let otherSite: HostSite;
beforeAll(async () => {
  fixture = await startWidgetFixture();
  otherSite = await startHostSite(() => fixture.service.url);
});
afterAll(async () => {
  await otherSite.close();
  await fixture.close();
});

/** Only `runFor` moves the clock of the page, however long loading takes. */
const stopClock = async (page: Page): Promise<void> => {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
};

const blocked = 'the widget could not be loaded.';

/** Opens the widget and handles the request for its page with `respond`. */
const openWith = async (
  respond: (route: Route) => Promise<void>,
  options: { browser?: BrowserContextOptions; language?: string } = {},
): Promise<HostPage> => {
  const host = await openHostPage(fixture, {
    ...options,
    before: (page) => page.route('**/connect?**', respond),
  });
  await host.open();
  return host;
};
const never = () => new Promise<void>(() => {});
const dialog = (host: HostPage) => host.page.getByRole('dialog');
const button = (host: HostPage, name: string) => host.page.getByRole('button', { name, exact: true });

describe.concurrent('while it is loading', () => {
  test('the panel shows it and can be closed with its button or Escape', async () => {
    const host = await openWith(never);
    await host.page.getByRole('status').getByText('One moment…').waitFor();
    expect(await dialog(host).getAttribute('aria-label')).toBe('One moment…');
    expect(await button(host, 'Try again').count()).toBe(0);
    await button(host, 'Close').click();
    await host.expectEvents('onExit');
    await dialog(host).waitFor({ state: 'hidden' });
    await host.open();
    await host.page.keyboard.press('Tab');
    const hasFocus = (it: Element) => (it.getRootNode() as ShadowRoot).activeElement === it;
    expect(await button(host, 'Close').evaluate(hasFocus)).toBe(true);
    await host.page.keyboard.press('Escape');
    await host.expectEvents('onExit', 'onExit');
    expect(await button(host, 'Connect').evaluate((it) => it === document.activeElement)).toBe(true);
    expect(host.consoleErrors).toEqual([]);
  });

  const pictured = { ...screenVariants[0]!, language: 'en' as const };
  const variants = takesScreenshots ? screenVariants : process.env.TEST_ALL ? pairwiseVariants : [pictured];
  test.for(variants)('and after a failure, in $language, $scheme, $width px', async (variant) => {
    const { language } = variant;
    const { promise, resolve } = Promise.withResolvers<void>();
    const abort = async (route: Route) => {
      await promise;
      await route.abort();
    };
    const browser = browserOptionsFor(variant);
    const host = await openWith(abort, { browser, language: `${language}-AT` });
    const [, loading, failed, , close] = loaderTextsFor([language]);
    await host.page.getByRole('dialog', { name: loading }).getByText(loading).waitFor();
    expect(await host.page.locator('dialog > div .card').getAttribute('lang')).toBe(language);
    await expectNoAxeViolations(host.page);
    if (language === 'en') await takeScreenshot(host.page, 'widget/loading', variant.screenshots);
    resolve();
    await host.page.getByRole('alert').getByText(failed).waitFor();
    await expectNoAxeViolations(host.page);
    if (language === 'en') await takeScreenshot(host.page, 'widget/not-loaded', variant.screenshots);
    const cutOff = await host.page.locator('dialog > div .card *').evaluateAll((all) =>
      all.filter((one) => {
        const { left, right } = one.getBoundingClientRect();
        return left < 0 || right > document.documentElement.clientWidth;
      }),
    );
    expect(cutOff).toEqual([]);
    await button(host, close).click();
    await host.expectEvents('onExit');
  });
});

describe.concurrent('a page that cannot be loaded', () => {
  test('is reported to user and host within seconds, and a button retries', async ({ expect }) => {
    const host = await openHostPage(fixture, {
      before: async (page) => {
        await stopClock(page);
        await page.addInitScript(() => {
          const onLoad = ({ target }: Event) => {
            if (target instanceof HTMLIFrameElement) document.documentElement.dataset.loaded = 'yes';
          };
          document.addEventListener('load', onLoad, { capture: true });
        });
        await page.route('**/connect?**', (route) => route.abort());
      },
    });
    await host.open();
    // Browsers also tell that their own error page is loaded.
    await expect.poll(() => host.page.locator('html').getAttribute('data-loaded')).toBe('yes');
    await host.page.clock.runFor(1000);
    expect(await host.page.getByRole('alert').count()).toBe(0);
    await host.page.clock.runFor(2000);
    await host.page.getByRole('alert').waitFor();
    await host.page.clock.resume();
    await expect.poll(() => host.consoleErrors.filter((text) => text.includes(blocked))).toHaveLength(1);
    await host.expectEvents();
    await host.page.unroute('**/connect?**');
    await button(host, 'Try again').click();
    await proceed(host.widget);
    await host.widget.getByRole('combobox').waitFor();
    await press(host.widget, 'Close');
    await host.expectEvents('onInit', 'onExit');
  });

  test('shows nothing before open, and each open retries', async ({ expect }) => {
    const host = await openHostPage(fixture, {
      before: (page) => page.route('**/connect?**', (route) => route.abort()),
    });
    await expect.poll(() => host.consoleErrors.at(-1)).toContain(blocked);
    expect(await dialog(host).count()).toBe(0);
    const retried = host.page.waitForRequest('**/connect?**');
    await host.open();
    await retried;
    await host.page.getByRole('alert').waitFor();
    await host.page.unroute('**/connect?**');
    await host.page.keyboard.press('Escape');
    await host.expectEvents('onExit');
    await host.open();
    await host.widget.locator('[data-action=continue]').waitFor();
    await press(host.widget, 'Close');
    await host.expectEvents('onExit', 'onInit', 'onExit');
  });

  test('in time replaces the panel when it is ready after all', async ({ expect }) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const host = await openHostPage(fixture, {
      language: 'de',
      before: async (page) => {
        await stopClock(page);
        await page.addInitScript(() => {
          addEventListener('message', ({ data }) => {
            if (JSON.stringify(data).includes('"ack"')) document.documentElement.dataset.acked = 'yes';
          });
        });
        await page.route('**/assets/de-*.js', async (route) => {
          await promise;
          await route.continue();
        });
      },
    });
    await host.open();
    await host.page.getByText('Einen Moment …').waitFor();
    // Once the page has acknowledged the handshake, the short timeout does not apply.
    await expect.poll(() => host.page.locator('html').getAttribute('data-acked')).toBe('yes');
    await host.page.clock.runFor(7000);
    expect(await host.page.getByRole('alert').count()).toBe(0);
    await host.page.clock.runFor(5000);
    await host.page.getByRole('alert').waitFor();
    await host.page.clock.resume();
    resolve();
    await press(host.widget, 'Schließen');
    await host.expectEvents('onInit', 'onExit');
  });

  test('on an origin that the Sandbox application does not allow is explained, with the remedy', async () => {
    const host = await openHostPage(fixture, { site: otherSite });
    await host.open();
    await host.page.getByRole('alert').waitFor();
    const reason = `The application does not allow ${otherSite.origin}. Add this origin in the dashboard.`;
    await host.page.getByRole('alert').getByText(reason).waitFor();
    expect(host.consoleErrors.at(-1)).toBe(`ServiceConnect: the widget could not be loaded. ${reason}`);
    expect(host.consoleErrors.some((text) => text.includes('frame-ancestors'))).toBe(true);
    await expectNoAxeViolations(host.page);
    await host.page.evaluate(() => window.widget.destroy());
    await host.expectEvents('onExit');
    expect(await host.page.locator('dialog').count()).toBe(0);
  });
});
