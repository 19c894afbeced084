// Every page in a real browser, with axe and without requests to other origins: alternately on a desktop in light colors and on a
// phone of 360 pixels in dark colors. With TEST_ALL=1 every page is loaded on both, in both color schemes. SCREENSHOTS=1 takes
// the screenshots in docs/screenshots/dashboard.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '../../client/index.ts';
import { createApiKey } from '../../src/domain/applications/apiKeys.ts';
import { createApplication } from '../../src/domain/applications/applications.ts';
import { byOperator } from '../../src/domain/audit/by.ts';
import { invite } from '../../src/domain/members/invitations.ts';
import {
  createOrganizationToken,
  type NewOrganizationToken,
} from '../../src/domain/members/organizationTokens.ts';
import { days, seconds } from '../../src/platform/values/clock.ts';
import {
  collectRequests,
  expectNoAxeViolations,
  type Requests,
  waitForAnimations,
} from '../support/browser.ts';
import { takeScreenshot, takesScreenshots } from '../support/screenshots.ts';
import { hostOrigin, link, type TestApplication } from '../support/testService.ts';
import {
  button,
  type DashboardPage,
  expectNoErrors,
  focusedName,
  heading,
  modal,
  navigateTo,
  openDashboard,
  password,
  signIn,
  tabTo,
  useOwnerDashboard,
} from './fixture.ts';
import { createSampleAccesses } from './sampleAccesses.ts';
import { insertSampleLinkSessions } from './sampleLinkSessions.ts';
import { insertSampleMetrics } from './sampleMetrics.ts';
import { insertSampleWebhooks } from './sampleWebhooks.ts';

const owner = useOwnerDashboard();
const created = {
  applicationId: '',
  connectionId: '',
  needsReconnectId: '',
  limitedId: '',
  endpointId: '',
  invitation: '',
};

beforeAll(async () => {
  const { service } = owner.server;
  const by = byOperator(owner.organizationId, new Date());
  const budgetApp = { name: 'Budget app', environment: 'sandbox' as const, origins: [hostOrigin] };
  const { id } = await createApplication(service.db, budgetApp, by);
  const key = { applicationId: id, name: 'Backend, Frankfurt' };
  const { keyId, apiKey } = await createApiKey(service.db, service.apiKeySigner, key, by);
  const tokenDeps = { db: service.db, keys: service.apiKeySigner.tokenKeys };
  const expiresAt = new Date(Date.now() + days(90));
  const token = { name: 'CI, checkout', role: 'developer' as const, scopes: ['read', 'sandbox'], expiresAt };
  const byAda = { ...by, actor: { ...by.actor, email: 'ada@northwind.example' } };
  await createOrganizationToken(tokenDeps, token as NewOrganizationToken, byAda);
  created.applicationId = id;
  await linkUsers({ id, apiKey, keyId });
  await insertSampleMetrics(service, { applicationId: id, keyId });
  await breakCredentials(owner.page);
  await insertSampleLinkSessions(service, created);
  created.endpointId = await insertSampleWebhooks(service, {
    applicationId: id,
    connectionIds: [created.connectionId, created.needsReconnectId],
  });
  const invitation = { email: 'lin@northwind.example', role: 'developer' } as const;
  created.invitation = (await invite(service.members, invitation, by)).url;
}, 120_000);

