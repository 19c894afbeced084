// SimpleFIN accesses: the empty page, the list with its search and pages, revoking by keyboard, and what viewers see.
import { expect, test } from 'vitest';
import { claimAccessUrl, createSetupToken, readSet, statusWith } from '../simplefin/fixture.ts';
import { expectNoAxeViolations } from '../support/browser.ts';
import { link } from '../support/testService.ts';
import { alertDialog, button, tabTo, useOwnerDashboard } from './fixture.ts';

const owner = useOwnerDashboard();
let accessUrl: string;

const row = (name: RegExp) => owner.page.getByRole('table', { name: 'Accesses' }).getByRole('row', { name });

const linkUser = async (externalUserId?: string): Promise<string> => {
  const { scopedToken } = await link(owner, { externalUserId });
  return scopedToken!;
};

const createAccess = (scopedToken: string, label: string, postedOnly = false): Promise<string> => {
  const { apiKey } = owner.application;
  return createSetupToken({ url: owner.url, apiKey, scopedToken }, { label, allAccounts: true, postedOnly });
};

test('without accesses the page says how one is created', async () => {
  const { page } = owner;
  await owner.open('simplefin');
  await page.getByText('Your backend creates an access with POST /simplefin/accesses').waitFor();
  await expectNoAxeViolations(page);
});

test('accesses are listed with state and last use, and are found by the complete user id', async () => {
  const { page } = owner;
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

test('an access is revoked by keyboard after a confirmation, and its application cannot read any more', async () => {
  const { page } = owner;
  const { keyboard } = page;
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
