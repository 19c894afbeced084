// Every page in a real browser: light and dark, desktop and 360 pixels, by keyboard, with axe, and without requests to
// other origins. axe checks the pages in turn on one of the screens; with TEST_ALL=1 on both, in both colour schemes, and
// every page is loaded on both. SCREENSHOTS=1 takes the screenshots of docs/screenshots/dashboard.
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '../../client/index.ts';
import {
  collectRequests,
  expectNoAxeViolations,
  type Requests,
  waitForAnimations,
} from '../support/browser.ts';
import { takeScreenshot, takesScreenshots } from '../support/screenshots.ts';
import { hostOrigin, link } from '../support/testService.ts';
import {
  acceptFirstOwner,
  button,
  createApiKey,
  createApplication,
  type DashboardFixture,
  type DashboardPage,
  expectNoErrors,
  focusedName,
  heading,
  invite,
  modal,
  navigateTo,
  openDashboard,
  password,
  signIn,
  startDashboard,
  tabTo,
} from './fixture.ts';
import { createSampleAccesses } from './sampleAccesses.ts';
import { insertSampleLinkSessions } from './sampleLinkSessions.ts';
import { insertSampleMetrics } from './sampleMetrics.ts';
import { insertSampleWebhooks } from './sampleWebhooks.ts';

let fixture: DashboardFixture;
const created = {
  organizationId: '',
  applicationId: '',
  connectionId: '',
  needsReconnectId: '',
  endpointId: '',
  invitation: '',
};

beforeAll(async () => {
  fixture = await startDashboard();
  const owner = await openDashboard(fixture);
  await acceptFirstOwner(owner.page, fixture);
  created.organizationId = /\/(org_\w+)\//.exec(owner.page.url())![1]!;
  created.applicationId = await createApplication(owner.page, { name: 'Budget app', origin: hostOrigin });
  const apiKey = await createApiKey(owner.page, 'Backend, Frankfurt');
  await linkUsers({ id: created.applicationId, apiKey, keyId: '' });
  const keyId = await owner.page.locator('td code').first().innerText();
  await insertSampleMetrics(fixture.server.service, { applicationId: created.applicationId, keyId });
  await breakCredentials(owner.page);
  await insertSampleLinkSessions(fixture.server.service, created);
  created.endpointId = await insertSampleWebhooks(fixture.server.service, {
    applicationId: created.applicationId,
    connectionIds: [created.connectionId, created.needsReconnectId],
  });
  created.invitation = await invite(owner.page, { email: 'lin@northwind.example', role: 'Developer' });
  await owner.close();
}, 120_000);
afterAll(() => fixture.close());

/** Links some users and reads with their tokens. */
const linkUsers = async (application: { id: string; apiKey: string; keyId: string }): Promise<void> => {
  const service = { url: fixture.url, application };
  const { connectionId, scopedToken } = await link(service, { externalUserId: 'user-1207' });
  created.connectionId = connectionId;
  const scopedTokens = [scopedToken!];
  for (const externalUserId of ['user-1220', 'user-1233', 'user-1298', undefined]) {
    const institutionId = externalUserId ? 'sandbox-bank' : undefined;
    scopedTokens.push((await link(service, { externalUserId, institutionId })).scopedToken!);
  }
  await createSampleAccesses({ url: fixture.url, apiKey: application.apiKey, scopedTokens });
  created.needsReconnectId = (await link(service, { externalUserId: 'user-1311' })).connectionId;
  const client = createClient({ baseUrl: fixture.url, apiKey: application.apiKey, scopedToken });
  for (let request = 0; request < 12; request++) {
    const { data } = await client.GET('/connections/{connectionId}/accounts', {
      params: { path: { connectionId } },
    });
    const params = { path: { accountId: data!.accounts[0]!.id }, query: { limit: 50 } };
    await client.GET('/accounts/{accountId}/transactions', { params });
  }
  const unknown = { path: { connectionId: 'con_0000000000000000000000' } };
  expect((await client.GET('/connections/{connectionId}', { params: unknown })).response.status).toBe(404);
};

