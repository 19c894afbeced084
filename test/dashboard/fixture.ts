// A service as `serve` starts it, and browser pages of its dashboard, operated by accessible names.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { findOrganizations, updateApplication } from '../../src/domain/applications/store.ts';
import { byOperator } from '../../src/domain/audit/by.ts';
import { invite as inviteAsOperator } from '../../src/domain/members/invitations.ts';
import type { Role } from '../../src/domain/members/member.ts';
import { type RunningServer, startServer } from '../../src/interfaces/commands/serve.ts';
import { readConfig } from '../../src/platform/settings/config.ts';
import { anonymousUser, password, tokenOf } from '../http/dashboard/users.ts';
import { launchBrowser } from '../support/browser.ts';
import { databases } from '../support/databases.ts';
import { freePort } from '../support/freePort.ts';
import { hostOrigin, type TestApplication } from '../support/testService.ts';

export type DashboardFixture = { url: string; server: RunningServer; close(): Promise<void> };

/** A service at its first start, without members. `settingsFor` returns additional settings for its URL. */
export const startDashboard = async (
  settingsFor: (url: string) => Promise<Record<string, string>> = async () => ({}),
): Promise<DashboardFixture> => {
  const directory = await mkdtemp(join(tmpdir(), 'dashboard-'));
  const database = await databases[0]!.create();
  // Passkeys are bound to the base URL, so the port must be known before the service listens.
  const PORT = String(await freePort());
  const config = readConfig(
    {
      ...{ PORT, DATA_DIR: directory, DATABASE_URL: database.url, LOG_LEVEL: 'silent' },
      ...(await settingsFor(`http://localhost:${PORT}`)),
    },
    { workerPollMs: 250, webhookPollMs: 100, metricsFlushSeconds: 1, shutdownIdleMs: 0 },
  );
  const server = await startServer(config, { worker: true });
  return {
    url: config.baseUrl,
    server,
    close: async () => {
      await server.close();
      await database.drop();
      await rm(directory, { recursive: true, force: true });
    },
  };
};

export { password };

/** A page with its own cookies; collects uncaught errors and console errors. */
export type DashboardPage = { page: Page; errors: string[]; close(): Promise<void> };

export const openDashboard = async (
  fixture: DashboardFixture,
  options: BrowserContextOptions = {},
): Promise<DashboardPage> => {
  const browser = await launchBrowser();
  const context = await browser.newContext({
    locale: 'en-GB',
    viewport: { width: 1280, height: 860 },
    reducedMotion: 'reduce',
    baseURL: fixture.url,
    ...options,
  });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    // The browser logs every 4xx response; the page handles those.
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) errors.push(message.text());
  });
  return { page, errors, close: () => context.close() };
};

/** A page of a new member, who is signed in: the first owner, or a member whom the operator invites. */
export const openAs = async (
  fixture: DashboardFixture,
  { name, email, role }: { name: string; email: string; role?: Role },
  options?: BrowserContextOptions,
): Promise<DashboardPage> => {
  const { members, db } = fixture.server.service;
  const [organization] = await findOrganizations(db.read);
  const by = byOperator(organization!.id, new Date());
  const link = role ? (await inviteAsOperator(members, { email, role }, by)).url : fixture.server.firstOwner!;
  const user = anonymousUser(fixture.url);
  const { response } = await user.client.POST('/management/invitation/accept', {
    body: { token: tokenOf(link), name, password, ...(!role && { email }) },
  });
  expect(response.status).toBe(200);
  const dashboard = await openDashboard(fixture, options);
  const [cookie, value] = user.cookie()!.split('=');
  await dashboard.page.context().addCookies([{ name: cookie!, value: value!, url: fixture.url }]);
  return dashboard;
};

export const openAsOwner = (fixture: DashboardFixture): Promise<DashboardPage> =>
  openAs(fixture, { name: 'Ada Olsen', email: 'ada@northwind.example' });

export type OwnerDashboard = DashboardFixture &
  DashboardPage & {
    /** The only application, for linking as in tests without a browser. */
    application: TestApplication;
    organizationId: string;
    /** Opens a page of the organization, with this application. */
    open(path: string): Promise<void>;
  };

/** A service with a page of its first owner, for the tests of a file. None of them may leave an error in the console. */
export const useOwnerDashboard = (settingsFor?: Parameters<typeof startDashboard>[0]): OwnerDashboard => {
  const owner = {} as OwnerDashboard;
  beforeAll(async () => {
    const fixture = await startDashboard(settingsFor);
    const { firstStart, service } = fixture.server;
    const { applicationId: id, apiKey } = firstStart!;
    const [organization] = await findOrganizations(service.db.read);
    await updateApplication(service.db.write, id, { origins: [hostOrigin] });
    const { page, errors, close } = await openAsOwner(fixture);
    Object.assign(owner, {
      ...{ ...fixture, page, errors, application: { id, apiKey, keyId: '' } },
      organizationId: organization!.id,
      open: (path: string) => page.goto(`/dashboard/${organization!.id}/${path}`),
      close: async () => {
        await close();
        await fixture.close();
      },
    });
  });
  afterEach(() => expectNoErrors(owner));
  afterAll(() => owner.close());
  return owner;
};

