// Passkeys with a virtual authenticator: adding one needs the password, then it signs in alone.
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

let fixture: DashboardFixture;
let dashboard: DashboardPage;
beforeAll(async () => {
  fixture = await startDashboard();
  dashboard = await openDashboard(fixture);
  const devtools = await dashboard.page.context().newCDPSession(dashboard.page);
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
  await acceptFirstOwner(dashboard.page, fixture);
});
afterAll(async () => {
  await dashboard.close();
  await fixture.close();
});

const startAdding = async (enteredPassword: string) => {
  const { page } = dashboard;
  await button(page, 'Add a passkey').click();
  const form = modal(page, 'Add a passkey');
  await form.getByLabel('Name').fill('Laptop');
  await form.getByLabel('Your password').fill(enteredPassword);
  await button(form, 'Continue').click();
  return form;
};

test('a passkey cannot be added without the password', async () => {
  await dashboard.page.goto('/dashboard/account');
  const form = await startAdding('not the password at all');
  await form.getByText('This is not your current password.').waitFor();
  await button(form, 'Cancel').click();
});

test('with the password it is added, and then signs in alone', async () => {
  const { page } = dashboard;
  await startAdding(password);
  await page.getByRole('table', { name: 'Passkeys' }).getByText('Laptop').waitFor();
  await signOut(page);
  await button(page, 'Sign in with a passkey').click();
  await heading(page, 'Overview').waitFor();
  await page.goto('/dashboard/account');
  await page.getByRole('table', { name: 'Sessions' }).getByText('Passkey').waitFor();
  expectNoErrors(dashboard);
});

test('a removed passkey can no longer sign in', async () => {
  const { page } = dashboard;
  await button(page, 'Remove Laptop').click();
  await button(alertDialog(page, 'Remove “Laptop”?'), 'Remove the passkey').click();
  await page.getByText('No passkey yet').waitFor();
  await signOut(page);
  await button(page, 'Sign in with a passkey').click();
  await page.getByRole('alert').waitFor();
  await page.getByLabel('Password').waitFor();
});
