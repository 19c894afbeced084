// The service as `serve` starts it, and people at its dashboard: each in a browser of their own, using the page by
// the names of what is on the screen.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { type RunningServer, startServer } from '../../src/commands/serve.ts';
import { readConfig } from '../../src/config.ts';
import { launchBrowser } from '../support/browser.ts';
import { databases } from '../support/databases.ts';
import { freePort } from '../support/freePort.ts';

export type DashboardFixture = { url: string; serving: RunningServer; close(): Promise<void> };

/** A service at its first start: nobody is a member yet. `settingsFor` has more settings for its address. */
export const startDashboard = async (
  settingsFor: (url: string) => Promise<Record<string, string>> = async () => ({}),
): Promise<DashboardFixture> => {
  const directory = await mkdtemp(join(tmpdir(), 'dashboard-'));
  const database = await databases[0]!.create();
  // A passkey belongs to the address that the service knows, so that must be known before it listens.
  const PORT = String(await freePort());
  const config = readConfig(
    {
      ...{ PORT, DATA_DIR: directory, DATABASE_URL: database.url, LOG_LEVEL: 'silent' },
      ...(await settingsFor(`http://localhost:${PORT}`)),
    },
    { workerPollMs: 250, metricsFlushSeconds: 1 },
  );
  const serving = await startServer(config, { worker: true });
  return {
    url: config.baseUrl,
    serving,
    close: async () => {
      await serving.close();
      await database.drop();
      await rm(directory, { recursive: true, force: true });
    },
  };
};

export const password = 'correct horse battery staple';

/** A page with its own cookies, whose faults and console errors fail the test that asks for them. */
export type DashboardPage = { page: Page; errors: string[]; close(): Promise<void> };

export const openDashboard = async (
  stage: DashboardFixture,
  options: BrowserContextOptions = {},
): Promise<DashboardPage> => {
  const browser = await launchBrowser();
  const context = await browser.newContext({
    locale: 'en-GB',
    viewport: { width: 1280, height: 860 },
    reducedMotion: 'reduce',
    baseURL: stage.url,
    ...options,
  });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    // A refusal that the page shows in words also stands in the console; anything else there is a fault of ours.
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) errors.push(message.text());
  });
  return { page, errors, close: () => context.close() };
};

export const button = (scope: Page | Locator, name: string): Locator =>
  scope.getByRole('button', { name, exact: true });

export const heading = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('heading', { level: 1, name });

/** The window that is open over the page. */
export const modal = (page: Page, name: string): Locator => page.getByRole('dialog', { name });
export const alertDialog = (page: Page, name: string): Locator => page.getByRole('alertdialog', { name });

/** Comes in by an invitation and chooses a name and a password. */
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

/** The first owner, by the link that the terminal showed. */
export const acceptFirstOwner = (page: Page, { serving }: DashboardFixture): Promise<void> =>
  acceptInvitation(page, { link: serving.firstOwner!, name: 'Ada Olsen', email: 'ada@northwind.example' });

export const navigateTo = async (page: Page, way: string): Promise<void> => {
  await page.getByRole('link', { name: way, exact: true }).click();
  await heading(page, way).waitFor();
};

/** What a window shows once: read from it, and the window closed. */
export const copySecret = async (page: Page, title: string): Promise<string> => {
  const shown = modal(page, title);
  const text = await shown.locator('.copyable code').innerText();
  await button(shown, 'I have copied it').click();
  await shown.waitFor({ state: 'detached' });
  return text;
};

/** Chooses in a list that opens. */
export const selectOption = async (page: Page, label: string, option: string): Promise<void> => {
  await page.getByRole('button', { name: new RegExp(`${label}$`) }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
};

/** Makes an application by the page, and leaves at its access keys. */
export const createApplication = async (
  page: Page,
  given: { name: string; origin: string },
): Promise<string> => {
  await navigateTo(page, 'Applications');
  await button(page, 'New application').click();
  const form = modal(page, 'New application');
  await form.getByLabel('Name').fill(given.name);
  await form.getByLabel(/^Allowed origins/).fill(given.origin);
  await button(form, 'Create application').click();
  await heading(page, new RegExp(given.name)).waitFor();
  return /\/applications\/(app_\w+)\//.exec(page.url())![1]!;
};

export const createApiKey = async (page: Page, name: string): Promise<string> => {
  await button(page, 'New access key').click();
  const form = modal(page, 'New access key');
  await form.getByLabel('Name').fill(name);
  await button(form, 'Create access key').click();
  return copySecret(page, 'Your access key');
};

/** Makes an invitation by the page, and answers with its link. */
export const invite = async (page: Page, given: { email: string; role: string }): Promise<string> => {
  await navigateTo(page, 'Members');
  await button(page, 'Invite a member').first().click();
  const form = modal(page, 'Invite a member');
  await form.getByLabel('Email').fill(given.email);
  await form.getByRole('radio', { name: given.role }).check({ force: true });
  await button(form, 'Make an invitation link').click();
  return copySecret(page, 'The invitation');
};

export const signIn = async (page: Page, given: { email: string; password: string }): Promise<void> => {
  await page.getByLabel('Email').fill(given.email);
  await page.getByLabel('Password').fill(given.password);
  await button(page, 'Sign in').click();
};

export const signOut = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: /^Your account/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await heading(page, 'Sign in').waitFor();
};

/** What a backend would be answered. */
export const statusWith = async (
  stage: DashboardFixture,
  apiKey: string,
  connectionId: string,
): Promise<number> => {
  const response = await fetch(`${stage.url}/connections/${connectionId}`, {
    headers: { Authorization: `Bearer ${apiKey}` },
  });
  await response.arrayBuffer();
  return response.status;
};

export const expectNoErrors = (visitor: DashboardPage): void => expect(visitor.errors).toEqual([]);
