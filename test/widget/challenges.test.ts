// What a user can do at a challenge besides answering: have a code sent again, choose another way, and see the texts of the
// bank in their own language.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWidgetFixture, type WidgetFixture } from './hostPage.ts';
import { answer, openSignIn, press, proceed, signIn } from './widgetSteps.ts';

let fixture: WidgetFixture;
beforeAll(async () => {
  fixture = await startWidgetFixture();
});
afterAll(() => fixture.close());

test.concurrent('a code can be sent again after a pause, and is typed with digits', async () => {
  const host = await openSignIn(fixture);
  const { widget } = host;
  await signIn(widget, 'otp');
  const field = widget.getByLabel('Code sent by text');
  await field.waitFor();
  expect(await field.getAttribute('inputmode')).toBe('numeric');
  expect(await widget.getByRole('button', { name: /^Send again in [1-3] s$/ }).isDisabled()).toBe(true);

  await answer(widget, 'Code sent', '12 34');
  await widget.getByRole('alert').getByText('Enter all 6 digits.').waitFor();
  // Waits until the button can be pressed.
  await press(widget, 'Send again');
  await widget.getByRole('status').getByText('Sent again.').waitFor();
  await answer(widget, 'Code sent', ' 123 456 ');
  await widget.getByRole('heading', { name: 'Choose accounts to share' }).waitFor();
  expect(host.consoleErrors).toEqual([]);
  await host.close();
});

test.concurrent('another way leads back to the choice, in the language of the user', async () => {
  const host = await openSignIn(fixture, { language: 'de' });
  const { widget } = host;
  await widget.getByLabel('Benutzername').fill('choose');
  await widget.getByLabel('Passwort').fill('password');
  await proceed(widget);
  await widget.getByLabel('E-Mail an s•••@example.com').check();
  await proceed(widget);
  await widget.getByLabel('Code aus der E-Mail an s•••@example.com').waitFor();
  await press(widget, 'Andere Methode wählen');
  await widget.getByLabel('SMS an •••55').check();
  await proceed(widget);
  await widget.getByLabel('Code aus der SMS an •••55').fill('123456');
  await proceed(widget);
  await widget.getByRole('checkbox').first().waitFor();
  await host.close();
});
