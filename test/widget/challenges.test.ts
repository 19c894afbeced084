// At a challenge, users can also request a new code, choose another method, and see the bank's texts in their own language.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { de } from '../../widget/page/texts/de.ts';
import { startWidgetFixture, type WidgetFixture } from './hostPage.ts';
import { openSignIn, press, proceed } from './widgetSteps.ts';

let fixture: WidgetFixture;
beforeAll(async () => {
  fixture = await startWidgetFixture();
});
afterAll(() => fixture.close());

test('a code is sent by a method that the user chooses, can be resent after a pause, and is typed with digits', async () => {
  const host = await openSignIn(fixture, { language: 'de' });
  const { widget } = host;
  const codeField = (from: string) => widget.getByLabel(`Code aus der ${from}`);
  await widget.getByLabel('Benutzername').fill('choose');
  await widget.getByLabel('Passwort').fill('password');
  await proceed(widget);
  await widget.getByLabel('E-Mail an s•••@example.com').check();
  await proceed(widget);
  await codeField('E-Mail an s•••@example.com').waitFor();
  await press(widget, 'Andere Methode wählen');
  await widget.getByLabel('SMS an •••55').check();
  await proceed(widget);
  const field = codeField('SMS an •••55');
  await field.waitFor();
  expect(await field.getAttribute('inputmode')).toBe('numeric');
  const { challenge } = de;
  const wait = [1, 2, 3].map(challenge.resendIn).join('|');
  expect(await widget.getByRole('button', { name: new RegExp(`^(${wait})$`) }).isDisabled()).toBe(true);

  await field.fill('12 34');
  await proceed(widget);
  await widget.getByRole('alert').getByText(challenge.digits(6, 6)).waitFor();
  // Waits until the button can be pressed.
  await press(widget, challenge.resend);
  await widget.getByRole('status').getByText(challenge.resent).waitFor();
  await field.fill(' 123 456 ');
  await proceed(widget);
  await widget.getByRole('heading', { name: de.accounts.title }).waitFor();
  expect(host.consoleErrors).toEqual([]);
});
