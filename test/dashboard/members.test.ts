// Members: invited by a link, each shown what their role may do, and helped back in when the password is gone.
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

let stage: DashboardFixture;
let owner: DashboardPage;
let guest: DashboardPage;
beforeAll(async () => {
  stage = await startDashboard();
  owner = await openDashboard(stage);
  guest = await openDashboard(stage);
  await acceptFirstOwner(owner.page, stage);
});
afterAll(async () => {
  await owner.close();
  await guest.close();
  await stage.close();
});
afterEach(() => {
  expectNoErrors(owner);
  expectNoErrors(guest);
});

const email = 'lin@northwind.example';
const navigationItems = async () =>
  guest.page.getByRole('navigation', { name: 'Organization' }).getByRole('link').allInnerTexts();
const changeRole = async (role: string) => {
  const { page } = owner;
  await page.reload();
  await button(page, 'Change Lin Zhao').click();
  await page.getByRole('menuitem', { name: 'Change role' }).click();
  const form = modal(page, 'The role of Lin Zhao');
  await form.getByRole('radio', { name: role }).check({ force: true });
  await button(form, 'Change role').click();
  await form.waitFor({ state: 'detached' });
};

test('a viewer comes by a link, and sees without being offered to change', async () => {
  const link = await invite(owner.page, { email, role: 'Viewer' });
  await acceptInvitation(guest.page, { link, name: 'Lin Zhao' });
  await expect
    .poll(navigationItems)
    .toEqual(['Overview', 'Connections', 'Applications', 'Sandbox tools', 'Members']);
  await navigateTo(guest.page, 'Applications');
  await expect.poll(() => button(guest.page, 'New application').count()).toBe(0);
  await guest.page.getByRole('link', { name: /Demo/ }).first().click();
  await guest.page.getByRole('heading', { name: 'Allowed origins' }).waitFor();
  await expect.poll(() => button(guest.page, 'Change').count()).toBe(0);
  await expect.poll(() => guest.page.getByRole('switch').count()).toBe(0);
  await guest.page.getByRole('link', { name: 'Access keys' }).click();
  await guest.page.getByRole('table', { name: 'Access keys' }).waitFor();
  await expect.poll(() => button(guest.page, 'New access key').count()).toBe(0);
  await navigateTo(guest.page, 'Members');
  await expect.poll(() => button(guest.page, 'Invite a member').count()).toBe(0);
  await navigateTo(guest.page, 'Sandbox tools');
  await guest.page.getByRole('table', { name: 'Test users' }).waitFor();
  await expect.poll(() => button(guest.page, 'a day').count()).toBe(0);
});

test('an address that the role has no way to shows nothing', async () => {
  await guest.page.goto(guest.page.url().replace('/sandbox', '/audit'));
  await guest.page.getByText('There is nothing at this address').waitFor();
});

test('a developer may change applications, and no members', async () => {
  await changeRole('Developer');
  await guest.page.reload();
  await navigateTo(guest.page, 'Applications');
  await button(guest.page, 'New application').waitFor();
  await navigateTo(guest.page, 'Members');
  await expect.poll(() => button(guest.page, 'Invite a member').count()).toBe(0);
  await expect.poll(navigationItems).toContain('Members');
  expect(await navigationItems()).not.toContain('Audit log');
});

test('the last owner is offered neither another role nor the door', async () => {
  await navigateTo(owner.page, 'Members');
  await button(owner.page, 'Change Lin Zhao').waitFor();
  await expect.poll(() => button(owner.page, 'Change Ada Olsen').count()).toBe(0);
});

test('a wrong password is refused in words, without saying which part was wrong', async () => {
  await signOut(guest.page);
  await signIn(guest.page, { email, password: 'not the password at all' });
  await guest.page.getByRole('alert').getByText('This did not match.').waitFor();
});

test('an owner makes a reset link, by which a new password is chosen', async () => {
  const { page } = owner;
  await button(page, 'Change Lin Zhao').click();
  await page.getByRole('menuitem', { name: 'Make a reset link' }).click();
  await button(alertDialog(page, 'A reset link for Lin Zhao?'), 'Make the link').click();
  const link = await copySecret(page, 'The reset link');
  await guest.page.goto(link);
  await guest.page.getByLabel('New password').fill('another battery staple');
  await button(guest.page, 'Set the password').click();
  await guest.page.getByRole('link', { name: 'Sign in' }).click();
  await signIn(guest.page, { email, password: 'another battery staple' });
  await heading(guest.page, 'Overview').waitFor();
  expect(password).not.toBe('another battery staple');
});

test('who is removed is out at their next step', async () => {
  const { page } = owner;
  await navigateTo(page, 'Members');
  await button(page, 'Change Lin Zhao').click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await button(alertDialog(page, 'Remove Lin Zhao?'), 'Remove').click();
  await page.getByRole('cell', { name: /^Lin Zhao/ }).waitFor({ state: 'detached' });
  await guest.page.reload();
  await heading(guest.page, 'No organization').waitFor();
});

test('sessions are seen and ended', async () => {
  const second = await openDashboard(stage);
  await second.page.goto('/dashboard');
  await signIn(second.page, { email: 'ada@northwind.example', password });
  await heading(second.page, 'Overview').waitFor();
  await owner.page.goto('/dashboard/account');
  await button(owner.page, 'End all others').click();
  await button(owner.page, 'End all others').waitFor({ state: 'detached' });
  await second.page.reload();
  await heading(second.page, 'Sign in').waitFor();
  await second.close();
});
