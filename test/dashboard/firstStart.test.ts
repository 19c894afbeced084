// From the first start to a connection in the list and a revoked API key, in a browser and without the command line.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { expectNoAxeViolations } from '../support/browser.ts';
import { hostOrigin, link } from '../support/testService.ts';
import {
  acceptFirstOwner,
  alertDialog,
  button,
  createApiKey,
  createApplication,
  type DashboardFixture,
  type DashboardPage,
  expectNoErrors,
  focusedName,
  heading,
  modal,
  navigateTo,
  openDashboard,
  password,
  signIn,
  startDashboard,
  statusWith,
  waitForInputFocus,
} from './fixture.ts';

let fixture: DashboardFixture;
let dashboard: DashboardPage;
/** Another person, in another browser. */
let visitor: DashboardPage;
beforeAll(async () => {
  fixture = await startDashboard();
  dashboard = await openDashboard(fixture);
  visitor = await openDashboard(fixture);
});
afterAll(async () => {
  await dashboard.close();
  await visitor.close();
  await fixture.close();
});
afterEach(() => {
  expectNoErrors(dashboard);
  expectNoErrors(visitor);
});

const created = { applicationId: '', apiKey: '', connectionId: '' };

test('before there are members, the page explains where to find the link', async () => {
  const { page } = dashboard;
  await page.goto('/dashboard');
  await heading(page, 'Welcome').waitFor();
  await page.getByText('one-time link for the first owner to the terminal').waitFor();
  expect(await page.getByLabel('Password').count()).toBe(0);
});

test('the link from the terminal creates the first owner, works once, and is removed from the URL', async () => {
  const { page } = dashboard;
  await page.goto(fixture.server.firstOwner!);
  await heading(page, 'Create the owner account').waitFor();
  await acceptFirstOwner(page, fixture);
  await expect.poll(() => page.url()).not.toContain('#');
  await visitor.page.goto(fixture.server.firstOwner!);
  await heading(visitor.page, 'This link no longer works').waitFor();
});

test('an application is created, and its API key is shown once', async () => {
  const { page } = dashboard;
  created.applicationId = await createApplication(page, { name: 'Budget app', origin: hostOrigin });
  created.apiKey = await createApiKey(page, 'Backend, Frankfurt');
  expect(created.apiKey).toMatch(/^ey/);
  await page.reload();
  await page.getByRole('cell', { name: /^Backend, Frankfurt/ }).waitFor();
  expect(await page.content()).not.toContain(created.apiKey);
});

test('the first page of a new browser is at most 110 kB, to sign in and then for the overview', async () => {
  const { page } = visitor;
  const network = await page.context().newCDPSession(page);
  let bytes = 0;
  network.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  await network.send('Network.enable');
  await network.send('Network.setCacheDisabled', { cacheDisabled: true });
  await page.goto('/dashboard');
  await signIn(page, { email: 'ada@northwind.example', password });
  await heading(page, 'Overview').waitFor();
  await page.getByText('No bank is connected yet.').waitFor();
  await page.waitForLoadState('networkidle');
  expect(bytes).toBeGreaterThan(50_000);
  expect(bytes).toBeLessThanOrEqual(110_000);
  await network.detach();
});

test('at a name other than that in BASE_URL, the sign-in links to the right address', async () => {
  const { page } = visitor;
  const refused = page.getByRole('alert').getByText(`This page must be opened at ${fixture.url}.`);
  await page.goto(`${fixture.url.replace('localhost', '127.0.0.1')}/dashboard`);
  await signIn(page, { email: 'ada@northwind.example', password });
  await refused.waitFor();
  await page.reload();
  await button(page, 'Sign in with a passkey').click();
  await refused.waitFor();
});

test('a menu opens, moves and closes with the keyboard', async () => {
  const { page } = dashboard;
  const trigger = page.getByRole('button', { name: /^Your account/ });
  await trigger.focus();
  for (const [key, focused] of [
    ['ArrowUp', 'Sign out'],
    ['ArrowDown', 'Your account'],
    ['d', 'Dark'],
    ['Home', 'Your account'],
    ['End', 'Sign out'],
  ] as const) {
    await page.keyboard.press(key);
    expect(await focusedName(page)).toBe(focused);
  }
  await page.keyboard.press('Escape');
  await expect.poll(() => trigger.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.press('Enter');
  expect(await focusedName(page)).toBe('Your account');
  await page.mouse.click(900, 700);
  await expect.poll(() => page.getByRole('menu').count()).toBe(0);
});

test('a dialog closes on Escape and on a press outside, and the focus returns', async () => {
  const { page } = dashboard;
  const opener = button(page, 'New API key');
  const dialog = modal(page, 'New API key');
  for (const close of [() => page.keyboard.press('Escape'), () => page.mouse.click(5, 5)]) {
    await opener.click();
    await dialog.waitFor();
    await waitForInputFocus(page);
    await close();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => opener.evaluate((element) => element === document.activeElement)).toBe(true);
  }
});

