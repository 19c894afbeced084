// Every page, for everyone: light and dark, on a telephone's 360 pixels and on a desktop, by the keys alone, and
// without a request to anybody else. TEST_ALL=1 sees each in both colours on both, and SCREENSHOTS=DIRECTORY takes
// the pictures of docs/dashboard.md.
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '../../client/index.ts';
import { collectRequests, expectNoAxeViolations, type Requests } from '../support/browser.ts';
import { hostOrigin, link } from '../support/testService.ts';
import {
  acceptFirstOwner,
  button,
  createApiKey,
  createApplication,
  type DashboardFixture,
  type DashboardPage,
  expectNoErrors,
  heading,
  invite,
  modal,
  navigateTo,
  openDashboard,
  password,
  signIn,
  startDashboard,
} from './fixture.ts';
import { insertSampleMetrics } from './sampleMetrics.ts';

let stage: DashboardFixture;
const created = { organizationId: '', applicationId: '', connectionId: '', waitingId: '', invitation: '' };

beforeAll(async () => {
  stage = await startDashboard();
  const owner = await openDashboard(stage);
  await acceptFirstOwner(owner.page, stage);
  created.organizationId = /\/(org_\w+)\//.exec(owner.page.url())![1]!;
  created.applicationId = await createApplication(owner.page, { name: 'Budget app', origin: hostOrigin });
  const apiKey = await createApiKey(owner.page, 'Backend, Frankfurt');
  await linkSome({ id: created.applicationId, apiKey, keyId: '' });
  const keyId = await owner.page.locator('td code').first().innerText();
  await insertSampleMetrics(stage.serving.service, { applicationId: created.applicationId, keyId });
  await breakCredentials(owner.page);
  created.invitation = await invite(owner.page, { email: 'lin@northwind.example', role: 'Developer' });
  await owner.close();
}, 120_000);
afterAll(() => stage.close());

/** Some users with connections, and a backend that reads them. */
const linkSome = async (application: { id: string; apiKey: string; keyId: string }): Promise<void> => {
  const service = { url: stage.url, application };
  const { connectionId, scopedToken } = await link(service, { externalUserId: 'user-1207' });
  created.connectionId = connectionId;
  for (const externalUserId of ['user-1220', 'user-1233', 'user-1298', undefined]) {
    await link(service, { externalUserId, institutionId: externalUserId ? 'sandbox-bank' : undefined });
  }
  created.waitingId = (await link(service, { externalUserId: 'user-1311' })).connectionId;
  const client = createClient({ baseUrl: stage.url, apiKey: application.apiKey, scopedToken });
  for (let asked = 0; asked < 12; asked++) {
    const { data } = await client.GET('/connections/{connectionId}/accounts', {
      params: { path: { connectionId } },
    });
    const params = { path: { accountId: data!.accounts[0]!.id }, query: { limit: 50 } };
    await client.GET('/accounts/{accountId}/transactions', { params });
  }
  const nobody = { path: { connectionId: 'con_0000000000000000000000' } };
  expect((await client.GET('/connections/{connectionId}', { params: nobody })).response.status).toBe(404);
};

const breakCredentials = async (page: Page): Promise<void> => {
  await page.goto(pathOf(`/applications/${created.applicationId}/connections/${created.waitingId}`));
  await button(page, 'Break credentials').click();
  await button(page.getByRole('alertdialog'), 'Break them').click();
  await page.getByText('Credentials broken').waitFor();
  await button(page, 'Refresh now').click();
  await page.getByText('The user must reconnect.').waitFor();
};

const pathOf = (path: string): string => `/dashboard/${created.organizationId}${path}`;

/** A page: how one comes there, and what shows that it is all there. */
type PageCase = { name: string; path: () => string; ready: (page: Page) => Promise<void>; outside?: true };

const showsRow = (table: string) => async (page: Page) => {
  await page
    .getByRole('table', { name: table })
    .getByRole('cell')
    .filter({ hasText: /\w/ })
    .first()
    .waitFor();
};
const showsText = (text: string) => async (page: Page) => {
  await page.getByText(text).first().waitFor();
};

