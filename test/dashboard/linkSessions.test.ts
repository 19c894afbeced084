// Link sessions: the empty page, how far users come, the table by bank, and the list with its filters, by keyboard.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { expectNoAxeViolations } from '../support/browser.ts';
import { driveToEnd, hostOrigin, link, openLinkSession } from '../support/testService.ts';
import {
  acceptFirstOwner,
  acceptInvitation,
  createApplication,
  type DashboardFixture,
  type DashboardPage,
  expectNoErrors,
  heading,
  invite,
  navigateTo,
  openDashboard,
  selectOption,
  startDashboard,
  tabTo,
} from './fixture.ts';

let fixture: DashboardFixture;
let dashboard: DashboardPage;
let applicationId: string;
beforeAll(async () => {
  fixture = await startDashboard();
  dashboard = await openDashboard(fixture);
  await acceptFirstOwner(dashboard.page, fixture);
  applicationId = await createApplication(dashboard.page, { name: 'Budget app', origin: hostOrigin });
});
afterAll(async () => {
  await dashboard.close();
  await fixture.close();
});
afterEach(() => expectNoErrors(dashboard));

const row = (table: string, name: RegExp) =>
  dashboard.page.getByRole('table', { name: table }).getByRole('row', { name });
const step = (text: RegExp) =>
  dashboard.page.getByRole('list', { name: 'How far users get' }).getByText(text);

test('a page without link sessions says when there will be some', async () => {
  const { page } = dashboard;
  await navigateTo(page, 'Link sessions');
  await page.getByText('No link sessions yet').waitFor();
  await page.getByText('Nobody has opened the widget in this period.').waitFor();
  await page.getByText('Nobody has selected a bank in this period.').waitFor();
  await expectNoAxeViolations(page);
});

test('the page shows how far users come, what became of them by bank, and each session', async () => {
  const { page } = dashboard;
  const target = { url: fixture.url, application: { id: applicationId, apiKey: '', keyId: '' } };
  const { connectionId } = await link(target, { externalUserId: 'user-1207' });
  const locked = await openLinkSession(target);
  await driveToEnd(locked, { username: 'locked' });
  await openLinkSession(target);
  await page.reload();
  await row('Link sessions', /First link .*Sandbox Bank.*Import finished.*Connected/).waitFor();
  await row('Link sessions', /Selected a bank.*Failed.*Locked by the bank/).waitFor();
  await row('Link sessions', /None.*Opened the widget.*Open/).waitFor();
  await row('By bank', /Sandbox Bank.*2.*50%.*1.*Locked by the bank/).waitFor();
  await step(/^3 · 100%$/).waitFor();
  await expect.poll(() => step(/^1 · 33\.3%$/).count()).toBe(4);
  await expectNoAxeViolations(page);
  await row('Link sessions', /Connected/)
    .getByRole('link', { name: connectionId.slice(-6) })
    .click();
  await heading(page, /user-1207/).waitFor();
  await page.goBack();

  await tabTo(page, /^Link session$/);
  await page.keyboard.type(locked.id);
  await expect.poll(() => row('Link sessions', /lks_/).count()).toBe(1);
  await row('Link sessions', /Locked by the bank/).waitFor();
  await tabTo(page, /^Outcome$/);
  await selectOption(page, 'Outcome', 'Connected');
  await page.getByText('No matching link sessions').waitFor();
  await expectNoAxeViolations(page);
  await tabTo(page, /^Show all$/);
  await page.keyboard.press('Enter');
  await expect.poll(() => row('Link sessions', /lks_/).count()).toBe(3);
});

test('a viewer sees the same, and a failed request can be repeated', async () => {
  const invitation = await invite(dashboard.page, { email: 'view@northwind.example', role: 'Viewer' });
  const viewer = await openDashboard(fixture);
  const { page } = viewer;
  await acceptInvitation(page, { link: invitation, name: 'Vera' });
  const failing = /link-session/;
  await page.route(
    (url) => failing.test(url.pathname) && url.pathname.includes('/api/'),
    (route) => route.fulfill({ status: 400, contentType: 'application/problem+json', body: '{}' }),
  );
  await page.goto(page.url().replace(/overview.*/, `link-sessions?application=${applicationId}`));
  const retries = page.getByRole('button', { name: 'Try again' });
  await expect.poll(() => retries.count()).toBe(2);
  await expectNoAxeViolations(page);
  await page.unrouteAll();
  for (const left of [1, 0]) {
    await retries.first().click();
    await expect.poll(() => retries.count()).toBe(left);
  }
  await page.getByRole('row', { name: /Import finished/ }).waitFor();
  await viewer.close();
});

test('a connection with the same accounts as another names it, and leads there', async () => {
  const { page } = dashboard;
  const target = { url: fixture.url, application: { id: applicationId, apiKey: '', keyId: '' } };
  const first = await link(target, { externalUserId: 'twice' });
  const second = await link(target, { externalUserId: 'twice' });
  const pathOf = (id: string) => `/applications/${applicationId}/connections/${id}`;
  await page.goto(page.url().replace(/(\/dashboard\/[^/]+)\/.*/, `$1${pathOf(second.connectionId)}`));
  await page.getByText('Same accounts as').waitFor();
  await expectNoAxeViolations(page);
  await page.getByRole('link', { name: first.connectionId }).click();
  await page.waitForURL((url) => url.pathname.endsWith(pathOf(first.connectionId)));
  await heading(page, /twice/).waitFor();
  expect(await page.getByText('Same accounts as').count()).toBe(0);
});