/** Links some users and reads with their tokens. */
const linkUsers = async (application: TestApplication): Promise<void> => {
  const service = { url: owner.url, application };
  const { connectionId, scopedToken } = await link(service, { externalUserId: 'user-1207' });
  created.connectionId = connectionId;
  const scopedTokens = [scopedToken!];
  for (const externalUserId of ['user-1220', 'user-1233', 'user-1298', undefined]) {
    const institutionId = externalUserId ? 'sandbox-bank' : undefined;
    scopedTokens.push((await link(service, { externalUserId, institutionId })).scopedToken!);
  }
  await createSampleAccesses({ url: owner.url, apiKey: application.apiKey, scopedTokens });
  created.needsReconnectId = (await link(service, { externalUserId: 'user-1311' })).connectionId;
  created.limitedId = await linkLimited(service);
  const client = createClient({ baseUrl: owner.url, apiKey: application.apiKey, scopedToken });
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

/** A connection that its bank has paused, whose consent is about to end, and which has a lagging account. */
const linkLimited = async (service: Parameters<typeof link>[0]): Promise<string> => {
  const { connectionId, accounts } = await link(service, {
    ...{ username: 'consent-90', externalUserId: 'user-1320' },
  });
  const { db, clock } = owner.server.service;
  const notBefore = new Date(clock.real().getTime() + seconds(5 * 3600)).toISOString();
  await db
    .write('jobs')
    .where({ connectionId })
    .update({ notBefore, lastFailure: 'institution_rate_limited' });
  await db.write('connections').where({ id: connectionId }).update({ laggingAccountIds: accounts[0]!.id });
  return connectionId;
};

const breakCredentials = async (page: Page): Promise<void> => {
  await page.goto(pathOf('/applications/:applicationId/connections/:needsReconnectId'));
  await button(page, 'Break credentials').click();
  await button(page.getByRole('alertdialog'), 'Break them').click();
  await page.getByText('Credentials broken').waitFor();
  await button(page, 'Refresh now').click();
  await page.getByText('The user must reconnect.').waitFor();
};

/** A path in the organization, in which `:applicationId` and others are replaced by the ids of `created`. */
const pathOf = (path: string): string =>
  `/dashboard/${owner.organizationId}${path.replace(/:(\w+)/g, (_, name: keyof typeof created) => created[name])}`;

type Ready = (page: Page) => Promise<void>;
const showsRow =
  (table: string): Ready =>
  (page) =>
    page.getByRole('table', { name: table }).getByRole('cell').filter({ hasText: /\w/ }).first().waitFor();
const showsText =
  (text: string): Ready =>
  (page) =>
    page.getByText(text).first().waitFor();

const showsOverview: Ready = async (page) => {
  await page.getByRole('img', { name: /requests, .* refused/ }).waitFor();
  await page.getByRole('table', { name: 'Operations' }).waitFor();
};
const showsConnection: Ready = async (page) => {
  await showsText('The user must reconnect.')(page);
  await page.getByRole('status').getByText('The bank rejected the credentials.').waitFor();
  await page.getByText('Credentials broken in the sandbox').waitFor();
  expect(await button(page, 'Refresh now').count()).toBe(0);
  await page.getByText(/^Accepted .* in English$/).click();
  await page.getByText('By selecting “Agree and continue”').waitFor();
};
const showsLimits: Ready = async (page) => {
  await showsText('Paused by the bank until')(page);
  await showsText('Consent ends')(page);
  await showsText('no longer lists it')(page);
};
const showsLinkSessions: Ready = async (page) => {
  await page.getByRole('list', { name: 'How far users get' }).waitFor();
  await showsRow('By bank')(page);
  await showsRow('Link sessions')(page);
};
const showsMembers: Ready = async (page) => {
  await showsRow('Members')(page);
  await showsRow('Open invitations')(page);
};
const showsAccount: Ready = async (page) => {
  await showsRow('Sessions')(page);
  await showsText('No passkey yet')(page);
};

/** A page: its name, its path, and a text that it shows once it is complete. */
type PageCase = [name: string, path: () => string, ready: Ready];

const signedOutPages: PageCase[] = [
  ['sign-in', () => '/dashboard/sign-in', showsText('Forgot your password?')],
  ['invitation', () => created.invitation, showsText('Choose a password')],
  [
    'invitation-expired',
    () => `/dashboard/invitation#${'x'.repeat(43)}`,
    showsText('This link no longer works'),
  ],
  ['reset', () => '/dashboard/reset#token', showsText('Set password')],
];

const inOrganization = (name: string, path: string, ready: Ready): PageCase => [
  name,
  () => pathOf(path),
  ready,
];
const ofApplication = (name: string, path: string, ready: Ready): PageCase =>
  inOrganization(name, `/${path}application=:applicationId`, ready);
const application = '/applications/:applicationId';

const signedInPages: PageCase[] = [
  ofApplication('overview', 'overview?range=day&', showsOverview),
  ofApplication('connections', 'connections?', showsRow('Connections')),
  ofApplication('connections-no-match', 'connections?search=nobody&', showsText('No matching connections')),
  inOrganization('connection', `${application}/connections/:needsReconnectId`, showsConnection),
  inOrganization('connection-limits', `${application}/connections/:limitedId`, showsLimits),
  ofApplication('link-sessions', 'link-sessions?', showsLinkSessions),
  ofApplication('requests', 'requests?', showsRow('Requests')),
  ofApplication('webhooks', 'webhooks?', showsRow('Endpoints')),
  inOrganization('webhook-endpoint', `${application}/webhooks/:endpointId`, showsRow('Deliveries')),
  ofApplication('simplefin', 'simplefin?', showsRow('Apps with access')),
  inOrganization('applications', '/applications', showsRow('Applications')),
  inOrganization('application', application, showsText('Native applications may open the widget')),
  inOrganization('api-keys', `${application}/api-keys`, showsRow('API keys')),
  inOrganization('code', `${application}/code`, showsText('ServiceConnect.init')),
  inOrganization('sandbox', '/sandbox', showsRow('Test users')),
  inOrganization('members', '/members', showsMembers),
  inOrganization('tokens', '/tokens', showsRow('Organization tokens')),
  inOrganization('audit', '/audit', showsRow('Audit log')),
  ['account', () => '/dashboard/account', showsAccount],
  inOrganization('not-found', '/nothing', showsText('Page not found')),
];

const isComplete = Boolean(process.env.TEST_ALL) || takesScreenshots;

type Look = { colorScheme: 'light' | 'dark'; viewport: { width: number; height: number } };
const desktop = { width: 1280, height: 860 };
const phone = { width: 360, height: 740 };
const looksInTurn: Look[] = [
  { colorScheme: 'dark', viewport: phone },
  { colorScheme: 'light', viewport: desktop },
];
let turn = 0;

const screens = [
  ...(isComplete ? [{ screen: 'desktop', options: { viewport: desktop } }] : []),
  { screen: 'phone', options: { viewport: phone, deviceScaleFactor: isComplete ? 2 : 1, hasTouch: true } },
];

/** The checks that every page must pass: no horizontal scrolling, a title, one h1, no requests to other origins. */
const expectComplete = async (page: Page, requests: Requests): Promise<void> => {
  const checks = await page.evaluate(() => ({
    overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    hasTitle: document.title.endsWith('· Bank Connection'),
    headings: document.querySelectorAll('h1').length,
  }));
  expect(checks).toEqual({ overflow: 0, hasTitle: true, headings: 1 });
  requests.expectOnlyTo(owner.url);
};

/** At widths between phone and desktop, a table fills its container without being cut off. */
const expectTablesToFit = async (page: Page): Promise<void> => {
  const wraps = page.locator('.table-wrap');
  if ((await wraps.count()) === 0) return;
  const cutTables = () =>
    wraps.evaluateAll((all) =>
      all
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map(
          (wrap) => `${wrap.querySelector('table')?.ariaLabel}: ${wrap.scrollWidth} > ${wrap.clientWidth}`,
        ),
    );
  for (const width of isComplete ? [768, 1024] : [768]) {
    await page.setViewportSize({ width, height: desktop.height });
    await expect.poll(cutTables, { message: `${width} px` }).toEqual([]);
  }
};

/** Changes the route as a link does, which takes less time than loading the page. */
const followLink = (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => history.pushState(null, '', to), path);

describe.each(screens)('$screen', ({ screen, options }) => {
  let dashboard: DashboardPage;
  let requests: Requests;
  beforeAll(async () => {
    dashboard = await openDashboard(owner, options);
    requests = collectRequests(dashboard.page);
  });
  afterEach(() => expectNoErrors(dashboard));
  afterAll(() => dashboard.close());

  const { viewport } = options;
  const allLooks: Look[] = [
    { colorScheme: 'light', viewport },
    { colorScheme: 'dark', viewport },
  ];

  /** By default checks one of two looks in turn, otherwise both color schemes. Screenshots: desktop in both, phone in light. */
  const expectAllAccessible = async (name?: string) => {
    const { page } = dashboard;
    for (const look of isComplete ? allLooks : [looksInTurn[turn++ % 2]!]) {
      await page.emulateMedia({ colorScheme: look.colorScheme });
      await page.setViewportSize(look.viewport);
      await expectNoAxeViolations(page);
      await expectComplete(page, requests);
      if (!name || (screen === 'phone' && look.colorScheme === 'dark')) continue;
      await waitForAnimations(page);
      await page.evaluate(() => window.scrollTo(0, 0));
      await takeScreenshot(page, `dashboard/${name}`, screen === 'phone' ? 'phone' : look.colorScheme);
    }
  };

  const openAndCheck = async (...[name, path, ready]: PageCase) => {
    const { page } = dashboard;
    await page.setViewportSize(viewport);
    if (!signedOutPages.some(([other]) => other === name) && !isComplete) await followLink(page, path());
    else {
      // Browsers do not reload a page when only the fragment of the URL changes.
      if (path().includes('#')) await page.goto('about:blank');
      await page.goto(path());
    }
    await ready(page);
    await expectComplete(page, requests);
    await expectAllAccessible(name);
    await expectTablesToFit(page);
  };

  test.each(signedOutPages)('%s is accessible', openAndCheck);
  test('sign-in returns to the requested page', async () => {
    const { page } = dashboard;
    await page.goto(pathOf('/applications'));
    await heading(page, 'Sign in').waitFor();
    await signIn(page, { email: 'ada@northwind.example', password });
    await heading(page, 'Applications').waitFor();
  });
  test.each(signedInPages)('%s is accessible', openAndCheck);

  test('modals are accessible', async () => {
    const { page } = dashboard;
    await page.setViewportSize(viewport);
    await followLink(page, pathOf('/applications'));
    await button(page, 'New application').click();
    await modal(page, 'New application').waitFor();
    await expectAllAccessible('new-application');
    await page.keyboard.press('Escape');
    await modal(page, 'New application').waitFor({ state: 'detached' });
    await followLink(page, pathOf('/tokens'));
    await button(page, 'New token').click();
    await modal(page, 'New organization token').waitFor();
    await expectAllAccessible();
    await page.keyboard.press('Escape');
    await modal(page, 'New organization token').waitFor({ state: 'detached' });
    await followLink(page, pathOf('/applications/:applicationId/api-keys'));
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
  });

  test('Production without an application is accessible', async () => {
    const { page } = dashboard;
    await page.setViewportSize(viewport);
    await followLink(page, pathOf('/connections'));
    const isPhone = screen === 'phone';
    if (isPhone) await button(page, 'Open the menu').click();
    const place = isPhone ? modal(page, 'Menu') : page;
    await place.getByText('Production', { exact: true }).click();
    if (isPhone) await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'No Production application yet' }).waitFor();
    await expectAllAccessible('production');
  });
});

