// Passkeys with a virtual authenticator: adding one requires the password, but signing in does not. An owner can require them.
import { beforeAll, expect, test } from 'vitest';
import { expectNoAxeViolations } from '../support/browser.ts';
import {
  alertDialog,
  button,
  type DashboardPage,
  expectNoErrors,
  heading,
  modal,
  navigateTo,
  openAs,
  password,
  signIn,
  signOut,
  useOwnerDashboard,
} from './fixture.ts';

const owner = useOwnerDashboard();
beforeAll(() => addAuthenticator(owner));

const addAuthenticator = async ({ page }: DashboardPage): Promise<void> => {
  const devtools = await page.context().newCDPSession(page);
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
};

const startAdding = async (enteredPassword: string) => {
  const { page } = owner;
  await button(page, 'Add a passkey').click();
  const form = modal(page, 'Add a passkey');
  await form.getByLabel('Name').fill('Laptop');
  await form.getByLabel('Your password').fill(enteredPassword);
  await button(form, 'Continue').click();
  return form;
};

test('a passkey cannot be added without the password', async () => {
  await owner.page.goto('/dashboard/account');
  const form = await startAdding('not the password at all');
  await form.getByText('This is not your current password.').waitFor();
  await button(form, 'Cancel').click();
});

test('with the password it is added, and then signs in alone', async () => {
  const { page } = owner;
  await startAdding(password);
  await page.getByRole('table', { name: 'Passkeys' }).getByText('Laptop').waitFor();
  await signOut(page);
  await button(page, 'Sign in with a passkey').click();
  await heading(page, 'Overview').waitFor();
  await page.goto('/dashboard/account');
  await page.getByRole('table', { name: 'Sessions' }).getByText('Passkey').waitFor();
});

const requireSwitch = () => owner.page.getByRole('switch', { name: 'Require a passkey from all members' });

const changeRequirement = async (title: string): Promise<void> => {
  await navigateTo(owner.page, 'Members');
  await requireSwitch().click();
  await button(alertDialog(owner.page, title), 'Confirm with your passkey').click();
  await alertDialog(owner.page, title).waitFor({ state: 'detached' });
};

test('an owner requires passkeys, and a member adds one before anything else', async () => {
  const member = await openAs(owner, { name: 'Lin Zhao', email: 'lin@northwind.example', role: 'viewer' });
  await addAuthenticator(member);
  await member.page.goto('/dashboard');
  await heading(member.page, 'Overview').waitFor();
  await changeRequirement('Require passkeys?');
  await expect.poll(() => requireSwitch().isChecked()).toBe(true);
  await member.page.getByRole('link', { name: 'Connections', exact: true }).click();
  await heading(member.page, 'Add a passkey').waitFor();
  await expectNoAxeViolations(member.page);
  await member.page.getByLabel('Name').fill('Phone');
  await member.page.getByLabel('Your password').fill(password);
  await button(member.page, 'Continue').click();
  await heading(member.page, 'Connections').waitFor();
  expectNoErrors(member);
});

test('while it is required, a password leads to the passkey, and the last passkey stays', async () => {
  const { page } = owner;
  await signOut(page);
  await signIn(page, { email: 'ada@northwind.example', password });
  await heading(page, 'Use your passkey').waitFor();
  await expectNoAxeViolations(page);
  await button(page, 'Continue with your passkey').click();
  await heading(page, 'Overview').waitFor();
  await page.goto('/dashboard/account');
  await button(page, 'Remove Laptop').click();
  const question = alertDialog(page, 'Remove “Laptop”?');
  await button(question, 'Remove passkey').click();
  await question.getByText('Your organization requires a passkey').waitFor();
  await button(question, 'Cancel').click();
  await changeRequirement('No longer require passkeys?');
  await expect.poll(() => requireSwitch().isChecked()).toBe(false);
});

test('a removed passkey can no longer sign in', async () => {
  const { page } = owner;
  await page.goto('/dashboard/account');
  await button(page, 'Remove Laptop').click();
  await button(alertDialog(page, 'Remove “Laptop”?'), 'Remove passkey').click();
  await page.getByText('No passkey yet').waitFor();
  await signOut(page);
  await button(page, 'Sign in with a passkey').click();
  await page.getByRole('alert').waitFor();
  await page.getByLabel('Password').waitFor();
});
