// The sandbox's tools: the table of users, the clock, and a file of one's own entries.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { hostOrigin, link } from '../support/testService.ts';
import {
  acceptFirstOwner,
  alertDialog,
  button,
  createApplication,
  type DashboardFixture,
  type DashboardPage,
  expectNoErrors,
  navigateTo,
  openDashboard,
  startDashboard,
} from './fixture.ts';

let stage: DashboardFixture;
let visitor: DashboardPage;
let applicationId: string;
beforeAll(async () => {
  stage = await startDashboard();
  visitor = await openDashboard(stage);
  await acceptFirstOwner(visitor.page, stage);
  applicationId = await createApplication(visitor.page, { name: 'Budget app', origin: hostOrigin });
  await navigateTo(visitor.page, 'Sandbox tools');
});
afterAll(async () => {
  await visitor.close();
  await stage.close();
});
afterEach(() => expectNoErrors(visitor));

const header = 'login,account,date,transaction,amount,balance,description,reference\n';
const file = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
const uploadFile = (chosen: ReturnType<typeof file>) =>
  visitor.page.locator('input[type=file]').setInputFiles(chosen);

test('every test user is there, with what to type', async () => {
  const table = visitor.page.getByRole('table', { name: 'Test users' });
  await table.getByRole('row', { name: /^otp/ }).getByText('123456').waitFor();
  await expect.poll(() => table.getByRole('row').count()).toBeGreaterThan(15);
});

test('a file is loaded with its progress, and its login can be linked', async () => {
  const { page } = visitor;
  const rows = Array.from({ length: 3000 }, (_, row) => {
    const day = new Date(Date.UTC(2024, 0, 1 + (row % 300))).toISOString().slice(0, 10);
    return `mine,Everyday,${day},t${row},-1.00,${10_000 - row}.00,Coffee,R${row}`;
  });
  await uploadFile(file('entries.csv', header + rows.join('\n')));
  await page.getByText('Loaded 3,000 rows: 1 login with 1 account.').waitFor();
  const application = { id: applicationId, apiKey: '', keyId: '' };
  const linked = await link({ url: stage.url, application }, { username: 'mine', externalUserId: 'user-1' });
  expect(linked.accounts).toHaveLength(1);
});

test('what is wrong with a file is told with its line', async () => {
  const { page } = visitor;
  await uploadFile(file('broken.csv', `${header}mine,Everyday,no date,t1,-1.00,1.00,Coffee,R1\n`));
  await page
    .getByRole('alert')
    .getByText(/line 2/i)
    .waitFor();
});

test('the clock is moved forward after a question, and says how far ahead it is', async () => {
  const { page } = visitor;
  await button(page, 'a day').click();
  await button(alertDialog(page, 'Move the clock forward by a day?'), 'Move the clock').click();
  await page.getByText('The clock has moved forward by a day.').waitFor();
  await page.getByText('1 day', { exact: true }).waitFor();
});

test('a list says how long ago by the sandbox’s own clock', async () => {
  const { page } = visitor;
  await navigateTo(page, 'Connections');
  const row = page.getByRole('row', { name: /user-1/ });
  await row.waitFor();
  await expect
    .poll(async () => (await row.innerText()).match(/yesterday|hours ago|just now/)?.[0])
    .toBeTruthy();
  await expect.poll(() => row.getByText('yesterday').count()).toBeGreaterThan(0);
});
