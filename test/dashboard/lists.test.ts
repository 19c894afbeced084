// The pages with lists, empty and with filters, by keyboard: requests, link sessions and SimpleFIN accesses.
import { expect, test } from 'vitest';
import { claimAccessUrl, createSetupToken, readSet, statusWith } from '../simplefin/fixture.ts';
import { expectNoAxeViolations } from '../support/browser.ts';
import { driveToEnd, link, openLinkSession } from '../support/testService.ts';
import { alertDialog, button, heading, selectOption, tabTo, useOwnerDashboard } from './fixture.ts';

const owner = useOwnerDashboard();

const row = (table: string, name: RegExp) =>
  owner.page.getByRole('table', { name: table }).getByRole('row', { name });
const step = (text: RegExp) => owner.page.getByRole('list', { name: 'How far users get' }).getByText(text);

/** Returns the request's id. */
const send = async (path: string, method = 'GET'): Promise<string> => {
  const headers = { Authorization: `Bearer ${owner.application.apiKey}` };
  const response = await fetch(`${owner.url}${path}`, { method, headers });
  return response.headers.get('Request-Id')!;
};

test('a request appears without a reload, and is found by its id', async () => {
  const { page } = owner;
  await owner.open('requests');
  await page.getByText('Requests from your backend appear within seconds.').waitFor();
  await page.getByText('the newest 1,000 successful requests').waitFor();
  await expectNoAxeViolations(page);

  const missing = await send('/connections/con_0000000000000000000000', 'DELETE');
  await send('/connections');
  await row('Requests', /revokeConnection.*404.*not_found.*None.*First key/).waitFor();
  await row('Requests', /listConnections.*403.*forbidden/).waitFor();
  await expectNoAxeViolations(page);

  await tabTo(page, /^Request id$/);
  await page.keyboard.type(missing);
  await expect.poll(() => row('Requests', /\d{3}/).count()).toBe(1);
  await row('Requests', /revokeConnection/).waitFor();
  await selectOption(page, 'Operation', 'listAccounts');
  await page.getByText('No matching requests').waitFor();
  await expectNoAxeViolations(page);
  await tabTo(page, /^Show all$/);
  await page.keyboard.press('Enter');
  await selectOption(page, 'Result', 'Refused (4xx)');
  await expect.poll(() => row('Requests', /First key/).count()).toBe(2);
});

test('a page without link sessions explains when there will be some', async () => {
  const { page } = owner;
  await owner.open('link-sessions');
  await page.getByText('No link sessions yet').waitFor();
  await page.getByText('Nobody has opened the widget in this period.').waitFor();
  await page.getByText('Nobody has selected a bank in this period.').waitFor();
  await expectNoAxeViolations(page);
});

test('the page shows the furthest steps of users, the outcomes by bank, and each session', async () => {
  const { page } = owner;
  const { connectionId } = await link(owner, { externalUserId: 'user-1207' });
  const locked = await openLinkSession(owner);
  await driveToEnd(locked, { username: 'locked' });
  await openLinkSession(owner);
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

test.each([
  ['requests', /\/management\/.*\/requests$/, 1, 'Requests', /revokeConnection/],
  ['link-sessions', /\/management\/.*link-session/, 2, 'Link sessions', /Import finished/],
] as const)(
  'where %s cannot be read, each failed request can be repeated',
  async (path, failing, count, table, shown) => {
    const { page } = owner;
    await page.route(
      (url) => failing.test(url.pathname),
      (route) => route.fulfill({ status: 400, contentType: 'application/problem+json', body: '{}' }),
    );
    await owner.open(path);
    const retries = page.getByRole('button', { name: 'Try again' });
    await expect.poll(() => retries.count()).toBe(count);
    await expectNoAxeViolations(page);
    await page.unrouteAll();
    for (let left = count - 1; left >= 0; left--) {
      await retries.first().click();
      await expect.poll(() => retries.count()).toBe(left);
    }
    await row(table, shown).waitFor();
  },
);

test('a connection with the same accounts as another links to it', async () => {
  const { page } = owner;
  const first = await link(owner, { externalUserId: 'twice' });
  const second = await link(owner, { externalUserId: 'twice' });
  const pathOf = (id: string) => `applications/${owner.application.id}/connections/${id}`;
  await owner.open(pathOf(second.connectionId));
  await page.getByText('Same accounts as').waitFor();
  await expectNoAxeViolations(page);
  await page.getByRole('link', { name: first.connectionId }).click();
  await page.waitForURL((url) => url.pathname.endsWith(pathOf(first.connectionId)));
  await heading(page, /twice/).waitFor();
  expect(await page.getByText('Same accounts as').count()).toBe(0);
});

let accessUrl: string;

const linkUser = async (externalUserId?: string): Promise<string> => {
  const { scopedToken } = await link(owner, { externalUserId });
  return scopedToken!;
};

const createSimplefinAccess = (scopedToken: string, label: string, postedOnly = false): Promise<string> => {
  const { apiKey } = owner.application;
  return createSetupToken({ url: owner.url, apiKey, scopedToken }, { label, allAccounts: true, postedOnly });
};

test('without accesses, the page explains how to create one', async () => {
  const { page } = owner;
  await owner.open('simplefin');
  await page.getByText('call POST /simplefin/accesses from your backend').waitFor();
  await expectNoAxeViolations(page);
});

test('accesses are listed with state and last use, and are found by the complete user id', async () => {
  const { page } = owner;
  const setupToken = await createSimplefinAccess(await linkUser('user-1311'), 'Actual Budget', true);
  accessUrl = await claimAccessUrl(setupToken);
  await readSet(accessUrl);
  const anonymousToken = await linkUser();
  for (let at = 0; at < 25; at++) await createSimplefinAccess(anonymousToken, 'Sheet');
  await page.reload();
  await row('Apps with access', /Sheet.*Anonymous user.*Unclaimed.*Never/)
    .first()
    .waitFor();
  await expect.poll(() => row('Apps with access', /sfa_/).count()).toBe(25);
  await page.getByLabel('User', { exact: true }).fill('user-1311');
  await row('Apps with access', /Actual Budget.*user-1311.*Active.*Posted only(?!.*Never)/).waitFor();
  await expect.poll(() => row('Apps with access', /sfa_/).count()).toBe(1);
  await page.getByLabel('User', { exact: true }).fill('user-13');
  await page.getByText('No app has access to a user with this exact id.').waitFor();
  await expectNoAxeViolations(page);
  await button(page, 'Show all').click();
  await expect.poll(() => row('Apps with access', /sfa_/).count()).toBe(25);
});

test('an access is revoked by keyboard after a confirmation, and its application can no longer read', async () => {
  const { page } = owner;
  const { keyboard } = page;
  await button(page, 'Next').click();
  await row('Apps with access', /Actual Budget/).waitFor();
  await tabTo(page, /^Revoke Actual Budget$/);
  await keyboard.press('Enter');
  const question = alertDialog(page, 'Revoke “Actual Budget”?');
  await question.getByText('Actual Budget can no longer read this user’s accounts.').waitFor();
  await question.getByText('It was last used').waitFor();
  await expectNoAxeViolations(page);
  await tabTo(page, /^Revoke access$/);
  await keyboard.press('Enter');
  await question.waitFor({ state: 'detached' });
  // Shows the previous page, because the item was the only one on its page.
  await expect.poll(() => row('Apps with access', /Sheet/).count()).toBe(25);
  expect(await statusWith(accessUrl)).toBe(403);
  await expect.poll(() => button(page, 'Next').count()).toBe(0);
});