export const button = (scope: Page | Locator, name: string): Locator =>
  scope.getByRole('button', { name, exact: true });

export const heading = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('heading', { level: 1, name });

/** The open modal. */
export const modal = (page: Page, name: string): Locator => page.getByRole('dialog', { name });
export const alertDialog = (page: Page, name: string): Locator => page.getByRole('alertdialog', { name });

/** Accepts an invitation with a name and a password. */
export const acceptInvitation = async (
  page: Page,
  { link, name, email }: { link: string; name: string; email?: string },
): Promise<void> => {
  await page.goto(link);
  if (email) await page.getByLabel('Your email').fill(email);
  await page.getByLabel('Your name').fill(name);
  await page.getByLabel('Choose a password').fill(password);
  await button(page, 'Create your account').click();
  await heading(page, 'Overview').waitFor();
};

/** Accepts the first owner's link from the terminal. */
export const acceptFirstOwner = (page: Page, { server }: DashboardFixture): Promise<void> =>
  acceptInvitation(page, { link: server.firstOwner!, name: 'Ada Olsen', email: 'ada@northwind.example' });

export const navigateTo = async (page: Page, label: string): Promise<void> => {
  await page.getByRole('link', { name: label, exact: true }).click();
  await heading(page, label).waitFor();
};

/** Reads the secret from a modal that shows it once, and closes the modal. */
export const copySecret = async (page: Page, title: string): Promise<string> => {
  const secretModal = modal(page, title);
  const text = await secretModal.locator('.copyable code').innerText();
  await button(secretModal, 'I’ve copied it').click();
  await secretModal.waitFor({ state: 'detached' });
  return text;
};

/** Selects an option of a select. */
export const selectOption = async (page: Page, label: string, option: string): Promise<void> => {
  await page.getByRole('combobox', { name: label }).selectOption({ label: option });
};

/** Creates an application; the page shows its API keys afterwards. */
export const createApplication = async (
  page: Page,
  input: { name: string; origin: string },
): Promise<string> => {
  await navigateTo(page, 'Applications');
  await button(page, 'New application').click();
  const form = modal(page, 'New application');
  await form.getByLabel('Name').fill(input.name);
  await form.getByLabel(/^Allowed origins/).fill(input.origin);
  await button(form, 'Create application').click();
  await heading(page, new RegExp(input.name)).waitFor();
  return /\/applications\/(app_\w+)\//.exec(page.url())![1]!;
};

export const createApiKey = async (page: Page, name: string): Promise<string> => {
  await button(page, 'New API key').click();
  const form = modal(page, 'New API key');
  await form.getByLabel('Name').fill(name);
  await button(form, 'Create API key').click();
  return copySecret(page, 'Your API key');
};

/** Creates an invitation and returns its link. */
export const invite = async (page: Page, input: { email: string; role: string }): Promise<string> => {
  await navigateTo(page, 'Members');
  await button(page, 'Invite a member').first().click();
  const form = modal(page, 'Invite a member');
  await form.getByLabel('Email').fill(input.email);
  await form.getByRole('radio', { name: input.role }).check({ force: true });
  await button(form, 'Create invitation link').click();
  return copySecret(page, 'Invitation link');
};

export const signIn = async (page: Page, input: { email: string; password: string }): Promise<void> => {
  await page.getByLabel('Email').fill(input.email);
  await page.getByLabel('Password').fill(input.password);
  await button(page, 'Sign in').click();
};

export const signOut = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: /^Your account/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await heading(page, 'Sign in').waitFor();
};

/** The label, name or text of the focused element. */
export const focusedName = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLElement | null;
    const labels = (element as HTMLInputElement | null)?.labels;
    return labels?.length ? labels[0]!.innerText : (element?.ariaLabel ?? element?.innerText ?? '');
  });

/** Presses Tab until an element with this name is focused. */
export const tabTo = async (page: Page, name: RegExp): Promise<void> => {
  for (let presses = 0; presses < 60; presses++) {
    if (name.test(await focusedName(page))) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${name}.`);
};

/** A modal focuses its first field after its opening transition has begun. */
export const waitForInputFocus = (page: Page): Promise<void> =>
  expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT');

/** The status of a request with an API key and no scoped token. */
export const statusWith = async (
  fixture: DashboardFixture,
  apiKey: string,
  connectionId: string,
): Promise<number> => {
  const response = await fetch(`${fixture.url}/connections/${connectionId}`, {
    headers: { Authorization: `Bearer ${apiKey}` },
  });
  await response.arrayBuffer();
  return response.status;
};

export const expectNoErrors = (dashboard: DashboardPage): void => expect(dashboard.errors).toEqual([]);
