// Passkeys, with an authenticator that the browser simulates: added behind the password, then enough by itself.
import { afterAll, beforeAll, test } from 'vitest';
import {
  acceptFirstOwner,
  alertDialog,
  button,
  type DashboardFixture,
  type DashboardPage,
  expectNoErrors,
  heading,
  modal,
  openDashboard,
  password,
  signOut,
  startDashboard,
} from './fixture.ts';

let stage: DashboardFixture;
let visitor: DashboardPage;
beforeAll(async () => {
  stage = await startDashboard();
  visitor = await openDashboard(stage);
  const devtools = await visitor.page.context().newCDPSession(visitor.page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await acceptFirstOwner(visitor.page, stage);
});
afterAll(async () => {
  await visitor.close();
  await stage.close();
});

const begin = async (typed: string) => {
  const { page } = visitor;
  await button(page, 'Add a passkey').click();
  const form = modal(page, 'Add a passkey');
  await form.getByLabel('Name').fill('Laptop');
  await form.getByLabel('Your password').fill(typed);
  await button(form, 'Continue').click();
  return form;
};

test('a passkey is not added without the password', async () => {
  await visitor.page.goto('/dashboard/account');
  const form = await begin('not the password at all');
  await form.getByText('This is not your present password.').waitFor();
  await button(form, 'Cancel').click();
});

test('with the password it is added, and signs in by itself', async () => {
  const { page } = visitor;
  await begin(password);
  await page.getByRole('table', { name: 'Passkeys' }).getByText('Laptop').waitFor();
  await signOut(page);
  await button(page, 'Sign in with a passkey').click();
  await heading(page, 'Overview').waitFor();
  await page.goto('/dashboard/account');
  await page.getByRole('table', { name: 'Sessions' }).getByText('Passkey').waitFor();
  expectNoErrors(visitor);
});

test('a passkey that was removed opens nothing any more', async () => {
  const { page } = visitor;
  await button(page, 'Remove Laptop').click();
  await button(alertDialog(page, 'Remove “Laptop”?'), 'Remove the passkey').click();
  await page.getByText('No passkey yet').waitFor();
  await signOut(page);
  await button(page, 'Sign in with a passkey').click();
  await page.getByRole('alert').waitFor();
  await page.getByLabel('Password').waitFor();
});
