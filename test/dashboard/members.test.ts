// Members: invitation, the permissions of each role, password reset, removal, sessions.
import type { Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { link } from '../support/testService.ts';
import {
  acceptInvitation,
  alertDialog,
  button,
  copySecret,
  type DashboardPage,
  expectNoErrors,
  heading,
  invite,
  modal,
  navigateTo,
  openDashboard,
  password,
  signIn,
  signOut,
  statusWith,
  useOwnerDashboard,
} from './fixture.ts';
import { createSampleAccesses } from './sampleAccesses.ts';
import { insertSampleWebhooks } from './sampleWebhooks.ts';

const owner = useOwnerDashboard();
let member: DashboardPage;
beforeAll(async () => {
  const { application, server, url } = owner;
  const { connectionId, scopedToken } = await link(owner);
  const target = { applicationId: application.id, connectionIds: [connectionId] };
  await insertSampleWebhooks(server.service, target);
  await createSampleAccesses({ url, apiKey: application.apiKey, scopedTokens: [scopedToken!] });
  await statusWith(owner, application.apiKey, connectionId);
  member = await openDashboard(owner);
});
afterEach(() => expectNoErrors(member));
afterAll(() => member.close());

const email = 'lin@northwind.example';
/** The actions of owners and developers on these pages. */
const viewersMiss = /^(New|Add|Change|Invite|Send|Rotate|Delete|Enable|Replay|Revoke|a day)/;
const navigationItems = async () =>
  member.page.getByRole('navigation', { name: 'Organization' }).getByRole('link').allInnerTexts();
const changeRole = async (role: string) => {
  const { page } = owner;
  await page.reload();
  await button(page, 'Change Lin Zhao').click();
  await page.getByRole('menuitem', { name: 'Change role' }).click();
  const form = modal(page, 'Change Lin Zhao’s role');
  await form.getByRole('radio', { name: role }).check({ force: true });
  await button(form, 'Change role').click();
  await form.waitFor({ state: 'detached' });
};

test('an invited viewer sees the pages without any action', async () => {
  await owner.open('members');
  const invitation = await invite(owner.page, { email, role: 'Viewer' });
  await acceptInvitation(member.page, { link: invitation, name: 'Lin Zhao' });
  await expect
    .poll(navigationItems)
    .toEqual([
      'Overview',
      'Connections',
      'Link sessions',
      'Requests',
      'Webhooks',
      'SimpleFIN',
      'Applications',
      'Sandbox tools',
      'Members',
    ]);
  const { page } = member;
  for (const [name, row] of [
    ['Link sessions', /Connected/],
    ['Requests', /getConnection/],
  ] as const) {
    await navigateTo(page, name);
    await page.getByRole('table', { name }).getByRole('row', { name: row }).first().waitFor();
  }
  const actions = page
    .locator('main')
    .getByRole('button', { name: viewersMiss })
    .or(page.getByRole('switch'));
  const expectNoActions = async (shown: Locator) => {
    await shown.first().waitFor();
    expect(await actions.allInnerTexts()).toEqual([]);
  };
  await navigateTo(page, 'Webhooks');
  await expectNoActions(page.getByRole('link', { name: 'https://ledger.example/webhooks' }));
  await page.getByRole('link', { name: 'https://ledger.example/webhooks' }).click();
  await expectNoActions(page.getByRole('table', { name: 'Deliveries' }).getByRole('row', { name: /Failed/ }));
  await navigateTo(page, 'SimpleFIN');
  await expectNoActions(page.getByRole('row', { name: /Actual Budget/ }));
  await navigateTo(page, 'Applications');
  await expectNoActions(page.getByRole('link', { name: /Northwind Budget/ }));
  await page
    .getByRole('link', { name: /Northwind Budget/ })
    .first()
    .click();
  await expectNoActions(page.getByRole('heading', { name: 'Allowed origins' }));
  await page.getByRole('link', { name: 'API keys' }).click();
  await expectNoActions(page.getByRole('table', { name: 'API keys' }));
  await navigateTo(page, 'Members');
  await expectNoActions(page.getByRole('row', { name: /Ada Olsen/ }));
  await navigateTo(page, 'Sandbox tools');
  await expectNoActions(page.getByRole('table', { name: 'Test users' }));
});

test('a path that the role may not see is not found', async () => {
  await member.page.goto(member.page.url().replace('/sandbox', '/audit'));
  await member.page.getByText('Page not found').waitFor();
});

test('a developer may change applications but not members', async () => {
  await changeRole('Developer');
  await member.page.reload();
  await navigateTo(member.page, 'Applications');
  await button(member.page, 'New application').waitFor();
  await navigateTo(member.page, 'Members');
  await expect.poll(() => button(member.page, 'Invite a member').count()).toBe(0);
  await expect.poll(navigationItems).toContain('Members');
  expect(await navigationItems()).not.toContain('Audit log');
});

test('the last owner can neither change their role nor leave', async () => {
  await navigateTo(owner.page, 'Members');
  await button(owner.page, 'Change Lin Zhao').waitFor();
  await expect.poll(() => button(owner.page, 'Change Ada Olsen').count()).toBe(0);
});

test('a wrong password is refused without saying which part was wrong', async () => {
  await signOut(member.page);
  await signIn(member.page, { email, password: 'not the password at all' });
  await member.page.getByRole('alert').getByText('Wrong email or password.').waitFor();
});

test('an owner sets the company that users see in the consent', async () => {
  const { page } = owner;
  await navigateTo(page, 'Members');
  const name = page.getByLabel('Company name');
  const privacy = page.getByLabel('Privacy policy');
  await name.fill('Northwind Ltd');
  await privacy.fill('http://northwind.example');
  await button(page, 'Save company').click();
  await expect.poll(() => privacy.evaluate((input: HTMLInputElement) => input.validity.valid)).toBe(false);
  await privacy.fill('https://northwind.example/privacy');
  await button(page, 'Save company').click();
  await expect.poll(() => button(page, 'Save company').isDisabled()).toBe(true);
  await page.reload();
  await expect.poll(() => name.inputValue()).toBe('Northwind Ltd');
  expect(await privacy.inputValue()).toBe('https://northwind.example/privacy');
});

test('an owner creates a reset link, which sets a new password', async () => {
  const { page } = owner;
  await button(page, 'Change Lin Zhao').click();
  await page.getByRole('menuitem', { name: 'Create a reset link' }).click();
  await button(alertDialog(page, 'Create a reset link for Lin Zhao?'), 'Create link').click();
  await member.page.goto(await copySecret(page, 'Reset link'));
  await member.page.getByLabel('New password').fill('another battery staple');
  await button(member.page, 'Set password').click();
  await member.page.getByRole('link', { name: 'Sign in' }).click();
  await signIn(member.page, { email, password: 'another battery staple' });
  await heading(member.page, 'Overview').waitFor();
  expect(password).not.toBe('another battery staple');
});

test('a removed member loses access with their next request', async () => {
  const { page } = owner;
  await navigateTo(page, 'Members');
  await button(page, 'Change Lin Zhao').click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await button(alertDialog(page, 'Remove Lin Zhao?'), 'Remove').click();
  await page.getByRole('cell', { name: /^Lin Zhao/ }).waitFor({ state: 'detached' });
  await member.page.reload();
  await heading(member.page, 'No organization').waitFor();
});

test('other sessions can be ended', async () => {
  const second = await openDashboard(owner);
  await second.page.goto('/dashboard');
  await signIn(second.page, { email: 'ada@northwind.example', password });
  await heading(second.page, 'Overview').waitFor();
  await owner.page.goto('/dashboard/account');
  await button(owner.page, 'End all other sessions').click();
  await button(owner.page, 'End all other sessions').waitFor({ state: 'detached' });
  await second.page.reload();
  await heading(second.page, 'Sign in').waitFor();
});
