// SimpleFIN accesses: the empty page, the list with its search and pages, revoking by keyboard, and what viewers see.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { claimAccessUrl, createSetupToken, readSet, statusWith } from '../simplefin/fixture.ts';
import { expectNoAxeViolations } from '../support/browser.ts';
import { hostOrigin, link } from '../support/testService.ts';
import {
  acceptFirstOwner,
  acceptInvitation,
  alertDialog,
  button,
  createApiKey,
  createApplication,
  type DashboardFixture,
  type DashboardPage,
  expectNoErrors,
  invite,
  navigateTo,
  openDashboard,
  startDashboard,
  tabTo,
} from './fixture.ts';

let fixture: DashboardFixture;
let dashboard: DashboardPage;
let applicationId: string;
let apiKey: string;
let accessUrl: string;
beforeAll(async () => {
  fixture = await startDashboard();
  dashboard = await openDashboard(fixture);
  await acceptFirstOwner(dashboard.page, fixture);
  applicationId = await createApplication(dashboard.page, { name: 'Budget app', origin: hostOrigin });
  apiKey = await createApiKey(dashboard.page, 'Backend');
});
afterAll(async () => {
  await dashboard.close();
  await fixture.close();
});
afterEach(() => expectNoErrors(dashboard));

const row = (name: RegExp) =>
  dashboard.page.getByRole('table', { name: 'Accesses' }).getByRole('row', { name });

const linkUser = async (externalUserId?: string): Promise<string> => {
  const application = { id: applicationId, apiKey, keyId: '' };
  const { scopedToken } = await link({ url: fixture.url, application }, { externalUserId });
  return scopedToken!;
};

const createAccess = (scopedToken: string, label: string, postedOnly = false): Promise<string> =>
  createSetupToken({ url: fixture.url, apiKey, scopedToken }, { label, allAccounts: true, postedOnly });

test('without accesses the page says how one is created', async () => {
  const { page } = dashboard;
  await navigateTo(page, 'SimpleFIN');
  await page.getByText('Your backend creates an access with POST /simplefin/accesses').waitFor();
  await expectNoAxeViolations(page);
});

test('accesses are listed with state and last use, and are found by the complete user id', async () => {
  const { page } = dashboard;
  const setupToken = await createAccess(await linkUser('user-1207'), 'Actual Budget', true);
  accessUrl = await claimAccessUrl(setupToken);
  await readSet(accessUrl);
  const anonymousToken = await linkUser();
  for (let at = 0; at < 25; at++) await createAccess(anonymousToken, 'Sheet');
  await page.reload();
  await row(/Sheet.*Anonymous user.*Unclaimed.*Never/)
    .first()
    .waitFor();
  await expect.poll(() => row(/sfa_/).count()).toBe(25);
  await page.getByLabel('User', { exact: true }).fill('user-1207');
  await row(/Actual Budget.*user-1207.*Active.*Posted only(?!.*Never)/).waitFor();
  await expect.poll(() => row(/sfa_/).count()).toBe(1);
  await page.getByLabel('User', { exact: true }).fill('user-12');
  await page.getByText('No access belongs to a user with this exact id.').waitFor();
  await expectNoAxeViolations(page);
  await button(page, 'Show all').click();
  await expect.poll(() => row(/sfa_/).count()).toBe(25);
});

test('a viewer sees them, and cannot revoke them', async () => {
  const invitation = await invite(dashboard.page, { email: 'view@northwind.example', role: 'Viewer' });
  const viewer = await openDashboard(fixture);
  const { page } = viewer;
  await acceptInvitation(page, { link: invitation, name: 'Vera' });
  await page.goto(page.url().replace(/overview.*/, `simplefin?application=${applicationId}`));
  await page.getByRole('row', { name: /Sheet/ }).first().waitFor();
  expect(await page.getByRole('button', { name: /^Revoke/ }).count()).toBe(0);
  await expectNoAxeViolations(page);
  expectNoErrors(viewer);
  await viewer.close();
});

test('an access is revoked by keyboard after a confirmation, and its application cannot read any more', async () => {
  const { page } = dashboard;
  const { keyboard } = page;
  await navigateTo(page, 'SimpleFIN');
  await button(page, 'Next').click();
  await row(/Actual Budget/).waitFor();
  await tabTo(page, /^Revoke Actual Budget$/);
  await keyboard.press('Enter');
  const question = alertDialog(page, 'Revoke “Actual Budget”?');
  await question.getByText('Actual Budget can no longer read this user’s accounts.').waitFor();
  await question.getByText('It was last used').waitFor();
  await expectNoAxeViolations(page);
  await tabTo(page, /^Revoke access$/);
  await keyboard.press('Enter');
  await question.waitFor({ state: 'detached' });
  // The page before, because it was the only one on its page.
  await expect.poll(() => row(/Sheet/).count()).toBe(25);
  expect(await statusWith(accessUrl)).toBe(403);
  await expect.poll(() => button(page, 'Next').count()).toBe(0);
});