test('on a phone the navigation is behind a button and closes after navigation', async () => {
  const { page } = owner;
  await page.setViewportSize(phone);
  await owner.open('overview');
  await button(page, 'Open the menu').click();
  await page.getByRole('dialog', { name: 'Menu' }).waitFor();
  await expectNoAxeViolations(page);
  await takeScreenshot(page, 'dashboard/menu', 'phone');
  await navigateTo(page, 'Members');
  await page.getByRole('dialog', { name: 'Menu' }).waitFor({ state: 'detached' });
  await page.setViewportSize(desktop);
});

test('Ctrl-K searches, Enter opens the result, and Escape returns the focus', async () => {
  const { page } = owner;
  await followLink(page, pathOf('/overview'));
  await heading(page, 'Overview').waitFor();
  const link = page.getByRole('link', { name: 'Members' });
  await link.focus();
  await page.keyboard.press('Control+k');
  const dialog = modal(page, 'Search');
  const field = dialog.getByRole('combobox');
  const option = (name: string | RegExp) => dialog.getByRole('option', { name });
  await option('Audit log').waitFor();
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
    // Longer than the search waits for further typing.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
    // Nor is a request sent once the field has another text.
    await field.fill('');
    await field.fill('nothing there');
    await dialog.getByText('No results').waitFor();
  }
  expect(requests.filter((url) => /nothing/.test(url))).not.toEqual([]);
  expect(requests.filter((url) => /sct_|eyJ/.test(url))).toEqual([]);
  await page.keyboard.press('Escape');
});

