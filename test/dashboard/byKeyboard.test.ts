// Eight tasks in the dashboard with the keyboard alone. docs/keyboard/dashboard.txt has the keys and the accessibility trees.
import { beforeAll, expect, test } from 'vitest';
import { type KeyboardRecord, recordKeyboard } from '../support/keyboardRecord.ts';
import { hostOrigin, link } from '../support/testService.ts';
import { heading, modal, password, useOwnerDashboard } from './fixture.ts';

const owner = useOwnerDashboard();
let record: KeyboardRecord;
beforeAll(async () => {
  await owner.page.context().clearCookies();
  record = recordKeyboard(owner.page, owner.page, 'The dashboard by the keyboard alone');
});

const main = () => owner.page.locator('main');
let application = { id: '', apiKey: '', keyId: '' };

test('a member signs in', async () => {
  const { page } = owner;
  await page.goto('/dashboard');
  await heading(page, 'Sign in').waitFor();
  await record.tree('Sign in', main());
  await record.type('Email', 'ada@northwind.example');
  await record.type('Password', password);
  await record.keys('Enter');
  await heading(page, 'Overview').waitFor();
});

test('an application is created', async () => {
  const { page } = owner;
  await record.press('link', 'Applications');
  await heading(page, 'Applications').waitFor();
  await record.press('button', 'New application');
  await record.tree('Create an application', modal(page, 'New application'));
  await record.type('Name', 'By keyboard');
  await record.type('Allowed origins (optional)', hostOrigin);
  await record.press('button', 'Create application');
  await heading(page, /By keyboard/).waitFor();
  application = { ...application, id: /\/applications\/(app_\w+)\//.exec(page.url())![1]! };
});

test('an API key is created, and copied from a dialog that only its button closes', async () => {
  const { page } = owner;
  await record.press('button', 'New API key');
  await record.tree('Create an API key', modal(page, 'New API key'));
  await record.type('Name', 'Backend');
  await record.press('button', 'Create API key');
  await record.tree('The API key, once', modal(page, 'Your API key'));
  await record.keys('Escape');
  application = {
    ...application,
    apiKey: await modal(page, 'Your API key').locator('.copyable code').innerText(),
  };
  await record.press('button', 'I’ve copied it');
  await page.getByRole('cell', { name: /^Backend/ }).waitFor();
});

test('a connection is found and revoked', async () => {
  const { page } = owner;
  await link({ url: owner.url, application }, { externalUserId: 'user-1207' });
  await record.press('link', 'Connections');
  await heading(page, 'Connections').waitFor();
  await record.type('User or connection', 'user-12');
  await record.tree('Find a connection', page.getByRole('table', { name: 'Connections' }));
  await record.press('link', 'user-1207');
  await heading(page, /user-1207/).waitFor();
  await record.press('button', 'Revoke');
  await record.tree('Revoke it', page.getByRole('alertdialog'));
  await record.press('button', 'Revoke connection');
  await heading(page, /Revoked/).waitFor();
});

test('a page and an application are found by the search', async () => {
  const { page } = owner;
  await record.keys('Control+k');
  const dialog = modal(page, 'Search');
  await record.type('Search term', 'keyb');
  await dialog.getByText('1 result').waitFor();
  await record.tree('Search', dialog);
  await record.keys('Enter');
  await heading(page, /By keyboard/).waitFor();
});

test('a member is invited, with a role', async () => {
  const { page } = owner;
  await record.press('link', 'Members');
  await heading(page, 'Members').waitFor();
  await record.press('button', 'Invite a member');
  await record.tree('Invite a member', modal(page, 'Invite a member'));
  await record.type('Email', 'lin@northwind.example');
  await record.keys('Tab', 'ArrowUp');
  await record.press('button', 'Create invitation link');
  await record.tree('The invitation, once', modal(page, 'Invitation link'));
  await record.press('button', 'I’ve copied it');
  await page.getByRole('row', { name: /lin@northwind\.example.*Viewer/ }).waitFor();
});

test('an organization token is created with scopes, and revoked', async () => {
  const { page } = owner;
  await record.press('link', 'Organization tokens');
  await heading(page, 'Organization tokens').waitFor();
  await record.press('button', 'New token');
  await record.tree('Create an organization token', modal(page, 'New organization token'));
  await record.type('Name', 'CI');
  await record.check('checkbox', /^Sandbox/);
  await record.press('button', 'Create token');
  await record.tree('The token, once', modal(page, 'Your organization token'));
  await record.press('button', 'I’ve copied it');
  await page.getByRole('row', { name: /CI .* Developer Read, Sandbox Active/ }).waitFor();
  await record.press('button', 'Revoke CI');
  await record.tree('Revoke it', page.getByRole('alertdialog'));
  await record.press('button', 'Revoke token');
  await page.getByRole('row', { name: /CI .* Revoked/ }).waitFor();
});

test('the theme is chosen in the menu, and the member signs out', async () => {
  const { page } = owner;
  await record.press('button', /^Your account/);
  await record.tree('The menu', page.getByRole('menu'));
  await record.keys('ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter');
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
  await record.press('button', /^Your account/);
  await record.keys('End', 'Enter');
  await heading(page, 'Sign in').waitFor();
  await expect(record.text()).toMatchFileSnapshot('../../docs/keyboard/dashboard.txt');
});
