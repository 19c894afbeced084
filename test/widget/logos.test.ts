// Logos, colors and help addresses of institutions on the widget's screens.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseLogo } from '../../connectors/kit/logo.ts';
import { changeLogo } from '../../src/domain/applications/applications.ts';
import { findApplication } from '../../src/domain/applications/store.ts';
import { byOperator } from '../../src/domain/audit/by.ts';
import { png } from '../logos/files.ts';
import { collectRequests } from '../support/browser.ts';
import { type HostPageOptions, startWidgetFixture, type WidgetFixture } from './hostPage.ts';
import { refusingConnector } from './refusingConnector.ts';
import { pairwiseVariants, type ScreenTest, startScreenTest } from './screenTest.ts';

const [strictBank] = refusingConnector.institutions;
const colored = (id: string, color: string) => ({ ...strictBank!, id, name: 'Amber Bank', color });
const institutions = [colored('light-bank', '#f2b705'), colored('dark-bank', '#0b2b6f')];

let fixture: WidgetFixture;
beforeAll(async () => {
  fixture = await startWidgetFixture({ connectors: [{ ...refusingConnector, institutions }] });
});
afterAll(() => fixture.close());

const openConsent = async (options: HostPageOptions): Promise<ScreenTest> => {
  const screen = await startScreenTest(fixture, pairwiseVariants[0]!, options);
  await screen.host.open();
  return screen;
};

/** The sign-in form of an institution. */
const openForm = async (options: HostPageOptions): Promise<ScreenTest> => {
  const screen = await openConsent(options);
  await screen.proceed();
  return screen;
};

const addApplicationWithLogo = async () => {
  const { db } = fixture.service.service;
  const origins = [fixture.site.origin];
  const { id } = await fixture.service.addApplication({ environment: 'production', origins });
  const application = (await findApplication(db.read, id))!;
  const by = byOperator(application.organizationId, new Date());
  return changeLogo(db, application, parseLogo(png), by);
};

test('the logo covers the initials only once it is loaded, and nothing moves; the bank’s help opens a separate page', async () => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const before = async (page: Parameters<NonNullable<HostPageOptions['before']>>[0]): Promise<void> => {
    await page.route('**/logos/*', async (route) => {
      await answered;
      await route.continue();
    });
  };
  const { host, t, heading, proceed, checkLayout } = await openForm({
    institutionId: 'sandbox-bank',
    before,
  });
  const requests = collectRequests(host.page);
  await heading(t.credentials.title('Sandbox Bank'));
  const avatar = host.widget.locator('.avatar');
  const image = avatar.locator('img');
  expect(await avatar.textContent()).toBe('SB');
  expect(await image.isVisible()).toBe(false);
  const box = await avatar.boundingBox();
  answer();
  await image.and(host.widget.locator(':visible')).waitFor();
  expect(await image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBe(128);
  expect(await image.getAttribute('alt')).toBe('');
  expect([await avatar.boundingBox(), await image.boundingBox()]).toEqual([box, box]);
  requests.expectOnlyTo(fixture.service.url, fixture.site.origin);
  // The bank's help is next to it.
  const link = host.widget.getByRole('link', { name: t.credentials.help('Sandbox Bank') });
  expect(await link.getAttribute('href')).toBe('https://example.com/sandbox-bank/help');
  expect(await link.getAttribute('target')).toBe('_blank');
  expect(await link.getAttribute('rel')).toBe('noreferrer');
  await checkLayout(t.credentials.title('Sandbox Bank'));

  await host.page.unroute('**/logos/*');
  await host.page.route('**/logos/*', (route) => route.abort());
  await host.reload();
  await host.open();
  await proceed();
  await heading(t.credentials.title('Sandbox Bank'));
  await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.complete)).toBe(true);
  expect(await image.isVisible()).toBe(false);
  expect(await avatar.textContent()).toBe('SB');
});

test('consent shows the logo of the application, and a bank without a logo has initials on its color', async () => {
  const application = await addApplicationWithLogo();
  const options = { applicationId: application.id, institutionId: 'light-bank' };
  const { host, t, proceed, checkScreen, consentTitle } = await openConsent(options);
  const image = host.widget.locator('.avatar img');
  await image.and(host.widget.locator(':visible')).waitFor();
  expect(await image.getAttribute('src')).toBe(`/logos/${application.logoHash}`);
  await checkScreen(consentTitle);
  for (const [institutionId, back, text] of [
    ['light-bank', 'rgb(242, 183, 5)', 'rgb(0, 0, 0)'],
    ['dark-bank', 'rgb(11, 43, 111)', 'rgb(255, 255, 255)'],
  ] as const) {
    await host.reload({ institutionId });
    await host.open();
    await proceed();
    await checkScreen(t.credentials.title('Amber Bank'));
    const style = await host.widget.locator('.avatar').evaluate((element) => {
      const { backgroundColor, color } = getComputedStyle(element);
      return [backgroundColor, color];
    });
    expect(style).toEqual([back, text]);
  }
});
