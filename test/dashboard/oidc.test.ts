// Sign-in at the company's OpenID provider in a real browser, with the provider's own pages.

import { afterAll, expect, test } from 'vitest';
import { byOperator } from '../../src/domain/audit/by.ts';
import { invite } from '../../src/domain/members/invitations.ts';
import { clientId, clientSecret, startOidcProvider } from '../http/dashboard/oidcProvider.ts';
import { expectNoAxeViolations } from '../support/browser.ts';
import {
  button,
  type DashboardPage,
  expectNoErrors,
  heading,
  openDashboard,
  useOwnerDashboard,
} from './fixture.ts';

let provider: Awaited<ReturnType<typeof startOidcProvider>>;
// Closed after the service, which has connections to it.
afterAll(() => provider.close());
const owner = useOwnerDashboard(async (url) => {
  provider = await startOidcProvider(url);
  return { OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret };
});

/** Presses the button, then signs in and consents at the provider. */
const signInAs = async ({ page }: DashboardPage, login: string): Promise<void> => {
  // The provider's pages load a font from another host; tests make no such requests.
  const allowed = [owner.url, provider.issuer];
  const isForeign = (url: URL) => !allowed.includes(url.origin);
  await page.context().route(isForeign, (route) => route.fulfill({ contentType: 'text/css', body: '' }));
  await page.goto('/dashboard/sign-in');
  await button(page, 'Sign in with your company account').click();
  await page.waitForURL((url) => url.origin === provider.issuer);
  await page.locator('input[name=login]').fill(login);
  await page.locator('input[name=password]').fill('any');
  await page.locator('button[type=submit]').click();
  await page.getByRole('button', { name: 'Continue' }).click();
};

test('only an invited company account can sign in', async () => {
  const by = byOperator(owner.organizationId, new Date());
  await invite(owner.server.service.members, { email: 'lin@example.com', role: 'developer' }, by);

  const lin = await openDashboard(owner);
  await signInAs(lin, 'lin');
  await heading(lin.page, 'Overview').waitFor();
  await lin.page.goto('/dashboard/account');
  await lin.page.getByRole('cell', { name: /Company account/ }).waitFor();
  await lin.page.reload();
  await heading(lin.page, 'Your account').waitFor();
  expectNoErrors(lin);
  await lin.close();

  const uninvited = await openDashboard(owner);
  await signInAs(uninvited, 'uninvited');
  await uninvited.page.getByText('This account was not invited.').waitFor();
  expect(new URL(uninvited.page.url()).origin).toBe(owner.url);
  await expectNoAxeViolations(uninvited.page);
  await uninvited.page.goto('/dashboard');
  await heading(uninvited.page, 'Sign in').waitFor();
  expectNoErrors(uninvited);
});
