// In the first half second the user sees one shape, which the first screen replaces once, at exactly the same position.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { takeScreenshot } from '../support/screenshots.ts';
import { type HostPage, openHostPage, startWidgetFixture, type WidgetFixture } from './hostPage.ts';
import { openSignIn } from './widgetSteps.ts';

let fixture: WidgetFixture;
beforeAll(async () => {
  fixture = await startWidgetFixture();
});
afterAll(() => fixture.close());

/** `box` is the position of the panel. */
type Seen = { box: number[]; panel: boolean; page: boolean; spinner: boolean; atMs: number };

/** Records in each frame of the host page whether the panel, its spinner and the widget's page are visible. */
const recordFrames = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const seen: Seen[] = [];
    Object.assign(window, { seen });
    // The time of the frame, which animations use, even if this runs late.
    const record = (atMs: number) => {
      const dialog = document.querySelector('dialog');
      if (dialog?.open) {
        const root = dialog.querySelector('div')!.shadowRoot!;
        const [panel, spinner] = [root.querySelector('.card')!, root.querySelector('.spinner')!];
        const iframe = dialog.querySelector('iframe')!;
        const { x, y, width, height } = panel.getBoundingClientRect();
        seen.push({
          box: [x, y, width, height],
          panel: panel.checkVisibility(),
          page: getComputedStyle(iframe).opacity === '1',
          spinner: spinner.checkVisibility({ visibilityProperty: true }),
          atMs,
        });
      }
      requestAnimationFrame(record);
    };
    requestAnimationFrame(record);
  });

const framesOf = (page: Page): Promise<[Seen, ...Seen[]]> =>
  page.evaluate(() => (window as unknown as { seen: [Seen, ...Seen[]] }).seen);

/** The distinct states of the frames. */
const changesOf = (frames: Seen[]): string[] => {
  const states = frames.map(({ panel, page }) => `${panel ? 'panel' : ''}${page ? 'page' : ''}`);
  return states.filter((state, at) => state !== states[at - 1]);
};

/** Runs in the widget's frame: checks if the first screen has its typeface, and measures later layout shifts. */
const typefaceAndShift = (): Promise<{ typeface: boolean; shift: number }> =>
  new Promise((resolve) => {
    let shift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shift += (entry as unknown as { value: number }).value;
    }).observe({ type: 'layout-shift', buffered: true });
    const observer = new MutationObserver(() => {
      if (!document.querySelector('.consent-points')) return;
      observer.disconnect();
      const typeface = document.fonts.check('1em "Figtree Variable"');
      setTimeout(() => resolve({ typeface, shift }), 300);
    });
    observer.observe(document.body, { childList: true, subtree: true });
  });

const firstScreen = (host: HostPage) => host.widget.locator('.consent-points');

describe('the first open', () => {
  test('shows the panel, then the page in the same position with its typeface, and nothing moves, at each window width', async () => {
    const host = await openHostPage(fixture);
    for (const width of [1280, 768, 375]) {
      await host.page.setViewportSize({ width, height: 800 });
      await host.reload();
      await host.expectEvents('onInit');
      await recordFrames(host.page);
      const observed = (await host.frame()).evaluate(typefaceAndShift);
      await host.open();
      expect(await observed).toEqual({ typeface: true, shift: 0 });
      await expect.poll(async () => changesOf(await framesOf(host.page))).toEqual(['panel', 'page']);
      const { x, y, width: cardWidth, height } = (await host.widget.locator('.card').boundingBox())!;
      const [{ box }] = await framesOf(host.page);
      expect([x, y, cardWidth, height]).toEqual(box);
    }
  });

  test('shows a spinner only after 400 ms', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const host = await openHostPage(fixture, {
      before: (page) =>
        page.route('**/connect/api/link-sessions', async (route) => {
          await promise;
          await route.continue();
        }),
    });
    await host.expectEvents('onInit');
    await recordFrames(host.page);
    await host.open();
    await expect.poll(async () => (await framesOf(host.page)).some(({ spinner }) => spinner)).toBe(true);
    resolve();
    await firstScreen(host).waitFor();
    const frames = await framesOf(host.page);
    const opened = frames[0].atMs;
    expect(frames.find(({ spinner }) => spinner)!.atMs - opened).toBeGreaterThan(350);
  });

  test('does not wait for a typeface that never arrives', async () => {
    const host = await openHostPage(fixture, {
      before: (page) => page.route('**/*.woff2', () => new Promise<void>(() => {})),
    });
    await host.open();
    await firstScreen(host).waitFor();
  });
});

/** The parts that must be visible above a height. */
const expectInSight = async ({ widget }: HostPage, bottomMax: number): Promise<void> => {
  await expect
    .poll(async () => (await widget.locator('[data-action=continue]').boundingBox())!.y)
    .toBeLessThan(bottomMax);
  for (const part of ['h2', '.screen-heading .avatar', '[data-action=continue]', '#field-username']) {
    const { y, height } = (await widget.locator(part).boundingBox())!;
    expect([part, y >= 0, y + height <= bottomMax]).toEqual([part, true, true]);
  }
};

test('a short window shows the bank, the heading, the first field and the button', async () => {
  // A phone in landscape orientation.
  const host = await openSignIn(fixture, { browser: { viewport: { width: 812, height: 375 } } });
  await host.widget.getByLabel('Username').waitFor();
  await expectInSight(host, 375);
  await takeScreenshot(host.page, 'widget/landscape');
  await host.page.setViewportSize({ width: 375, height: 667 });
  await host.widget.getByLabel('Username').focus();
  const covered = 340;
  // An open keyboard shrinks the visual viewport, but not the window.
  await host.page.evaluate((height) => {
    Object.defineProperty(visualViewport, 'height', { get: () => innerHeight - height });
    visualViewport!.dispatchEvent(new Event('resize'));
  }, covered);
  await expectInSight(host, 667 - covered);
});