const breakCredentials = async (page: Page): Promise<void> => {
  await page.goto(pathOf(`/applications/${created.applicationId}/connections/${created.needsReconnectId}`));
  await button(page, 'Break credentials').click();
  await button(page.getByRole('alertdialog'), 'Break them').click();
  await page.getByText('Credentials broken').waitFor();
  await button(page, 'Refresh now').click();
  await page.getByText('The user must reconnect.').waitFor();
};

const pathOf = (path: string): string => `/dashboard/${created.organizationId}${path}`;

/** A page: its path, and what to wait for until it is complete. */
type PageCase = { name: string; path: () => string; ready: (page: Page) => Promise<void>; signedOut?: true };

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
    ready: showsText('Forgot your password?'),
    signedOut: true,
  },
  {
    name: 'invitation',
    path: () => created.invitation,
    ready: showsText('Choose a password'),
    signedOut: true,
  },
  {
    name: 'invitation-expired',
    path: () => `/dashboard/invitation#${'x'.repeat(43)}`,
    ready: showsText('This link no longer works'),
    signedOut: true,
  },
  {
    name: 'reset',
    path: () => '/dashboard/reset#token',
    ready: showsText('Set password'),
    signedOut: true,
  },
  {
    name: 'overview',
    path: () => pathOf(`/overview?application=${created.applicationId}&range=day`),
    ready: async (page) => {
      await page.getByRole('img', { name: /requests, .* refused/ }).waitFor();
      await page.getByRole('table', { name: 'Operations' }).waitFor();
    },
  },
  {
    name: 'connections',
    path: () => pathOf(`/connections?application=${created.applicationId}`),
    ready: showsRow('Connections'),
  },
  {
    name: 'connections-no-match',
    path: () => pathOf(`/connections?application=${created.applicationId}&search=nobody`),
    ready: showsText('No matching connections'),
  },
  {
    name: 'connection',
    path: () => pathOf(`/applications/${created.applicationId}/connections/${created.needsReconnectId}`),
    ready: async (page) => {
      await showsText('The user must reconnect.')(page);
      await page.getByText(/^Accepted .* in English$/).click();
      await page.getByText('By selecting “Agree and continue”').waitFor();
    },
  },
  {
    name: 'link-sessions',
    path: () => pathOf(`/link-sessions?application=${created.applicationId}`),
    ready: async (page) => {
      await page.getByRole('list', { name: 'How far users get' }).waitFor();
      await showsRow('By bank')(page);
      await showsRow('Link sessions')(page);
    },
  },
  {
    name: 'requests',
    path: () => pathOf(`/requests?application=${created.applicationId}`),
    ready: showsRow('Requests'),
  },
  {
    name: 'webhooks',
    path: () => pathOf(`/webhooks?application=${created.applicationId}`),
    ready: showsRow('Endpoints'),
  },
  {
    name: 'webhook-endpoint',
    path: () => pathOf(`/applications/${created.applicationId}/webhooks/${created.endpointId}`),
    ready: showsRow('Deliveries'),
  },
  {
    name: 'simplefin',
    path: () => pathOf(`/simplefin?application=${created.applicationId}`),
    ready: showsRow('Accesses'),
  },
  { name: 'applications', path: () => pathOf('/applications'), ready: showsRow('Applications') },
  {
    name: 'application',
    path: () => pathOf(`/applications/${created.applicationId}`),
    ready: showsText('Native applications may open the widget'),
  },
  {
    name: 'api-keys',
    path: () => pathOf(`/applications/${created.applicationId}/api-keys`),
    ready: showsRow('API keys'),
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
  {
    name: 'not-found',
    path: () => pathOf('/nothing'),
    ready: showsText('Page not found'),
  },
];

