// A link through Enable Banking in a real browser, on the quickstart's page: a company account at a bank with two methods, refused
// once, and approved in another tab. The quickstart then reads the connection, and so does an application over SimpleFIN.
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { institutionId } from '../../../connectors/enable-banking/bank.ts';
import {
  fakeAccount,
  fakeTransaction,
} from '../../../connectors/enable-banking/test/fakeProvider/account.ts';
import { fakeBank } from '../../../connectors/enable-banking/test/fakeProvider/bank.ts';
import { startFakeProvider } from '../../../connectors/enable-banking/test/fakeProvider/provider.ts';
import { iban } from '../../../connectors/enable-banking/test/fixture.ts';
import { claimAccessUrl, daysAgo, readSet } from '../../simplefin/fixture.ts';
import { expectNoAxeViolations, launchBrowser } from '../../support/browser.ts';
import { certificates, key } from '../../support/certificates.ts';
import { freePort } from '../../support/freePort.ts';
import { widgetOf } from '../../support/linkInWidget.ts';
import { takeScreenshot } from '../../support/screenshots.ts';
import { startExample } from '../../support/startExample.ts';
import { startService } from '../../support/testService.ts';
import { heightFor, viewportFor } from '../../widget/screenshots.ts';
import { press, proceed, shareAll } from '../../widget/widgetSteps.ts';
import { settingsOf } from './settings.ts';

const name = 'Nordic Trade Bank';
const methodOf = (title: string, psu_type: 'personal' | 'business') => ({
  ...{ name: `${psu_type} ${title}`, title, psu_type, hidden_method: false },
  approach: 'REDIRECT' as const,
});
const bank = fakeBank(
  name,
  { ada: [fakeAccount(iban, [fakeTransaction('invoice', daysAgo(2)), fakeTransaction('rent', daysAgo(9))])] },
  {
    aspsp: {
      ...{ name, country: 'DE', psu_types: ['personal', 'business'] },
      auth_methods: [
        methodOf('App', 'personal'),
        methodOf('Signature app', 'business'),
        methodOf('Card reader', 'business'),
      ],
    },
  },
);

const startQuickstart = async () => {
  const certificate = { key, cert: certificates.valid };
  const provider = await startFakeProvider({ banks: [bank], certificate });
  onTestFinished(provider.close);
  const service = await startService({
    env: settingsOf(provider),
    limits: { directoryPollSeconds: 0.02, afterStartSeconds: 0.01, workerPollMs: 20 },
  });
  onTestFinished(() => service.close());
  provider.application.redirect_urls.push(`${service.url}/connect/return`);
  const port = String(await freePort());
  const origins = [`http://localhost:${port}`];
  const { id, apiKey } = await service.addApplication({ environment: 'production', origins });
  const env = { BASE_URL: service.url, APPLICATION_ID: id, API_KEY: apiKey, PORT: port };
  await startExample('examples/quickstart/server.ts', env);
  const { width } = viewportFor.light;
  const viewport = { width, height: heightFor(width) };
  const context = await (await launchBrowser()).newContext({ ignoreHTTPSErrors: true, viewport });
  const page = await context.newPage();
  await page.goto(origins[0]!);
  return { provider, page };
};

const checkScreen = async (page: Page, picture: string): Promise<void> => {
  const frame = page.frames().find((one) => new URL(one.url()).pathname.startsWith('/connect'));
  await expectNoAxeViolations(frame!);
  await takeScreenshot(page, `enable-banking/${picture}`);
};

test('a company account is linked by one of two methods, after a refusal, from another tab', async () => {
  const { provider, page } = await startQuickstart();
  const widget = widgetOf(page);
  await press(page as never, 'Connect a bank');
  await proceed(widget);
  await widget.getByRole('combobox', { name: 'Search banks' }).fill('nordic');
  await widget.getByRole('option', { name, exact: true }).waitFor();
  await checkScreen(page, 'bank');
  await widget.getByRole('option', { name, exact: true }).click();
  /** Continues to the bank's page, which opens in its own window. */
  const openBank = async (takesPictures = false): Promise<Page> => {
    const check = async (picture: string) => takesPictures && (await checkScreen(page, picture));
    await widget.getByText(`You’ll sign in on ${name}’s own page.`).waitFor();
    await proceed(widget);
    await widget.getByText('What do you use the account for?').waitFor();
    await check('use');
    await widget.getByRole('radio', { name: 'Business' }).check();
    await proceed(widget);
    await widget.getByRole('radio', { name: 'Card reader' }).check();
    await check('method');
    await proceed(widget);
    await widget.getByRole('button', { name: `Open ${name}` }).waitFor();
    await check('own-page');
    const popup = page.waitForEvent('popup');
    await press(widget, `Open ${name}`);
    const opened = await popup;
    await opened.getByRole('heading', { name }).waitFor();
    return opened;
  };
  await (await openBank(true)).getByRole('button', { name: 'Refuse' }).click();
  await widget.getByRole('heading', { name: 'Your sign-in wasn’t approved' }).waitFor();
  await checkScreen(page, 'refused');
  await press(widget, 'Sign in again');

  const popup = await openBank();
  const tab = await page.context().newPage();
  await tab.goto(popup.url());
  await popup.close();
  await tab.getByLabel('User').fill('ada');
  await tab.getByRole('button', { name: 'Approve' }).click();
  // A tab that the widget did not open shows a code.
  const code = await tab.getByText(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/).textContent();
  await proceed(widget);
  await widget.getByLabel('Code from the other window').fill(code!);
  await proceed(widget);
  await widget.getByRole('heading', { name: 'Choose accounts to share' }).waitFor();
  await checkScreen(page, 'accounts');
  await shareAll(widget);
  await press(widget, 'Done');

  const asked = provider
    .requestsOf(undefined)
    .filter(({ operationId }) => operationId === 'startAuthorization');
  expect(asked.map(({ body }) => body)).toMatchObject(
    Array(2).fill({ psu_type: 'business', auth_method: 'business Card reader' }),
  );
  const shown = page.locator('#data');
  await expect.poll(() => shown.innerText(), { timeout: 20_000 }).toContain('2 transactions');
  expect(await shown.innerText()).toContain('Corner Pantry invoice');
  await press(page as never, 'Read these accounts in another application');
  await expect.poll(() => page.locator('#token').innerText()).toMatch(/^[A-Za-z0-9+/]+=*$/);
  const accessUrl = await claimAccessUrl(await page.locator('#token').innerText());
  const { accounts } = await readSet(accessUrl, '?start-date=0');
  expect(accounts).toMatchObject([{ currency: 'EUR', org: { name } }]);
  expect(accounts[0]!.transactions!.map(({ description }) => description)).toEqual([
    ...['Corner Pantry invoice', 'Corner Pantry rent'],
  ]);
  expect(institutionId(name, 'DE')).toBe('nordic-trade-bank-de');
  await page.context().close();
});