const pageCases: PageCase[] = [
  {
    name: 'sign-in',
    path: () => '/dashboard/sign-in',
    ready: showsText('Forgotten your password?'),
    outside: true,
  },
  {
    name: 'invitation',
    path: () => created.invitation,
    ready: showsText('Choose a password'),
    outside: true,
  },
  {
    name: 'invitation-over',
    path: () => `/dashboard/invitation#${'x'.repeat(43)}`,
    ready: showsText('This link no longer works'),
    outside: true,
  },
  {
    name: 'reset',
    path: () => '/dashboard/reset#token',
    ready: showsText('Set the password'),
    outside: true,
  },
  {
    name: 'overview',
    path: () => pathOf(`/overview?application=${created.applicationId}&range=day`),
    ready: async (page) => {
      await page.getByRole('img', { name: /requests, of which/ }).waitFor();
      await page.getByRole('table', { name: 'Operations' }).waitFor();
    },
  },
  {
    name: 'connections',
    path: () => pathOf(`/connections?application=${created.applicationId}`),
    ready: showsRow('Connections'),
  },
  {
    name: 'connections-none-fit',
    path: () => pathOf(`/connections?application=${created.applicationId}&search=nobody`),
    ready: showsText('No connection fits'),
  },
  {
    name: 'connection',
    path: () => pathOf(`/applications/${created.applicationId}/connections/${created.waitingId}`),
    ready: showsText('The user must reconnect.'),
  },
  { name: 'applications', path: () => pathOf('/applications'), ready: showsRow('Applications') },
  {
    name: 'application',
    path: () => pathOf(`/applications/${created.applicationId}`),
    ready: showsText('Native applications may open the widget'),
  },
  {
    name: 'access-keys',
    path: () => pathOf(`/applications/${created.applicationId}/api-keys`),
    ready: showsRow('Access keys'),
  },
  {
    name: 'code',
    path: () => pathOf(`/applications/${created.applicationId}/code`),
    ready: showsText('ServiceConnect.init'),
  },
  { name: 'sandbox', path: () => pathOf('/sandbox'), ready: showsRow('Test users') },
  {
    name: 'members',
    path: () => pathOf('/members'),
    ready: async (page) => {
      await showsRow('Members')(page);
      await showsRow('Open invitations')(page);
    },
  },
  { name: 'audit', path: () => pathOf('/audit'), ready: showsRow('Audit log') },
  {
    name: 'account',
    path: () => '/dashboard/account',
    ready: async (page) => {
      await showsRow('Sessions')(page);
      await showsText('No passkey yet')(page);
    },
  },
  { name: 'not-found', path: () => pathOf('/nothing'), ready: showsText('There is nothing at this address') },
];

type Scheme = 'light' | 'dark';
type Screen = { screen: string; schemes: Scheme[]; options: BrowserContextOptions };

/** One colour, or both where all is seen or pictures are taken. */
const schemesFor = (scheme: Scheme): Scheme[] =>
  process.env.TEST_ALL || process.env.SCREENSHOTS ? ['light', 'dark'] : [scheme];

// A page is opened once on each screen, and then seen in each of these colours.
const screens: Screen[] = [
  { screen: 'desktop', schemes: schemesFor('light'), options: {} },
  {
    screen: 'phone',
    schemes: schemesFor('dark'),
    options: { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, hasTouch: true },
  },
];

/** What must hold of a page, whichever it is. */
const expectAccessible = async (page: Page, requests: Requests): Promise<void> => {
  // On a touch screen a window with a field waits a moment for the keyboard before it shows itself.
  await page.waitForFunction(() =>
    [...document.querySelectorAll('.veil')].every((veil) => getComputedStyle(veil).opacity === '1'),
  );
  await expectNoAxeViolations(page);
  const found = await page.evaluate(() => ({
    wider: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    titled: document.title.endsWith('· Bank Connection'),
    headings: document.querySelectorAll('h1').length,
  }));
  expect(found).toEqual({ wider: 0, titled: true, headings: 1 });
  requests.expectOnlyTo(stage.url);
};

const takeScreenshot = async (page: Page, name: string): Promise<void> => {
  if (!process.env.SCREENSHOTS) return;
  await page.screenshot({ path: join(process.env.SCREENSHOTS, `${name}.png`) });
};

