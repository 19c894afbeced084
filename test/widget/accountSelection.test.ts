// Changing the shared accounts of a connection: shared accounts are checked, and the page explains the effect on the others.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { takesScreenshots } from '../support/screenshots.ts';
import { makeScriptedConnector, northBank, scriptedAccount } from '../support/scriptedConnector.ts';
import { link } from '../support/testService.ts';
import { startWidgetFixture, type WidgetFixture } from './hostPage.ts';
import { type ScreenVariant, screenVariants, startScreenTest } from './screenTest.ts';

const connector = makeScriptedConnector();
const accounts = [
  scriptedAccount({ id: 'main', name: 'Everyday Account', number: '0012' }),
  scriptedAccount({ id: 'card', name: 'Credit Card', type: 'credit', number: '3456' }),
  scriptedAccount({ id: 'savings', name: 'Rainy Day', number: '7890' }),
];
let fixture: WidgetFixture;
let applicationId: string;
beforeAll(async () => {
  const institutions = connector.module.institutions.map((institution) => ({
    ...institution,
    // Screenshots must not show a time of day.
    ...(!takesScreenshots && { limits: { historyWindowSeconds: 300 } }),
  }));
  fixture = await startWidgetFixture({ connectors: [{ ...connector.module, institutions }] });
  ({ id: applicationId } = await fixture.service.addApplication({ environment: 'production' }));
});
afterAll(() => fixture.close());

const byKeyboard: ScreenVariant = { language: 'de', scheme: 'dark', width: 320, input: 'keys' };
const variants = takesScreenshots ? screenVariants : [byKeyboard];

test.each(variants)('is changed in $language $scheme $width $input', async (variant) => {
  const username = `ada ${variant.scheme} ${variant.width}`;
  connector.setAccounts(username, accounts);
  const { connectionId } = await link(fixture.service, {
    ...{ applicationId, username, institutionId: northBank, accounts: ['Everyday Account', 'Credit Card'] },
  });
  const options = { applicationId, connectionId, accountSelection: true };
  const screen = await startScreenTest(fixture, variant, options);
  const { host, driver, t, proceed, checkScreen, heading } = screen;
  await host.open();
  await proceed();
  // The bank's own labels.
  await driver.type(host.widget.getByLabel('Username'), username);
  await driver.type(host.widget.getByLabel('Password'), 'password');
  await proceed();
  const box = (name: string) => host.widget.getByRole('checkbox', { name, exact: true });
  await heading(t.accounts.title);
  expect(await box('Everyday Account').isChecked()).toBe(true);
  expect(await box('Rainy Day').isChecked()).toBe(false);
  const lead = host.widget.getByText(t.accounts.lead('Shop'));
  const days = variant.language === 'de' ? '30 Tage' : '30 days';
  expect(await lead.textContent()).toContain(t.accounts.removed(days));
  const [untilNow] = t.accounts.historyUntil('|').split('|');
  if (!takesScreenshots) expect(await lead.textContent()).toContain(untilNow);
  await checkScreen(t.accounts.title, 'accounts-again');
  await driver.toggle(box('Rainy Day'));
  await driver.toggle(box('Credit Card'));
  await proceed();
  await heading(t.success.restored);
  const { accounts: shared } = await host.result();
  expect(shared.map(({ name }) => name)).toEqual(['Everyday Account', 'Rainy Day']);
  expect(host.consoleErrors).toEqual([]);
});