type Scheme = 'light' | 'dark';
type Screen = { screen: 'desktop' | 'phone'; schemes: Scheme[]; options: BrowserContextOptions };

/** One colour scheme, or both with TEST_ALL or SCREENSHOTS. */
const schemesFor = (scheme: Scheme): Scheme[] =>
  process.env.TEST_ALL || takesScreenshots ? ['light', 'dark'] : [scheme];

// Each page is opened once per screen, and tested in each of these colour schemes.
const screens: Screen[] = [
  { screen: 'desktop', schemes: schemesFor('light'), options: {} },
  {
    screen: 'phone',
    schemes: schemesFor('dark'),
    options: { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, hasTouch: true },
  },
];

/** Checks every page must pass: no horizontal scrolling, a title, one h1, no foreign requests; and axe. */
const expectAccessible = async (page: Page, requests: Requests, axe: boolean): Promise<void> => {
  if (axe) await expectNoAxeViolations(page);
  const checks = await page.evaluate(() => ({
    overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    hasTitle: document.title.endsWith('· Bank Connection'),
    headings: document.querySelectorAll('h1').length,
  }));
  expect(checks).toEqual({ overflow: 0, hasTitle: true, headings: 1 });
  requests.expectOnlyTo(fixture.url);
};

/** Between phone and desktop, a table is as wide as its place and not cut. */
const expectTablesToFit = async (page: Page): Promise<void> => {
  const { width, height } = page.viewportSize()!;
  for (const narrower of [768, 1024]) {
    await page.setViewportSize({ width: narrower, height });
    const cut = await page.evaluate(() =>
      [...document.querySelectorAll('.table-wrap')]
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map(
          (wrap) => `${wrap.querySelector('table')?.ariaLabel}: ${wrap.scrollWidth} > ${wrap.clientWidth}`,
        ),
    );
    expect({ width: narrower, cut }).toEqual({ width: narrower, cut: [] });
  }
  await page.setViewportSize({ width, height });
};

