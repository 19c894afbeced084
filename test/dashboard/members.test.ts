// Members: invitation, what each role sees, password reset, removal, sessions.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  acceptFirstOwner,
  acceptInvitation,
  alertDialog,
  button,
  copySecret,
  type DashboardFixture,
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
  startDashboard,
} from './fixture.ts';

let fixture: DashboardFixture;
let owner: DashboardPage;
let member: DashboardPage;
beforeAll(async () => {
  fixture = await startDashboard();
  owner = await openDashboard(fixture);
  member = await openDashboard(fixture);
  await acceptFirstOwner(owner.page, fixture);
});
afterAll(async () => {
  await owner.close();
  await member.close();
  await fixture.close();
});
afterEach(() => {
  expectNoErrors(owner);
  expectNoErrors(member);
});

const email = 'lin@northwind.example';
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
  const link = await invite(owner.page, { email, role: 'Viewer' });
  await acceptInvitation(member.page, { link, name: 'Lin Zhao' });
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
  await navigateTo(member.page, 'Applications');
  await expect.poll(() => button(member.page, 'New application').count()).toBe(0);
  await member.page
    .getByRole('link', { name: /Northwind Budget/ })
    .first()
    .click();
  await member.page.getByRole('heading', { name: 'Allowed origins' }).waitFor();
  await expect.poll(() => button(member.page, 'Change').count()).toBe(0);
  await expect.poll(() => member.page.getByRole('switch').count()).toBe(0);
  await member.page.getByRole('link', { name: 'API keys' }).click();
  await member.page.getByRole('table', { name: 'API keys' }).waitFor();
  await expect.poll(() => button(member.page, 'New API key').count()).toBe(0);
  await navigateTo(member.page, 'Members');
  await expect.poll(() => button(member.page, 'Invite a member').count()).toBe(0);
  await navigateTo(member.page, 'Sandbox tools');
  await member.page.getByRole('table', { name: 'Test users' }).waitFor();
  await expect.poll(() => button(member.page, 'a day').count()).toBe(0);
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
  const link = await copySecret(page, 'Reset link');
  await member.page.goto(link);
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
  const second = await openDashboard(fixture);
  await second.page.goto('/dashboard');
  await signIn(second.page, { email: 'ada@northwind.example', password });
  await heading(second.page, 'Overview').waitFor();
  await owner.page.goto('/dashboard/account');
  await button(owner.page, 'End all other sessions').click();
  await button(owner.page, 'End all other sessions').waitFor({ state: 'detached' });
  await second.page.reload();
  await heading(second.page, 'Sign in').waitFor();
  await second.close();
});
