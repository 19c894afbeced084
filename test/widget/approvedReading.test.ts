// A bank with a challenge before the transactions of each account, connected by a keyboard user.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { takesScreenshots } from '../support/screenshots.ts';
import { startWidgetFixture, type WidgetFixture } from './hostPage.ts';
import { type ScreenVariant, screenVariants, shareAll, signIn, startScreenTest } from './screenTest.ts';

let fixture: WidgetFixture;
beforeAll(async () => {
  fixture = await startWidgetFixture();
});
afterAll(() => fixture.close());

const byKeyboard: ScreenVariant = { language: 'en', scheme: 'light', width: 320, input: 'keys' };
const variants = takesScreenshots ? screenVariants : [byKeyboard];

test.each(variants)(
  'each account is approved by a code, in $language $scheme $width $input',
  async (variant) => {
    const screen = await startScreenTest(fixture, variant, { institutionId: 'sandbox-bank' });
    const { host, driver, t, proceed, press, checkScreen, heading } = screen;
    await host.open();
    await proceed();
    await signIn(screen, 'statement-tan');
    await shareAll(screen);
    const field = (account: number) => host.widget.getByLabel(`Code for account ${account} of 2`);
    await field(1).waitFor();
    await host.widget.getByText(t.challenge.leadReading('Sandbox Bank')).waitFor();
    await checkScreen(t.challenge.code, 'approve-reading');
    await press(t.back);
    await heading(t.accounts.title);
    await shareAll(screen);
    for (const account of [1, 2]) {
      await driver.type(field(account), '123456');
      await proceed();
    }
    await heading(t.success.title);
    expect(host.consoleErrors).toEqual([]);
  },
);
