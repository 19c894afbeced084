// Link sessions: the empty page, how far users come, the table by bank, and the list with its filters, by keyboard.
import { expect, test } from 'vitest';
import { expectNoAxeViolations } from '../support/browser.ts';
import { driveToEnd, link, openLinkSession } from '../support/testService.ts';
import { heading, selectOption, tabTo, useOwnerDashboard } from './fixture.ts';

const owner = useOwnerDashboard();

const row = (table: string, name: RegExp) =>
  owner.page.getByRole('table', { name: table }).getByRole('row', { name });
const step = (text: RegExp) => owner.page.getByRole('list', { name: 'How far users get' }).getByText(text);

test('a page without link sessions says when there will be some', async () => {
  const { page } = owner;
  await owner.open('link-sessions');
  await page.getByText('No link sessions yet').waitFor();
  await page.getByText('Nobody has opened the widget in this period.').waitFor();
  await page.getByText('Nobody has selected a bank in this period.').waitFor();
  await expectNoAxeViolations(page);
});

test('the page shows how far users come, what became of them by bank, and each session', async () => {
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

test('a failed request can be repeated', async () => {
  const { page } = owner;
  const failing = /\/api\/.*link-session/;
  await page.route(
    (url) => failing.test(url.pathname),
    (route) => route.fulfill({ status: 400, contentType: 'application/problem+json', body: '{}' }),
  );
  await page.reload();
  const retries = page.getByRole('button', { name: 'Try again' });
  await expect.poll(() => retries.count()).toBe(2);
  await expectNoAxeViolations(page);
  await page.unrouteAll();
  for (const left of [1, 0]) {
    await retries.first().click();
    await expect.poll(() => retries.count()).toBe(left);
  }
  await row('Link sessions', /Import finished/).waitFor();
});

test('a connection with the same accounts as another names it, and leads there', async () => {
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
