// Signing in with the company's account in a real browser: from the button, over the provider's own pages, and back.
import { operatorActor } from '../../src/audit/store.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { invite } from '../../src/members/invitations.ts';
import { clientId, clientSecret, startOidcProvider } from '../http/dashboard/oidcProvider.ts';
import { expectNoAxeViolations } from '../support/browser.ts';
import {
  acceptFirstOwner,
  button,
  type DashboardFixture,
  type DashboardPage,
  expectNoErrors,
  heading,
  openDashboard,
  startDashboard,
} from './fixture.ts';

let provider: Awaited<ReturnType<typeof startOidcProvider>>;
let stage: DashboardFixture;
beforeAll(async () => {
  stage = await startDashboard(async (url) => {
    provider = await startOidcProvider(url);
    return { OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret };
  });
});
afterAll(async () => {
  await stage.close();
  await provider.close();
});

/** Presses the button, and signs in and agrees at the provider. */
const signInAs = async ({ page }: DashboardPage, login: string): Promise<void> => {
  // The provider's pages want a font from somewhere else. Nobody else is asked in a test.
  const ours = [stage.url, provider.issuer];
  const isForeign = (url: URL) => !ours.includes(url.origin);
  await page.context().route(isForeign, (route) => route.fulfill({ contentType: 'text/css', body: '' }));
  await page.goto('/dashboard/sign-in');
  await button(page, 'Sign in with your company account').click();
  await page.waitForURL((url) => url.origin === provider.issuer);
  await page.locator('input[name=login]').fill(login);
  await page.locator('input[name=password]').fill('any');
  await page.locator('button[type=submit]').click();
  await page.getByRole('button', { name: 'Continue' }).click();
};

test('the company’s account opens the dashboard for who was invited, and for nobody else', async () => {
  const owner = await openDashboard(stage);
  await acceptFirstOwner(owner.page, stage);
  const organizationId = /\/(org_\w+)\//.exec(owner.page.url())![1]!;
  await owner.close();
  const { members } = stage.serving.service;
  await invite(members, {
    organizationId,
    email: 'lin@example.com',
    role: 'developer',
    actor: operatorActor,
  });

  const lin = await openDashboard(stage);
  await signInAs(lin, 'lin');
  await heading(lin.page, 'Overview').waitFor();
  await lin.page.goto('/dashboard/account');
  await lin.page.getByRole('cell', { name: /Company account/ }).waitFor();
  await lin.page.reload();
  await heading(lin.page, 'Your account').waitFor();
  expectNoErrors(lin);
  await lin.close();

  const other = await openDashboard(stage);
  await signInAs(other, 'uninvited');
  await other.page.getByText('Nobody has invited this account.').waitFor();
  expect(new URL(other.page.url()).origin).toBe(stage.url);
  await expectNoAxeViolations(other.page);
  await other.page.goto('/dashboard');
  await heading(other.page, 'Sign in').waitFor();
  expectNoErrors(other);
  await other.close();
});