describe.each(screens)('$screen', ({ screen, schemes, options }) => {
  let dashboard: DashboardPage;
  let requests: Requests;
  beforeAll(async () => {
    dashboard = await openDashboard(fixture, options);
    requests = collectRequests(dashboard.page);
  });
  afterAll(() => dashboard.close());

  /** In each colour scheme. Screenshots: desktop in both, phone in light. */
  const expectAllAccessible = async (name?: string, axe = true) => {
    const { page } = dashboard;
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme });
      await expectAccessible(page, requests, axe);
      if (!name || (screen === 'phone' && colorScheme === 'dark')) continue;
      await waitForAnimations(page);
      await page.evaluate(() => window.scrollTo(0, 0));
      await takeScreenshot(page, `dashboard/${name}`, screen === 'phone' ? 'phone' : colorScheme);
    }
  };

  const openAndCheck = async (pageCase: PageCase) => {
    const { name, path, ready, signedOut } = pageCase;
    const { page } = dashboard;
    if (screen === 'phone' && !signedOut && !process.env.TEST_ALL) {
      // As a link does, which takes less time than loading the page.
      await page.evaluate((to) => history.pushState(null, '', to), path());
    } else {
      // Between URLs that differ only in the fragment, a browser does not load the page again.
      if (path().includes('#')) await page.goto('about:blank');
      await page.goto(path());
    }
    await ready(page);
    const isInTurn = (pageCases.indexOf(pageCase) % 2 === 0) === (screen === 'desktop');
    await expectAllAccessible(name, isInTurn || Boolean(process.env.TEST_ALL));
    if (screen === 'desktop') await expectTablesToFit(page);
    expectNoErrors(dashboard);
  };

  test.each(pageCases.filter(({ signedOut }) => signedOut))('$name is accessible', openAndCheck);
  test('sign-in returns to the requested page', async () => {
    const { page } = dashboard;
    await page.goto(pathOf('/applications'));
    await heading(page, 'Sign in').waitFor();
    await signIn(page, { email: 'ada@northwind.example', password });
    await heading(page, 'Applications').waitFor();
  });
  test.each(pageCases.filter(({ signedOut }) => !signedOut))('$name is accessible', openAndCheck);

  test('modals are accessible', async () => {
    const { page } = dashboard;
    await page.goto(pathOf('/applications'));
    await button(page, 'New application').click();
    await modal(page, 'New application').waitFor();
    await expectAllAccessible('new-application');
    await page.keyboard.press('Escape');
    await modal(page, 'New application').waitFor({ state: 'detached' });
    await page.goto(pathOf(`/applications/${created.applicationId}/api-keys`));
    await button(page, 'New API key').click();
    await modal(page, 'New API key').getByLabel('Name').fill('For the screenshot');
    await button(page, 'Create API key').click();
    await modal(page, 'Your API key').waitFor();
    await expectAllAccessible('api-key-once');
    await page.keyboard.press('Escape');
    expect(await modal(page, 'Your API key').count()).toBe(1);
    await button(page, 'I’ve copied it').click();
    await button(page, 'Revoke For the screenshot').first().click();
    await page.getByRole('alertdialog').waitFor();
    await expectAllAccessible();
    await button(page.getByRole('alertdialog'), 'Revoke key').click();
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('user-12');
    await modal(page, 'Search').getByText('4 results').waitFor();
    await expectAllAccessible('search');
    await page.keyboard.press('Escape');
    expectNoErrors(dashboard);
  });

  test('Production without an application is accessible', async () => {
    const { page } = dashboard;
    await page.goto(pathOf('/connections'));
    const isPhone = screen === 'phone';
    if (isPhone) await button(page, 'Open the menu').click();
    const place = isPhone ? modal(page, 'Menu') : page;
    await place.getByText('Production', { exact: true }).click();
    if (isPhone) await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'No Production application yet' }).waitFor();
    await expectAllAccessible('production');
    expectNoErrors(dashboard);
  });
});

test('on a phone the navigation is behind a button and closes after navigation', async () => {
  const dashboard = await openDashboard(fixture, { viewport: { width: 360, height: 740 } });
  const { page } = dashboard;
  await page.goto('/dashboard');
  await signIn(page, { email: 'ada@northwind.example', password });
  await button(page, 'Open the menu').click();
  await page.getByRole('dialog', { name: 'Menu' }).waitFor();
  await expectNoAxeViolations(page);
  await takeScreenshot(page, 'dashboard/menu', 'phone');
  await navigateTo(page, 'Members');
  await page.getByRole('dialog', { name: 'Menu' }).waitFor({ state: 'detached' });
  expectNoErrors(dashboard);
  await dashboard.close();
});

