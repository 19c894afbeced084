// A sign-in on the bank's own page, in a real browser: in its own window, closed, refused and timed out, finished in another
// browser, and by somebody who received the link.
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ConnectorModule } from '../../connectors/kit/defineConnector.ts';
import { allowNative } from '../support/allowNative.ts';
import { expectNoAxeViolations, launchBrowser } from '../support/browser.ts';
import { openAtBank } from '../support/openAtBank.ts';
import { makeScriptedConnector } from '../support/scriptedConnector.ts';
import type { TestApplication } from '../support/testService.ts';
import { type HostPage, startWidgetFixture, type WidgetFixture } from './hostPage.ts';
import { openSignIn, press, proceed, signIn } from './widgetSteps.ts';

let fixture: WidgetFixture;
let production: TestApplication;

/** A bank whose users sign in only on its own page. */
const ownPageBank: ConnectorModule = {
  institutions: [{ id: 'own-page', name: 'Own Page Bank', fields: [] }],
  connector: {
    ...makeScriptedConnector().module.connector,
    signIn: async (_request, { returnTo }) => ({
      kind: 'challenge',
      challenge: {
        kind: 'redirect',
        label: 'Sign in',
        url: `https://bank.example/?state=${returnTo!.state}`,
      },
      challengeState: returnTo!.state,
    }),
  },
};

beforeAll(async () => {
  fixture = await startWidgetFixture({ connectors: [ownPageBank] });
  production = await fixture.service.addApplication({
    ...{ environment: 'production', origins: [fixture.site.origin] },
  });
});
afterAll(() => fixture.close());

const bankHeading = 'Sign in to Sandbox Bank';
const openButton = 'Open Sandbox Bank';

const startRedirect = async (): Promise<HostPage> => {
  const host = await openSignIn(fixture);
  await signIn(host.widget, 'redirect');
  await host.widget.getByRole('button', { name: openButton }).waitFor();
  return host;
};

/** Opens the bank's page with a button of the widget. */
const openBank = async (host: HostPage, button = openButton): Promise<Page> => {
  const popup = host.page.waitForEvent('popup');
  await press(host.widget, button);
  const bank = await popup;
  await bank.getByRole('heading', { name: bankHeading }).waitFor();
  return bank;
};

const allow = async (bank: Page): Promise<void> => {
  await bank.getByLabel('Password').fill('password');
  await bank.getByRole('button', { name: 'Sign in and allow access' }).click();
};

const accountsHeading = ({ widget }: HostPage): Locator =>
  widget.getByRole('heading', { name: 'Choose accounts to share' });

/** The code on the page for returning users. */
const shownCode = async (page: Page): Promise<string> => {
  await page.getByRole('heading', { name: 'One more step: enter this code' }).waitFor();
  await page.getByText('Enter it in the window where you’re connecting Sandbox Bank to Shop.').waitFor();
  return (await page.getByText(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/).textContent())!;
};

/** A page of another browser context, which shares nothing with that of the widget. */
const otherBrowser = async (): Promise<Page> => (await (await launchBrowser()).newContext()).newPage();

test.concurrent('the widget continues on its own when the user returns from the bank', async () => {
  const host = await startRedirect();
  const bank = await openBank(host);
  await expectNoAxeViolations(bank);
  await bank.getByLabel('Password').fill('wrong');
  await bank.getByRole('button', { name: 'Sign in and allow access' }).click();
  await bank.getByRole('alert').getByText('The password is wrong.').waitFor();
  const addresses: string[] = [];
  bank.on('framenavigated', (frame) => addresses.push(frame.url()));
  const closed = bank.waitForEvent('close');
  await allow(bank);
  await closed;
  // The return URL has no query.
  expect(addresses.at(-1)).toBe(`${fixture.service.url}/connect/return`);
  await accountsHeading(host).waitFor();
  expect(host.consoleErrors).toEqual([]);
});

test.concurrent('a bank with only its own page requires no input before it', async () => {
  const host = await openSignIn(fixture, { applicationId: production.id, institutionId: 'own-page' });
  await host.widget.getByText('You’ll sign in on Own Page Bank’s own page.').waitFor();
  await expectNoAxeViolations(await host.frame());
  await proceed(host.widget);
  await host.widget.getByRole('button', { name: 'Open Own Page Bank' }).waitFor();
  expect(host.consoleErrors).toEqual([]);
});

test.concurrent('a closed window can be reopened, and a refusal and a time-out at the bank are reported', async () => {
  const host = await startRedirect();
  await (await openBank(host)).close();
  await host.widget.getByText('The other window was closed.').waitFor();
  const bank = await openBank(host, 'Open the bank’s page again');
  await bank.getByRole('button', { name: 'Deny' }).click();
  await host.widget.getByRole('heading', { name: 'Your sign-in wasn’t approved' }).waitFor();
  await press(host.widget, 'Sign in again');
  await signIn(host.widget, 'redirect');
  await (await openBank(host)).getByRole('button', { name: 'Simulate a timeout' }).click();
  await host.widget.getByRole('heading', { name: 'Your bank isn’t responding' }).waitFor();
});

test.concurrent('in another browser the page shows a code, which is typed into the widget', async () => {
  const host = await startRedirect();
  const bank = await openBank(host);
  const other = await otherBrowser();
  await other.goto(bank.url());
  await bank.close();
  await allow(other);
  const code = await shownCode(other);
  await expectNoAxeViolations(other);
  await proceed(host.widget);
  await host.widget.getByRole('alert').getByText('Enter the code, or finish').waitFor();
  await host.widget.getByLabel('Code from the other window').fill('0000-0000');
  await proceed(host.widget);
  await host.widget.getByRole('alert').getByText('This code doesn’t match your sign-in.').waitFor();
  await host.widget.getByLabel('Code from the other window').fill(code.toLowerCase());
  await proceed(host.widget);
  await accountsHeading(host).waitFor();
});

// widget-native/native.test.ts shows that the page has a button for it.
test.concurrent('returns to a native application automatically', async () => {
  const { id: applicationId } = await fixture.service.addApplication();
  const returnAddress = 'https://shop.example/bank-return';
  await allowNative(fixture.service, applicationId, [returnAddress]);
  const { bankPage } = await openAtBank(fixture.service, { applicationId, returnAddress });
  const other = await otherBrowser();
  await other.context().route('https://shop.example/**', (route) => route.fulfill({ body: 'Shop' }));
  await other.goto(bankPage.href);
  await allow(other);
  await other.waitForURL(new RegExp(`^${returnAddress}\\?code=[0-9A-Z]{4}-[0-9A-Z]{4}$`));
});

test.concurrent('a link sent to somebody else, even from a page that opens it, connects nothing', async () => {
  const attacker = await openAtBank(fixture.service);
  const victim = await otherBrowser();
  await victim.goto(fixture.site.origin);
  // The opener is the attacker's page, which listens for the code.
  const [bank] = await Promise.all([
    victim.waitForEvent('popup'),
    victim.evaluate((address) => {
      Object.assign(window, { heard: [] });
      addEventListener('message', ({ data }) => (window as unknown as { heard: unknown[] }).heard.push(data));
      window.open(address);
    }, attacker.bankPage.href),
  ]);
  await allow(bank);
  await shownCode(bank);
  await bank.getByText('Did someone else send you here?').waitFor();
  expect(await victim.evaluate(() => (window as unknown as { heard: unknown[] }).heard)).toEqual([]);
  expect((await attacker.session.refresh()).state).toBe('challenge');
  // A reload does not show the code again.
  await bank.reload();
  await bank.getByRole('heading', { name: 'This page has expired' }).waitFor();
});
