// A link with the keyboard alone. docs/keyboard/widget.txt has the keys and the accessibility trees.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordKeyboard } from '../support/keyboardRecord.ts';
import { openHostPage, startWidgetFixture, type WidgetFixture } from './hostPage.ts';

let fixture: WidgetFixture;
beforeAll(async () => {
  fixture = await startWidgetFixture();
});
afterAll(() => fixture.close());

test('a user connects a bank that asks for a code', async () => {
  const host = await openHostPage(fixture);
  const { page, widget } = host;
  const record = recordKeyboard(page, widget, 'Connecting a bank by the keyboard alone');
  const card = widget.locator('body');
  const heading = (name: string) => widget.getByRole('heading', { name, exact: true }).waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await widget.getByRole('button', { name: 'Agree and continue' }).waitFor();
  await record.tree('Consent', card);
  await record.press('button', 'Agree and continue');
  await widget.getByRole('listbox').waitFor();
  await record.tree('Your bank', card);
  await record.keys('ArrowDown', 'Enter');
  await widget.getByLabel('Username', { exact: true }).waitFor();
  await record.tree('Sign-in', card);
  await record.type('Username', 'otp');
  await record.type('Password', 'password');
  await record.press('button', 'Sign in');
  await widget.getByLabel('Code sent by text', { exact: true }).waitFor();
  await record.tree('Code', card);
  await record.type('Code sent by text', '123456');
  await record.press('button', 'Verify');
  await heading('Choose accounts to share');
  await record.tree('Accounts', card);
  await record.check('checkbox', /Everyday Checking/);
  await record.check('checkbox', /Savings/);
  await record.press('button', 'Share 2 accounts');
  await heading('Your bank is connected');
  await record.tree('Connected', card);
  await record.press('button', 'Done');
  await host.expectEvents('onInit', 'onSuccess');
  expect(host.consoleErrors).toEqual([]);
  await expect(record.text()).toMatchFileSnapshot('../../docs/keyboard/widget.txt');
});
