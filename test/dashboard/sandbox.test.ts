// The sandbox tools: test users, clock, and upload of a file with transactions.
import { expect, test } from 'vitest';
import { link } from '../support/testService.ts';
import { alertDialog, button, navigateTo, useOwnerDashboard } from './fixture.ts';

const owner = useOwnerDashboard();

const header = 'login,account,date,transaction,amount,balance,description,reference\n';
const file = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
const uploadFile = (selected: ReturnType<typeof file>) =>
  owner.page.locator('input[type=file]').setInputFiles(selected);

test('every test user is listed with the input', async () => {
  await owner.open('sandbox');
  const table = owner.page.getByRole('table', { name: 'Test users' });
  await table.getByRole('row', { name: /^otp/ }).getByText('123456').waitFor();
  await expect.poll(() => table.getByRole('row').count()).toBeGreaterThan(15);
});

test('a file is uploaded, and its login can be linked', async () => {
  const { page } = owner;
  const rows = Array.from({ length: 3000 }, (_, row) => {
    const day = new Date(Date.UTC(2024, 0, 1 + (row % 300))).toISOString().slice(0, 10);
    return `mine,Everyday,${day},t${row},-1.00,${10_000 - row}.00,Coffee,R${row}`;
  });
  await uploadFile(file('transactions.csv', header + rows.join('\n')));
  await page.getByText('Loaded 3,000 rows: 1 login with 1 account.').waitFor();
  const linked = await link(owner, { username: 'mine', externalUserId: 'user-1' });
  expect(linked.accounts).toHaveLength(1);
});

test('an invalid file is reported with its line', async () => {
  const { page } = owner;
  await uploadFile(file('broken.csv', `${header}mine,Everyday,no date,t1,-1.00,1.00,Coffee,R1\n`));
  await page
    .getByRole('alert')
    .getByText(/line 2/i)
    .waitFor();
});

test('the clock is advanced after a confirmation, and shows how far ahead it is', async () => {
  const { page } = owner;
  await button(page, 'a day').click();
  await button(alertDialog(page, 'Advance the clock by a day?'), 'Advance clock').click();
  await page.getByText('The clock was advanced by a day.').waitFor();
  await page.getByText('1 day', { exact: true }).waitFor();
});

test('relative times use the sandbox’s clock', async () => {
  const { page } = owner;
  await navigateTo(page, 'Connections');
  const row = page.getByRole('row', { name: /user-1/ });
  await row.waitFor();
  await expect
    .poll(async () => (await row.innerText()).match(/yesterday|hours ago|just now/)?.[0])
    .toBeTruthy();
  await expect.poll(() => row.getByText('yesterday').count()).toBeGreaterThan(0);
});