describe.each(screens)('$screen', ({ screen, schemes, options }) => {
  let visitor: DashboardPage;
  let requests: Requests;
  beforeAll(async () => {
    visitor = await openDashboard(stage, options);
    requests = collectRequests(visitor.page);
  });
  afterAll(() => visitor.close());

  /** In each of the colours. Pictures are of a desktop in both, and of a phone in the light. */
  const expectWellIn = async (name?: string) => {
    const { page } = visitor;
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme });
      await expectAccessible(page, requests);
      const look = screen === 'desktop' ? colorScheme : colorScheme === 'light' && screen;
      if (name && look) await takeScreenshot(page, `${name}-${look}`);
    }
  };

  const stop = async ({ name, path, ready }: PageCase) => {
    const { page } = visitor;
    // From one link to the same page with another token, a browser would only move within the page.
    if (path().includes('#')) await page.goto('about:blank');
    await page.goto(path());
    await ready(page);
    await expectWellIn(name);
    expectNoErrors(visitor);
  };

  test.each(pageCases.filter(({ outside }) => outside))('$name is well', stop);
  test('signing in leads to where one wanted to go', async () => {
    const { page } = visitor;
    await page.goto(pathOf('/applications'));
    await heading(page, 'Sign in').waitFor();
    await signIn(page, { email: 'ada@northwind.example', password });
    await heading(page, 'Applications').waitFor();
  });
  test.each(pageCases.filter(({ outside }) => !outside))('$name is well', stop);

  test('the windows over a page are well', async () => {
    const { page } = visitor;
    await page.goto(pathOf('/applications'));
    await button(page, 'New application').click();
    await modal(page, 'New application').waitFor();
    await expectWellIn('new-application');
    await page.keyboard.press('Escape');
    await modal(page, 'New application').waitFor({ state: 'detached' });
    await page.goto(pathOf(`/applications/${created.applicationId}/api-keys`));
    await button(page, 'New access key').click();
    await modal(page, 'New access key').getByLabel('Name').fill('To be looked at');
    await button(page, 'Create access key').click();
    await modal(page, 'Your access key').waitFor();
    await expectWellIn('access-key-once');
    await page.keyboard.press('Escape');
    expect(await modal(page, 'Your access key').count()).toBe(1);
    await button(page, 'I have copied it').click();
    await button(page, 'Revoke To be looked at').first().click();
    await page.getByRole('alertdialog').waitFor();
    await expectWellIn();
    await button(page.getByRole('alertdialog'), 'Revoke the key').click();
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    expectNoErrors(visitor);
  });
});

test('on a phone the ways are behind a button, and another page closes them', async () => {
  const visitor = await openDashboard(stage, { viewport: { width: 360, height: 740 } });
  const { page } = visitor;
  await page.goto('/dashboard');
  await signIn(page, { email: 'ada@northwind.example', password });
  await button(page, 'Open the menu').click();
  await page.getByRole('dialog', { name: 'Menu' }).waitFor();
  await expectNoAxeViolations(page);
  await takeScreenshot(page, 'menu-phone');
  await navigateTo(page, 'Members');
  await page.getByRole('dialog', { name: 'Menu' }).waitFor({ state: 'detached' });
  expectNoErrors(visitor);
  await visitor.close();
});

test('an application and its key are made by the keys alone', async () => {
  const visitor = await openDashboard(stage);
  const { page } = visitor;
  const { keyboard } = page;
  /** Goes on with Tab until this has the focus, as somebody does who cannot see the order. */
  const reach = async (name: RegExp): Promise<void> => {
    for (let pressed = 0; pressed < 60; pressed++) {
      const words = await page.evaluate(() => {
        const element = document.activeElement as HTMLElement | null;
        const labels = (element as HTMLInputElement | null)?.labels;
        return labels?.length ? labels[0]!.innerText : (element?.ariaLabel ?? element?.innerText ?? '');
      });
      if (name.test(words)) return;
      await keyboard.press('Tab');
    }
    throw new Error(`Tab does not lead to ${name}.`);
  };
  await page.goto('/dashboard');
  await heading(page, 'Sign in').waitFor();
  await reach(/^Email/);
  await keyboard.type('ada@northwind.example');
  await keyboard.press('Tab');
  await keyboard.type(password);
  await keyboard.press('Enter');
  await heading(page, 'Overview').waitFor();
  await reach(/^Applications$/);
  await keyboard.press('Enter');
  await heading(page, 'Applications').waitFor();
  await reach(/^New application$/);
  await keyboard.press('Enter');
  await modal(page, 'New application').waitFor();
  await keyboard.type('By the keys');
  await keyboard.press('Enter');
  await heading(page, /By the keys/).waitFor();
  await reach(/^New access key$/);
  await keyboard.press('Enter');
  await modal(page, 'New access key').waitFor();
  await keyboard.type('A key');
  await keyboard.press('Enter');
  await modal(page, 'Your access key').waitFor();
  await reach(/^I have copied it$/);
  await keyboard.press('Enter');
  await page.getByRole('cell', { name: /^A key/ }).waitFor();
  expectNoErrors(visitor);
  await visitor.close();
});

test('a service that cannot be reached is told in words, with a way to try again', async () => {
  const visitor = await openDashboard(stage);
  const { page } = visitor;
  await page.goto('/dashboard');
  await signIn(page, { email: 'ada@northwind.example', password });
  await heading(page, 'Overview').waitFor();
  await page.route('**/members', (route) => route.abort());
  await navigateTo(page, 'Members');
  await page.getByRole('alert').getByText('The service cannot be reached.').waitFor();
  await expectNoAxeViolations(page);
  await page.unroute('**/members');
  await button(page, 'Try again').first().click();
  await showsRow('Members')(page);
  await visitor.close();
});
