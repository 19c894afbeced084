// A bank whose consent ends: the user sees the date.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { takesScreenshots } from '../support/screenshots.ts';
import { startWidgetFixture, type WidgetFixture } from './hostPage.ts';
import { type ScreenVariant, screenVariants, shareAll, signIn, startScreenTest } from './screenTest.ts';

let fixture: WidgetFixture;
beforeAll(async () => {
  fixture = await startWidgetFixture();
});
afterAll(() => fixture.close());

const inArabic: ScreenVariant = { language: 'ar', scheme: 'dark', width: 320, input: 'mouse' };
const variants = takesScreenshots ? screenVariants : [inArabic];

test.each(variants)('is shown after linking, in $language $scheme $width $input', async (variant) => {
  const screen = await startScreenTest(fixture, variant, { institutionId: 'sandbox-bank' });
  const { host, t, proceed, checkScreen, heading } = screen;
  await host.open();
  await proceed();
  await signIn(screen, 'consent-90');
  await shareAll(screen);
  await heading(t.success.title);
  const inNinetyDays = new Date(fixture.service.service.clock.real().getTime() + 90 * 86_400_000);
  const options = { dateStyle: 'long', timeZone: 'UTC' } as const;
  const day = new Intl.DateTimeFormat(variant.language, options).format(inNinetyDays);
  await host.widget.getByText(t.success.until(day)).waitFor();
  await checkScreen(t.success.title, 'success-until');
  expect(host.consoleErrors).toEqual([]);
});
