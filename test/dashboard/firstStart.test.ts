// From the first start to a connection in the list and a key that is dead, in a browser and without the command line.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
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
  heading,
  navigateTo,
  openDashboard,
  startDashboard,
  statusWith,
} from './fixture.ts';

let stage: DashboardFixture;
let visitor: DashboardPage;
beforeAll(async () => {
  stage = await startDashboard();
  visitor = await openDashboard(stage);
});
afterAll(async () => {
  await visitor.close();
  await stage.close();
});
afterEach(() => expectNoErrors(visitor));

const created = { applicationId: '', apiKey: '', connectionId: '' };

test('before there is anybody, the page says where the link is', async () => {
  const { page } = visitor;
  await page.goto('/dashboard');
  await heading(page, 'Welcome').waitFor();
  await page.getByText('one-time link for its first owner in the terminal').waitFor();
  expect(await page.getByLabel('Password').count()).toBe(0);
});

test('the link from the terminal makes the first owner, once, and leaves the address', async () => {
  const { page } = visitor;
  await acceptFirstOwner(page, stage);
  await expect.poll(() => page.url()).not.toContain('#');
  const other = await openDashboard(stage);
  await other.page.goto(stage.serving.firstOwner!);
  await heading(other.page, 'This link no longer works').waitFor();
  expectNoErrors(other);
  await other.close();
});

test('an application is made, and its key is shown once', async () => {
  const { page } = visitor;
  created.applicationId = await createApplication(page, { name: 'Budget app', origin: hostOrigin });
  created.apiKey = await createApiKey(page, 'Backend, Frankfurt');
  expect(created.apiKey).toMatch(/^ey/);
  await page.reload();
  await page.getByRole('cell', { name: /^Backend, Frankfurt/ }).waitFor();
  expect(await page.content()).not.toContain(created.apiKey);
});

test('the code has the application’s id in it', async () => {
  const { page } = visitor;
  await page.getByRole('link', { name: 'Code', exact: true }).click();
  const sample = page.getByRole('region', { name: 'HTML sample' });
  await sample.waitFor();
  await expect.poll(() => sample.innerText()).toContain(`applicationId: '${created.applicationId}'`);
  expect(await sample.innerText()).toContain(`${stage.url}/connect.js`);
  await page.getByRole('tab', { name: 'React' }).click();
  const other = page.getByRole('region', { name: 'React sample' });
  await expect.poll(() => other.innerText()).toContain(created.applicationId);
});

test('a connection that a user linked is in the list, found by the user, and opens with its history', async () => {
  const { page } = visitor;
  const application = { id: created.applicationId, apiKey: created.apiKey, keyId: '' };
  const linked = await link({ url: stage.url, application }, { externalUserId: 'user-1207' });
  created.connectionId = linked.connectionId;
  expect(await statusWith(stage, created.apiKey, created.connectionId)).toBe(200);
  await navigateTo(page, 'Connections');
  await page.getByLabel('User or connection').fill('user-12');
  await page.getByRole('link', { name: 'user-1207' }).click();
  await heading(page, /user-1207/).waitFor();
  await page.getByText('Linked', { exact: true }).first().waitFor();
  await page.getByText('this service cannot read them').waitFor();
  const body = await page.locator('main').innerText();
  expect(body).not.toMatch(/Everyday Checking|\d+\.\d\d/);
});

test('refreshed from the page, the history says so', async () => {
  const { page } = visitor;
  await button(page, 'Refresh now').click();
  await page.getByText('Refresh asked for from this dashboard').waitFor();
  await page
    .getByText(/^Refreshed/)
    .first()
    .waitFor();
});

test('with its credentials broken it needs its user, in words', async () => {
  const { page } = visitor;
  await button(page, 'Break credentials').click();
  await button(alertDialog(page, 'Break the credentials?'), 'Break them').click();
  await page.getByText('Credentials broken with the sandbox tool').waitFor();
  await button(page, 'Refresh now').click();
  await page.getByText('The user must reconnect.').waitFor({ timeout: 30_000 });
  const status = page.getByRole('status').getByText('The bank refuses the credentials.');
  await expect.poll(() => status.count()).toBe(1);
  await expect.poll(() => button(page, 'Refresh now').count()).toBe(0);
});

test('a revoked key is refused at the next call', async () => {
  const { page } = visitor;
  await navigateTo(page, 'Applications');
  await page.getByRole('link', { name: 'Budget app' }).click();
  await page.getByRole('link', { name: 'Access keys' }).click();
  await button(page, 'Revoke Backend, Frankfurt').click();
  await button(alertDialog(page, 'Revoke “Backend, Frankfurt”?'), 'Revoke the key').click();
  await page.getByRole('cell', { name: /^Revoked/ }).waitFor();
  expect(await statusWith(stage, created.apiKey, created.connectionId)).toBe(401);
});

test('a revoked connection is over, and what one could do to it is gone', async () => {
  const { page } = visitor;
  await navigateTo(page, 'Connections');
  await page.getByRole('link', { name: 'user-1207' }).click();
  await button(page, 'Revoke').click();
  await button(alertDialog(page, 'Revoke this connection?'), 'Revoke the connection').click();
  await heading(page, /Revoked/).waitFor();
  await expect.poll(() => button(page, 'Revoke').count()).toBe(0);
  await expect.poll(() => page.getByText('Revoked from this dashboard').count()).toBe(1);
});

test('the audit log tells who did all this', async () => {
  const { page } = visitor;
  await navigateTo(page, 'Audit log');
  const log = page.getByRole('table', { name: 'Audit log' });
  for (const action of ['Created an application', 'Created an access key', 'Revoked an access key']) {
    await log.getByText(action).waitFor();
  }
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export as CSV' }).click(),
  ]);
  const chunks: Buffer[] = [];
  for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer);
  expect(Buffer.concat(chunks).toString()).toContain('api_key_revoked');
});
