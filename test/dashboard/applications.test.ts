// What an application allows, changed from the page: origins, signed users, native use, its name; and the key that
// expires.
import { operatorActor } from '../../src/audit/store.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createOrganization } from '../../src/applications/createApplication.ts';
import { invite as inviteAsOperator } from '../../src/members/invitations.ts';
import {
  acceptFirstOwner,
  alertDialog,
  button,
  copySecret,
  createApplication,
  type DashboardFixture,
  type DashboardPage,
  expectNoErrors,
  heading,
  modal,
  navigateTo,
  openDashboard,
  selectOption,
  startDashboard,
} from './fixture.ts';

let stage: DashboardFixture;
let visitor: DashboardPage;
beforeAll(async () => {
  stage = await startDashboard();
  visitor = await openDashboard(stage);
  await acceptFirstOwner(visitor.page, stage);
  await createApplication(visitor.page, { name: 'Budget app', origin: 'https://shop.example' });
  await visitor.page.getByRole('link', { name: 'Settings' }).click();
});
afterAll(async () => {
  await visitor.close();
  await stage.close();
});
afterEach(() => expectNoErrors(visitor));

const origins = () => visitor.page.getByRole('region', { name: 'Allowed origins' });

test('origins are changed as lines; the address of a page counts as its origin', async () => {
  const { page } = visitor;
  await button(page, 'Change').click();
  await page
    .getByLabel('Origins, one on each line')
    .fill('https://shop.example\nhttps://pay.example/cart?x=1');
  await button(page, 'Save').click();
  await origins().getByText('https://pay.example', { exact: true }).waitFor();
  expect(await origins().getByRole('listitem').allInnerTexts()).toEqual([
    'https://shop.example',
    'https://pay.example',
  ]);
});

test('what is no origin is told at the field, and nothing is sent', async () => {
  const { page } = visitor;
  await button(page, 'Change').click();
  await page.getByLabel('Origins, one on each line').fill('shop example');
  await button(page, 'Save').click();
  await page.getByText('“shop” is not an origin.').waitFor();
  await button(page, 'Cancel').click();
  await expect.poll(() => origins().getByRole('listitem').count()).toBe(2);
});

test('a signature can be required once there is a secret, which is shown once', async () => {
  const { page } = visitor;
  const required = page.getByRole('switch', { name: /^Refuse an external user id/ });
  expect(await required.isDisabled()).toBe(true);
  await button(page, 'Make a secret').click();
  const secret = await copySecret(page, 'Your signing secret');
  expect(secret).toMatch(/^[\w-]{43}$/);
  await expect.poll(() => required.isEnabled()).toBe(true);
  await required.click({ force: true });
  await expect.poll(() => required.isChecked()).toBe(true);
  await expect.poll(() => required.isEnabled()).toBe(true);
  await page.reload();
  await expect.poll(() => required.isChecked()).toBe(true);
  expect(await page.content()).not.toContain(secret);
});

test('another secret is asked about first, because the present one stops', async () => {
  const { page } = visitor;
  await button(page, 'Replace the secret').click();
  await button(alertDialog(page, 'Replace the signing secret?'), 'Replace the secret').click();
  expect(await copySecret(page, 'Your signing secret')).toMatch(/^[\w-]{43}$/);
});

test('native use is allowed by a switch', async () => {
  const { page } = visitor;
  const native = page.getByRole('switch', { name: 'Native applications may open the widget' });
  await native.click({ force: true });
  await expect.poll(() => native.isChecked()).toBe(true);
  await expect.poll(() => native.isEnabled()).toBe(true);
  await page.reload();
  await expect.poll(() => native.isChecked()).toBe(true);
});

test('it is renamed, and stays in the Sandbox', async () => {
  const { page } = visitor;
  await button(page, 'Rename').click();
  const form = modal(page, 'Rename the application');
  await form.getByLabel('Name').fill('Money app');
  await button(form, 'Rename').click();
  await heading(page, /Money app/).waitFor();
  await expect.poll(() => page.getByText('Sandbox, fixed for good').count()).toBe(1);
});

test('a key can end by itself', async () => {
  const { page } = visitor;
  await page.getByRole('link', { name: 'Access keys' }).click();
  await button(page, 'New access key').click();
  const form = modal(page, 'New access key');
  await form.getByLabel('Name').fill('For a month');
  await form.getByRole('button', { name: /Expires$/ }).click();
  await page.getByRole('option', { name: 'In 30 days' }).click();
  await button(form, 'Create access key').click();
  await copySecret(page, 'Your access key');
  const row = page.getByRole('row', { name: /For a month/ });
  await expect.poll(() => row.locator('time').count()).toBe(2);
});

test('who belongs to two organizations goes from one to the other, and sees only what is there', async () => {
  const { page } = visitor;
  const { service } = stage.serving;
  const other = await createOrganization(service.db, { name: 'Harbour Labs', now: new Date() });
  const { url } = await inviteAsOperator(service.members, {
    organizationId: other.id,
    email: 'ada@northwind.example',
    role: 'viewer',
    actor: operatorActor,
  });
  await page.goto(url);
  await button(page, 'Accept and continue').click();
  await page.getByText('No application yet').waitFor();
  await expect.poll(() => button(page, 'Create an application').count()).toBe(0);
  await page.getByRole('button', { name: /^Organization:/ }).click();
  await page.getByRole('menuitem', { name: 'Demo organization' }).click();
  await navigateTo(page, 'Applications');
  await page.getByRole('link', { name: 'Money app' }).waitFor();
  await page.goto(page.url().replace(/org_\w+/, 'org_0000000000000000000000'));
  await page.getByText('There is nothing at this address').waitFor();
});

test('dark is chosen by hand, and kept', async () => {
  const { page } = visitor;
  await page.goto('/dashboard');
  await page.getByRole('button', { name: /^Your account/ }).click();
  await page.getByRole('menuitemradio', { name: 'Dark' }).click();
  const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  await expect.poll(ground).toBe('rgb(15, 18, 23)');
  await page.reload();
  await heading(page, 'Overview').waitFor();
  await expect.poll(ground).toBe('rgb(15, 18, 23)');
});

test('a list is filtered by choosing', async () => {
  const { page } = visitor;
  await navigateTo(page, 'Audit log');
  await selectOption(page, 'Action', 'Renamed an application');
  const rows = page.getByRole('table', { name: 'Audit log' }).getByRole('row');
  await expect.poll(() => rows.count()).toBe(2);
  await selectOption(page, 'Action', 'Ended a session');
  await page.getByText('Nothing was done that fits these filters.').waitFor();
  await button(page, 'Show all').click();
  await expect.poll(() => rows.count()).toBeGreaterThan(5);
});