test('what is searched with Ctrl-K is opened by Enter; Escape returns the focus', async () => {
  const dashboard = await openDashboard(fixture);
  const { page } = dashboard;
  await page.goto('/dashboard');
  await signIn(page, { email: 'ada@northwind.example', password });
  await heading(page, 'Overview').waitFor();
  const link = page.getByRole('link', { name: 'Members' });
  await link.focus();
  await page.keyboard.press('Control+k');
  const dialog = modal(page, 'Search');
  const field = dialog.getByRole('combobox');
  const option = (name: string | RegExp) => dialog.getByRole('option', { name });
  await option('Audit log').waitFor();
  await expectNoAxeViolations(page);
  await page.keyboard.press('Escape');
  await expect.poll(() => focusedName(page)).toBe('Members');

  await page.keyboard.press('Control+k');
  await field.fill('user-12');
  await dialog.getByText('4 results').waitFor();
  await option(/^user-1233 Sandbox Bank · Active · Budget app$/).waitFor();
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp', 'Enter']) await page.keyboard.press(key);
  await heading(page, /^user-1220/).waitFor();

  for (const [text, result] of [
    [created.connectionId.slice(0, 10), /^user-1207/],
    ['frankfurt', /^Backend, Frankfurt Budget app$/],
    ['budget app', /^Budget app Sandbox$/],
    ['nothing at all', null],
  ] as const) {
    await page.keyboard.press('Control+k');
    await field.fill(text);
    await dialog.getByText(result ? '1 result' : 'No results').waitFor();
    if (result) await option(result).waitFor();
    await page.keyboard.press('Escape');
  }

  await page.keyboard.press('Control+k');
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  for (const secret of [`sct_${'a'.repeat(72)}`, `eyJ${'a'.repeat(72)}`]) {
    await field.fill(secret);
    await dialog.getByText('This looks like a token or an API key.').waitFor();
    // Longer than the search waits for further keys.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
    // Neither is it sent once the field has another text.
    await field.fill('');
    await field.fill('nothing there');
    await dialog.getByText('No results').waitFor();
  }
  expect(requests.filter((url) => /nothing/.test(url))).not.toEqual([]);
  expect(requests.filter((url) => /sct_|eyJ/.test(url))).toEqual([]);
  expectNoErrors(dashboard);
  await dashboard.close();
});

test('Production is marked on each page, and its applications are chosen by the switch', async () => {
  const dashboard = await openDashboard(fixture);
  const { page } = dashboard;
  await page.goto('/dashboard');
  await signIn(page, { email: 'ada@northwind.example', password });
  await heading(page, 'Overview').waitFor();
  const marked = () =>
    page.locator('.shell').evaluate((shell) => getComputedStyle(shell, '::before').backgroundColor);
  const plain = await marked();
  await page.getByRole('radio', { name: 'Sandbox', checked: true }).waitFor();
  await page.getByText('Production', { exact: true }).click();
  await page.getByRole('heading', { name: 'No Production application yet' }).waitFor();
  expect(await marked()).not.toBe(plain);
  // Remembered in this browser.
  await page.reload();
  await page.getByRole('radio', { name: 'Production', checked: true }).waitFor();
  await navigateTo(page, 'Connections');
  await page.getByRole('heading', { name: 'No Production application yet' }).waitFor();

  // An address of a Sandbox application leads back there.
  await page.goto(`/dashboard/${created.organizationId}/connections?application=${created.applicationId}`);
  await page.getByRole('radio', { name: 'Sandbox', checked: true }).waitFor();
  await page.getByRole('link', { name: 'user-1207' }).click();
  await heading(page, /^user-1207/).waitFor();
  await page.getByText('Production', { exact: true }).click();
  await heading(page, 'Connections').waitFor();
  await page.getByRole('heading', { name: 'No Production application yet' }).waitFor();
  expectNoErrors(dashboard);
  await dashboard.close();
});

test('the focus stays where the user has moved it while a page loads', async () => {
  const dashboard = await openDashboard(fixture);
  const { page } = dashboard;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/assets/otherPages-*.js', async (route) => {
    await released;
    await route.continue();
  });
  await page.goto('/dashboard/account');
  await signIn(page, { email: 'ada@northwind.example', password });
  await heading(page, 'Dashboard').waitFor();
  await tabTo(page, /^Applications$/);
  release();
  await heading(page, 'Your account').waitFor();
  expect(await focusedName(page)).toBe('Applications');
  expectNoErrors(dashboard);
  await dashboard.close();
});

test('the heading of a page has the focus once the page is loaded', async () => {
  const dashboard = await openDashboard(fixture);
  const { page } = dashboard;
  await page.goto('/dashboard/account');
  await signIn(page, { email: 'ada@northwind.example', password });
  await expect.poll(() => focusedName(page)).toBe('Your account');
  await dashboard.close();
});

test('an unreachable service is reported, with a retry button', async () => {
  const dashboard = await openDashboard(fixture);
  const { page } = dashboard;
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
  await dashboard.close();
});
