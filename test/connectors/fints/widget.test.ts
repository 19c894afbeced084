// A link at a German bank over FinTS in a real browser, in a Production application: bank, sign-in, device, TAN, accounts,
// and the bank's other challenges. SCREENSHOTS=1 takes the pictures for connectors/fints/README.md.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rightTan } from '../../../connectors/fints/test/users.ts';
import { expectNoAxeViolations } from '../../support/browser.ts';
import { takeScreenshot } from '../../support/screenshots.ts';
import type { TestApplication } from '../../support/testService.ts';
import { type HostPage, startWidgetFixture, type WidgetFixture } from '../../widget/hostPage.ts';
import { heightFor, viewportFor } from '../../widget/screenshots.ts';
import { openSignIn, press, proceed, shareAll } from '../../widget/widgetSteps.ts';
import { type ListedBank, startListedBank } from './serviceFixture.ts';

let listed: ListedBank;
let fixture: WidgetFixture;
let production: TestApplication;
beforeAll(async () => {
  listed = await startListedBank();
  fixture = await startWidgetFixture({ env: listed.env });
  const origins = [fixture.site.origin];
  production = await fixture.service.addApplication({ environment: 'production', origins });
});
afterAll(async () => {
  await fixture.close();
  await listed.close();
});

const { width } = viewportFor.light;
const bankName = 'Deutsche Kreditbank';

/** Opens the widget at the sign-in form of the bank. */
const openBank = async (): Promise<HostPage> => {
  const browser = { viewport: { width, height: heightFor(width) } };
  return openSignIn(fixture, { applicationId: production.id, institutionId: 'dkb', browser });
};

const signInAs = async (host: HostPage, username: string): Promise<void> => {
  await host.widget.getByLabel('Username').fill(username);
  await host.widget.getByLabel('PIN').fill('12345');
  await proceed(host.widget);
};

const checkScreen = async (host: HostPage, name: string): Promise<void> => {
  await expectNoAxeViolations(await host.frame());
  await takeScreenshot(host.page, `fints/${name}`);
};

test('an end user finds the bank by its code, signs in with a device and a TAN, and shares the accounts', async () => {
  const host = await openBank();
  await press(host.widget, 'Back');
  await host.widget.getByRole('combobox', { name: 'Search banks' }).fill('12030000');
  const bank = host.widget.getByRole('option', { name: bankName, exact: true });
  await bank.waitFor();
  await checkScreen(host, 'bank');
  await bank.click();
  await host.widget.getByLabel('PIN').fill('12345');
  await host.widget.getByLabel('Username').fill('test@user');
  await checkScreen(host, 'sign-in');
  await proceed(host.widget);
  await host.widget.getByRole('radio', { name: 'SomePhone1' }).check();
  await host.widget.getByText('Which device do you want to use?').waitFor();
  await checkScreen(host, 'device');
  await proceed(host.widget);
  const code = host.widget.getByLabel('Bitte geben Sie die pushTAN ein.');
  await code.fill(rightTan);
  await host.widget.getByText('TAN2go, SomePhone1').waitFor();
  expect(await code.getAttribute('inputmode')).toBe('numeric');
  await checkScreen(host, 'tan');
  await proceed(host.widget);
  await host.widget.getByRole('checkbox', { name: /Sichteinlagen/ }).waitFor();
  await checkScreen(host, 'accounts');
  await shareAll(host.widget);
  await host.expectEvents('onInit', 'onSuccess');
  await press(host.widget, 'Done');
  const { connectionId, scopedToken } = await host.result();
  const client = fixture.service.client(scopedToken, production.apiKey);
  const { data } = await client.GET('/connections');
  expect(data!.connections).toMatchObject([
    { id: connectionId, status: 'active', institution: { id: 'dkb', name: bankName } },
  ]);
  expect(host.consoleErrors).toEqual([]);
});

test('a photoTAN is shown as a picture, a user chooses one of several methods and another one, and an approval is waited for', async () => {
  const host = await openBank();
  await signInAs(host, 'photo');
  await host.widget.getByRole('img', { name: 'Image from your bank' }).waitFor();
  await checkScreen(host, 'photo-tan');
  await press(host.widget, 'Back');
  await signInAs(host, 'methods');
  await host.widget.getByRole('radio', { name: 'chipTAN manuell' }).check();
  await checkScreen(host, 'method');
  await proceed(host.widget);
  await host.widget.getByRole('textbox').waitFor();
  await host.widget.getByRole('button', { name: /another way/i }).click();
  await host.widget.getByRole('radio', { name: 'TAN2go' }).waitFor();
  await press(host.widget, 'Back');
  await signInAs(host, 'app');
  await host.widget.getByText('Open the SecureApp app and approve this sign-in.').waitFor();
  await checkScreen(host, 'approval');
  await host.widget.getByRole('checkbox', { name: /Sichteinlagen/ }).waitFor();
});

test('a bank that requires a TAN for each statement is linked with one per account, after the accounts are chosen', async () => {
  const host = await openBank();
  await signInAs(host, 'everyStatement');
  await shareAll(host.widget);
  for (const account of ['Konto 1 von 2', 'Konto 2 von 2']) {
    await host.widget.getByLabel(`${account}: Bitte geben Sie die pushTAN ein.`).fill(rightTan);
    await expectNoAxeViolations(await host.frame());
    await proceed(host.widget);
  }
  await host.expectEvents('onInit', 'onSuccess');
  await press(host.widget, 'Done');
  const { connectionId, scopedToken } = await host.result();
  const client = fixture.service.client(scopedToken, production.apiKey);
  const { data } = await client.GET('/connections');
  expect(data!.connections).toMatchObject([{ id: connectionId, status: 'active' }]);
  expect(host.consoleErrors).toEqual([]);
});