test('the code samples contain the application’s id', async () => {
  const { page } = dashboard;
  await page.getByRole('link', { name: 'Code', exact: true }).click();
  const sample = page.getByRole('region', { name: 'HTML sample' });
  await sample.waitFor();
  await expect.poll(() => sample.innerText()).toContain(`applicationId: '${created.applicationId}'`);
  expect(await sample.innerText()).toContain(`${fixture.url}/connect.js`);
  await page.getByRole('tab', { name: 'HTML' }).focus();
  await page.keyboard.press('ArrowRight');
  const other = page.getByRole('region', { name: 'React sample' });
  await expect.poll(() => other.innerText()).toContain(created.applicationId);
});

test('the overview has the first steps until the backend has read a connection', async () => {
  const { page } = dashboard;
  const doneSteps = () => page.getByRole('listitem').filter({ has: page.getByRole('img', { name: 'Done' }) });
  await navigateTo(page, 'Overview');
  await page.getByText('No bank is connected yet.').waitFor();
  expect(await doneSteps().allInnerTexts()).toEqual([
    'Add your page’s address to the allowed origins.',
    'Create an API key for your backend.',
  ]);
  const application = { id: created.applicationId, apiKey: created.apiKey, keyId: '' };
  const linked = await link({ url: fixture.url, application }, { externalUserId: 'user-1207' });
  created.connectionId = linked.connectionId;
  await page.reload();
  await page.getByText('your backend has not sent a request yet').waitFor();
  expect(await doneSteps().count()).toBe(4);
  await expectNoAxeViolations(page);
  expect(await statusWith(fixture, created.apiKey, created.connectionId)).toBe(200);
  await expect
    .poll(async () => {
      await page.reload();
      await page.getByText('Active connections').waitFor();
      return page.getByText('Set up Budget app').count();
    })
    .toBe(0);
});

test('a linked connection is in the list, is found by user id, and shows its history', async () => {
  const { page } = dashboard;
  await navigateTo(page, 'Connections');
  await page.getByLabel('User or connection').fill('user-12');
  await page.getByRole('link', { name: 'user-1207' }).click();
  await heading(page, /user-1207/).waitFor();
  await page.getByText('Linked', { exact: true }).first().waitFor();
  await page.getByText('are not shown here, because they are encrypted').waitFor();
  const body = await page.locator('main').innerText();
  expect(body).not.toMatch(/Everyday Checking|\d+\.\d\d/);
});

test('a refresh from the page is in the history', async () => {
  const { page } = dashboard;
  await button(page, 'Refresh now').click();
  await page.getByText('Refresh requested from this dashboard').waitFor();
  await page
    .getByText(/^Refreshed/)
    .first()
    .waitFor();
});

test('a connection shows withdrawn transactions and doubted readings of its bank', async () => {
  const { page } = dashboard;
  const { db } = fixture.server.service;
  await db.write('connections').update({ withdrawnTransactions: 2, doubtedReadings: 1 });
  await page.reload();
  await page.getByText('The bank has withdrawn 2 posted transactions.').waitFor();
  await page
    .getByText('One response from the bank left out more than half of the posted transactions')
    .waitFor();
  await expectNoAxeViolations(page);
});

test('a revoked API key is refused with the next request', async () => {
  const { page } = dashboard;
  await navigateTo(page, 'Applications');
  await page.getByRole('link', { name: 'Budget app' }).click();
  await page.getByRole('link', { name: 'API keys' }).click();
  await button(page, 'Revoke Backend, Frankfurt').click();
  await button(alertDialog(page, 'Revoke “Backend, Frankfurt”?'), 'Revoke key').click();
  await page.getByRole('cell', { name: /^Revoked/ }).waitFor();
  expect(await statusWith(fixture, created.apiKey, created.connectionId)).toBe(401);
});

test('the audit log contains these actions, and so does its CSV', async () => {
  const { page } = dashboard;
  await navigateTo(page, 'Audit log');
  const log = page.getByRole('table', { name: 'Audit log' });
  for (const action of ['Created an application', 'Created an API key', 'Revoked an API key']) {
    // The first start also created an application and API keys.
    await log.getByText(action).first().waitFor();
  }
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export as CSV' }).click(),
  ]);
  const chunks: Buffer[] = [];
  for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer);
  expect(Buffer.concat(chunks).toString()).toContain('api_key_revoked');
});
