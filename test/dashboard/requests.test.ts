// The log of requests: the empty page, a request that appears by itself, and the search for its id by keyboard.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { expectNoAxeViolations } from '../support/browser.ts';
import { hostOrigin } from '../support/testService.ts';
import {
  acceptFirstOwner,
  acceptInvitation,
  createApiKey,
  createApplication,
  type DashboardFixture,
  type DashboardPage,
  expectNoErrors,
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
let apiKey: string;
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
  dashboard.page.getByRole('table', { name: 'Requests' }).getByRole('row', { name });

/** Returns the request's id. */
const send = async (path: string, method = 'GET'): Promise<string> => {
  const headers = { Authorization: `Bearer ${apiKey}` };
  const response = await fetch(`${fixture.url}${path}`, { method, headers });
  return response.headers.get('Request-Id')!;
};

test('a request appears by itself, and is found by its id', async () => {
  const { page } = dashboard;
  await navigateTo(page, 'Requests');
  await page.getByText('Requests from your backend appear within seconds.').waitFor();
  await page.getByText('the newest 1,000 successful requests').waitFor();
  await expectNoAxeViolations(page);

  const missing = await send('/connections/con_0000000000000000000000', 'DELETE');
  await send('/connections');
  await row(/revokeConnection.*404.*not_found.*None.*Backend/).waitFor();
  await row(/listConnections.*403.*forbidden/).waitFor();
  await expectNoAxeViolations(page);

  await tabTo(page, /^Request id$/);
  await page.keyboard.type(missing);
  await expect.poll(() => row(/\d{3}/).count()).toBe(1);
  await row(/revokeConnection/).waitFor();
  await selectOption(page, 'Operation', 'listAccounts');
  await page.getByText('No matching requests').waitFor();
  await expectNoAxeViolations(page);
  await tabTo(page, /^Show all$/);
  await page.keyboard.press('Enter');
  await selectOption(page, 'Result', 'Refused (4xx)');
  await expect.poll(() => row(/Backend/).count()).toBe(2);
});

test('a viewer sees the same, and a failed request can be repeated', async () => {
  const invitation = await invite(dashboard.page, { email: 'view@northwind.example', role: 'Viewer' });
  const viewer = await openDashboard(fixture);
  const { page } = viewer;
  await acceptInvitation(page, { link: invitation, name: 'Vera' });
  await page.route(
    (url) => url.pathname.endsWith('/requests') && url.pathname.includes('/api/'),
    (route) => route.fulfill({ status: 400, contentType: 'application/problem+json', body: '{}' }),
  );
  await page.goto(page.url().replace(/overview.*/, `requests?application=${applicationId}`));
  const retry = page.getByRole('button', { name: 'Try again' });
  await retry.waitFor();
  await expectNoAxeViolations(page);
  await page.unrouteAll();
  await retry.click();
  await page.getByRole('row', { name: /revokeConnection/ }).waitFor();
  await viewer.close();
});
