// The theme of the widget.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectNoAxeViolations } from '../support/browser.ts';
import { type HostPage, openHostPage, startWidgetFixture, type WidgetFixture } from './hostPage.ts';
import { proceed, signIn } from './widgetSteps.ts';

let fixture: WidgetFixture;
beforeAll(async () => {
  fixture = await startWidgetFixture();
});
afterAll(() => fixture.close());

describe.concurrent('a theme', () => {
  const styleOf = (host: HostPage, selector: string, property: string): Promise<string> =>
    host.widget
      .locator(selector)
      .evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), property);

  test.each(['#ffee00', '#0000ff'])('with %s has enough contrast, light and dark', async (accentColor) => {
    const host = await openHostPage(fixture, { theme: { accentColor }, institutionId: 'sandbox-bank' });
    const frame = await host.frame();
    const checkBothSchemes = async () => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await host.page.emulateMedia({ colorScheme });
        await expectNoAxeViolations(frame);
      }
    };
    await host.open();
    await host.widget.locator('[data-action=continue]').waitFor();
    await checkBothSchemes();
    await proceed(host.widget);
    await signIn(host.widget, 'good');
    await host.widget.getByRole('checkbox').first().check();
    await checkBothSchemes();
  });

  test('sets the color, the corners and the scheme, whatever the system prefers', async () => {
    const theme = { mode: 'dark', accentColor: '#7ad6d8', radius: 0 } as const;
    const host = await openHostPage(fixture, { theme, browser: { colorScheme: 'light' } });
    await host.open();
    await host.widget.locator('[data-action=continue]').waitFor();
    expect(await styleOf(host, '.primary-button', 'background-color')).toBe('rgb(122, 214, 216)');
    expect(await styleOf(host, '.primary-button', 'border-top-left-radius')).toBe('0px');
    expect(await styleOf(host, '.card', 'background-color')).toBe('rgb(23, 27, 33)');
    // With different schemes, the browser would paint an opaque background.
    expect(await host.page.locator('iframe').evaluate((frame) => getComputedStyle(frame).colorScheme)).toBe(
      'dark',
    );
  });
});
