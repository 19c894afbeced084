// Leaving the widget requires confirmation if something would be lost, and calls onExit once.
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { en } from '../../widget/page/texts/en.ts';
import { expectNoAxeViolations } from '../support/browser.ts';
import { takeScreenshot } from '../support/screenshots.ts';
import { type HostPage, startWidgetFixture, type WidgetFixture } from './hostPage.ts';
import { heightFor } from './screenshots.ts';
import { openSignIn, press, proceed, signIn } from './widgetSteps.ts';

let fixture: WidgetFixture;
beforeAll(async () => {
  fixture = await startWidgetFixture();
});
afterAll(() => fixture.close());

const question = ({ widget }: HostPage): Locator => widget.getByRole('alertdialog', { name: en.leave.title });
const action = ({ widget }: HostPage, name: string): Locator => widget.locator(`[data-action=${name}]`);

const toSignIn = (): Promise<HostPage> =>
  openSignIn(fixture, { browser: { viewport: { width: 488, height: heightFor(488) } } });

describe.concurrent('leaving', () => {
  test('asks when a username was typed; staying keeps it and the focus', async ({ expect }) => {
    const host = await toSignIn();
    await host.widget.getByLabel('Username').fill('good');
    await host.page.keyboard.press('Escape');
    await question(host).getByText(en.leave.text('Shop')).waitFor();
    await expectNoAxeViolations(await host.frame());
    await takeScreenshot(host.page, 'widget/leave');
    await host.page.keyboard.press('Escape');
    await question(host).waitFor({ state: 'detached' });
    const field = host.widget.getByLabel('Username');
    expect(await field.inputValue()).toBe('good');
    expect(await field.evaluate((input) => input === document.activeElement)).toBe(true);
    // Works even if the host page has the focus.
    await host.page.evaluate(() => document.querySelector('iframe')!.blur());
    await host.page.keyboard.press('Escape');
    await action(host, 'stay').click();
    await question(host).waitFor({ state: 'detached' });
    await action(host, 'close').click();
    await action(host, 'stay').click();
    await question(host).waitFor({ state: 'detached' });
    await action(host, 'close').click();
    await action(host, 'leave').click();
    await host.expectEvents('onInit', 'onExit');
  });

  test('does not ask if nothing was typed, nor on close() by the host page; going back keeps the username, but not the password', async () => {
    const host = await toSignIn();
    const username = host.widget.getByLabel('Username');
    await username.waitFor();
    await action(host, 'close').click();
    await host.expectEvents('onInit', 'onExit');
    await host.open();
    await proceed(host.widget);
    await signIn(host.widget, 'otp');
    await host.widget.getByRole('heading', { name: en.challenge.code }).waitFor();
    await press(host.widget, en.back);
    await host.widget.getByRole('heading', { name: en.credentials.title('Sandbox Bank') }).waitFor();
    expect(await username.inputValue()).toBe('otp');
    expect(await host.widget.getByLabel('Password').inputValue()).toBe('');
    // A different bank has a different username.
    await press(host.widget, en.back);
    await host.widget.getByRole('option', { name: 'Sandbox Savings' }).click();
    await host.widget.getByRole('heading', { name: en.credentials.title('Sandbox Savings') }).waitFor();
    expect(await username.inputValue()).toBe('');
    await username.fill('good');
    await host.page.evaluate(() => window.widget.close());
    await host.expectEvents('onInit', 'onExit', 'onExit');
  });
});