test('Production is marked on each page, and its applications are chosen by the switch', async () => {
  const { page } = owner;
  await followLink(page, pathOf('/overview'));
  await heading(page, 'Overview').waitFor();
  const marked = () =>
    page.locator('.shell').evaluate((shell) => getComputedStyle(shell, '::before').backgroundColor);
  const plain = await marked();
  await page.getByRole('radio', { name: 'Sandbox', checked: true }).waitFor();
  await page.getByText('Production', { exact: true }).click();
  await page.getByRole('heading', { name: 'No Production application yet' }).waitFor();
  expect(await marked()).not.toBe(plain);
  // This browser remembers the choice.
  await page.reload();
  await page.getByRole('radio', { name: 'Production', checked: true }).waitFor();
  await navigateTo(page, 'Connections');
  await page.getByRole('heading', { name: 'No Production application yet' }).waitFor();

  // The URL of a Sandbox application leads back to the Sandbox.
  await page.goto(`/dashboard/${owner.organizationId}/connections?application=${created.applicationId}`);
  await page.getByRole('radio', { name: 'Sandbox', checked: true }).waitFor();
  await page.getByRole('link', { name: 'user-1207' }).click();
  await heading(page, /^user-1207/).waitFor();
  await page.getByText('Production', { exact: true }).click();
  await heading(page, 'Connections').waitFor();
  await page.getByRole('heading', { name: 'No Production application yet' }).waitFor();
});

test('the heading of a page gets the focus, unless the user has moved it while the page loads', async () => {
  const { page } = owner;
  await page.context().clearCookies();
  await page.goto('/dashboard/account');
  await signIn(page, { email: 'ada@northwind.example', password });
  await expect.poll(() => focusedName(page)).toBe('Your account');
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/assets/otherPages-*.js', async (route) => {
    await released;
    await route.continue();
  });
  await page.goto('/dashboard/account');
  await heading(page, 'Dashboard').waitFor();
  await tabTo(page, /^Applications$/);
  release();
  await heading(page, 'Your account').waitFor();
  expect(await focusedName(page)).toBe('Applications');
});

test('an unreachable service is reported, with a retry button', async () => {
  const { page } = owner;
  await page.route('**/members', (route) => route.abort());
  await navigateTo(page, 'Members');
  await page.getByRole('alert').getByText('The service cannot be reached.').waitFor();
  await expectNoAxeViolations(page);
  await page.unroute('**/members');
  await button(page, 'Try again').first().click();
  await showsRow('Members')(page);
  // The browser reports the request that failed.
  expect(owner.errors.splice(0)).toContain('Failed to load resource: net::ERR_FAILED');
});
