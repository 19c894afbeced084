// The screens for accounts that are already connected, and for a reconnect with a missing account.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { takesScreenshots } from '../support/screenshots.ts';
import { makeScriptedConnector, northBank, scriptedAccount } from '../support/scriptedConnector.ts';
import { link } from '../support/testService.ts';
import { type HostPageOptions, startWidgetFixture, type WidgetFixture } from './hostPage.ts';
import {
  pairwiseVariants,
  type ScreenTest,
  type ScreenVariant,
  screenVariants,
  shareAll,
  startScreenTest,
} from './screenTest.ts';

const connector = makeScriptedConnector();
const accounts = [
  scriptedAccount({ id: 'main', name: 'Everyday Account', number: '0012' }),
  scriptedAccount({ id: 'card', name: 'Credit Card', type: 'credit', number: '3456' }),
  scriptedAccount({ id: 'savings', name: 'Rainy Day', number: '7890' }),
];
let fixture: WidgetFixture;
let application: { id: string };

beforeAll(async () => {
  fixture = await startWidgetFixture({ connectors: [connector.module] });
  application = await fixture.service.addApplication({ environment: 'production' });
});
afterAll(() => fixture.close());

const phone = { ...pairwiseVariants[1]!, language: 'en' as const };
const all = [pairwiseVariants[0]!, { ...phone, language: 'ar' as const }, pairwiseVariants[3]!];
const variants = takesScreenshots ? screenVariants : process.env.TEST_ALL ? all : [phone];

const linkAs = (username: string) => {
  connector.setAccounts(username, accounts);
  const { id: applicationId } = application;
  return link(fixture.service, {
    applicationId,
    institutionId: northBank,
    username,
    externalUserId: username,
  });
};

/** Opens the widget for a user and signs in at the bank. */
const signInAs = async (variant: ScreenVariant, username: string, options: HostPageOptions) => {
  const own = { applicationId: application.id, externalUserId: username, institutionId: northBank };
  const screen = await startScreenTest(fixture, variant, { ...own, ...options });
  await signInHere(screen, username, options);
  return screen;
};

const signInHere = async (
  { host, driver, proceed }: ScreenTest,
  username: string,
  { connectionId }: HostPageOptions = {},
): Promise<void> => {
  await host.open();
  if (!connectionId) await proceed();
  await driver.type(host.widget.getByLabel('Username'), username);
  await driver.type(host.widget.getByLabel('Password'), 'password');
  await proceed();
};

test.for(variants)(
  'accounts that are already connected can be renewed or shared again ($language, $scheme, $width px)',
  async (variant) => {
    const username = `twice-${variant.language}-${variant.scheme}-${variant.width}`;
    const first = await linkAs(username);
    const screen = await signInAs(variant, username, {});
    const { host, t, checkScreen, press, heading, proceed } = screen;
    await shareAll(screen);
    await checkScreen(t.accounts.connected, 'already-connected');
    const names = accounts.map(({ name }) => name).join(', ');
    await host.widget.getByText(t.accounts.connectedBefore(names, 'Shop')).waitFor();
    expect(await host.widget.getByRole('checkbox', { checked: true }).count()).toBe(3);
    await press(t.accounts.renew);
    await checkScreen(t.success.restored);
    await host.expectEvents('onInit', 'onSuccess');
    expect(await host.result()).toMatchObject({ connectionId: first.connectionId });

    await host.reload();
    await signInHere(screen, username);
    await shareAll(screen);
    await heading(t.accounts.connected);
    await proceed();
    await heading(t.success.title);
    await host.expectEvents('onInit', 'onSuccess');
    expect(await host.result()).toMatchObject({ duplicateOf: first.connectionId });
  },
);

test.for(variants)(
  'a reconnect without one of the accounts ($language, $scheme, $width px)',
  async (variant) => {
    const username = `missing-${variant.language}-${variant.scheme}-${variant.width}`;
    const { connectionId } = await linkAs(username);
    connector.setAccounts(username, accounts.slice(1));
    const { host, t, checkScreen } = await signInAs(variant, username, { connectionId });
    await checkScreen(t.success.restored, 'reconnected-without-account');
    await host.widget.getByText(t.success.missing(1, 'North Bank')).waitFor();
  },
);
