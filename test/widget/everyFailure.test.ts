// Every failure screen in a real browser. `npm test` shows one variant of each set of actions, and page/words.test.ts checks the
// words of all failures. TEST_ALL=1 shows all failures in all variants. SCREENSHOTS=1 takes the screenshots in
// docs/screenshots/widget.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { changeApplication } from '../../src/domain/applications/applications.ts';
import { findApplication } from '../../src/domain/applications/store.ts';
import { findLinkSession } from '../../src/flows/link/store.ts';
import { makeId } from '../../src/platform/values/ids.ts';
import type { FailedReason } from '../../widget/page/failedReason.ts';
import { type Actions, actionTexts, failureActions } from '../page/failureActions.ts';
import { languages } from '../page/languages.ts';
import { collectRequests, launchBrowser } from '../support/browser.ts';
import { takeScreenshot, takesScreenshots } from '../support/screenshots.ts';
import { link } from '../support/testService.ts';
import {
  type HostPage,
  type HostPageOptions,
  nextLinkSession,
  requestLinkSession,
  startWidgetFixture,
  type WidgetFixture,
} from './hostPage.ts';
import { refusingConnector } from './refusingConnector.ts';
import {
  browserOptionsFor,
  expectIntactInDisplays,
  expectScreenIntact,
  labelText,
  pairwiseVariants,
  type ScreenTest,
  type ScreenVariant,
  screenVariants,
  shareAll,
  signIn,
  startScreenTest,
} from './screenTest.ts';

let fixture: WidgetFixture;
let misnamed: WidgetFixture;
let production: { id: string };
beforeAll(async () => {
  const limits = { connectorTimeoutSeconds: 1.5, importRetrySeconds: 0.1 };
  fixture = await startWidgetFixture({ connectors: [refusingConnector], slowStepMs: 60_000, limits });
  misnamed = await startWidgetFixture({ env: { BASE_URL: 'http://localhost:3000' } });
  production = await fixture.service.addApplication({
    environment: 'production',
    origins: [fixture.site.origin],
  });
});
afterAll(() => Promise.all([fixture.close(), misnamed.close()]));

/** Opens the widget at the sign-in form of Sandbox Bank. */
const toCredentials = async (variant: ScreenVariant, options: HostPageOptions = {}): Promise<ScreenTest> => {
  const screen = await startScreenTest(fixture, variant, { institutionId: 'sandbox-bank', ...options });
  await screen.host.open();
  if (!options.connectionId) await screen.proceed();
  return screen;
};

const usernameField = ({ host, t }: ScreenTest) => host.widget.getByLabel(labelText(t, 'username'));

const alertText = async ({ host }: ScreenTest): Promise<string | undefined> =>
  (await host.widget.getByRole('alert').allTextContents())[0]?.trim();

const signedInAs =
  (username: string, options?: () => HostPageOptions) =>
  async (variant: ScreenVariant): Promise<ScreenTest> => {
    const screen = await toCredentials(variant, options?.());
    await signIn(screen, username);
    return screen;
  };

/** Opens the widget with options for which the service creates no link session. */
const openedWith =
  (options: HostPageOptions) =>
  async (variant: ScreenVariant): Promise<ScreenTest> => {
    const screen = await startScreenTest(fixture, variant, options);
    await screen.host.open();
    return screen;
  };

const strictBank = (): HostPageOptions => ({ applicationId: production.id, institutionId: 'strict-bank' });

/** Gives too many wrong answers. */
const wrongAnswers = async (variant: ScreenVariant): Promise<ScreenTest> => {
  const screen = await signedInAs('otp')(variant);
  const { host, driver, t, proceed, heading } = screen;
  await heading(t.challenge.code);
  for (const left of [2, 1, 0]) {
    await driver.type(host.widget.getByRole('textbox'), '111111');
    await proceed();
    if (left) await host.widget.getByText(t.errors.attemptsLeft(left)).waitFor();
  }
  return screen;
};

const failedImport = async (variant: ScreenVariant): Promise<ScreenTest> => {
  const screen = await signedInAs('other', strictBank)(variant);
  await shareAll(screen);
  return screen;
};

const otherAccounts = async (variant: ScreenVariant): Promise<ScreenTest> => {
  const { connectionId } = await link(fixture.service, { username: 'usd' });
  return signedInAs('jpy', () => ({ connectionId }))(variant);
};

/** Changes the link session while the page shows the sign-in form, and then submits a step. */
const changedMeanwhile =
  (change: (session: Awaited<ReturnType<typeof nextLinkSession>>) => Promise<unknown>) =>
  async (variant: ScreenVariant): Promise<ScreenTest> => {
    const screen = await startScreenTest(fixture, variant, { institutionId: 'sandbox-bank' });
    const session = nextLinkSession(screen.host);
    await screen.host.open();
    await screen.proceed();
    await usernameField(screen).waitFor();
    await change(await session);
    await signIn(screen, 'good');
    return screen;
  };

const cancelled = changedMeanwhile((session) => requestLinkSession(fixture, session, 'DELETE'));

const expired = changedMeanwhile(({ id }) => {
  const expiresAt = new Date().toISOString();
  return fixture.service.service.db.write('link_sessions').where({ id }).update({ expiresAt });
});

/** A new user links twice at the same time, and the other link session's result is fetched first. */
const superseded = async (variant: ScreenVariant): Promise<ScreenTest> => {
  const externalUserId = `user-${JSON.stringify(variant)}`;
  const { promise: superseding, resolve: continueRequests } = Promise.withResolvers<void>();
  const screen = await startScreenTest(fixture, variant, {
    institutionId: 'sandbox-bank',
    externalUserId,
    before: (page) =>
      page.route(/sessions\/lks_\w+$/, async (route) => {
        await superseding;
        await route.continue();
      }),
  });
  const { host, t, heading, proceed } = screen;
  const session = nextLinkSession(screen.host);
  await host.open();
  await proceed();
  await signIn(screen, 'twins');
  await heading(t.accounts.title);
  await proceed();
  const { id } = await session;
  const { db } = fixture.service.service;
  await vi.waitUntil(async () => (await findLinkSession(db.read, id))?.state === 'finished', 30_000);
  await link(fixture.service, { username: 'twins', externalUserId });
  continueRequests();
  return screen;
};

/** Removes the origin from the application after the host page has loaded. */
const removedOrigin = async (variant: ScreenVariant): Promise<ScreenTest> => {
  const { id } = await fixture.service.addApplication({ origins: [fixture.site.origin] });
  const screen = await startScreenTest(fixture, variant, { applicationId: id });
  await screen.host.expectEvents('onInit');
  const { db } = fixture.service.service;
  const application = (await findApplication(db.read, id))!;
  await changeApplication(db.write, application, { change: { origins: [] }, now: new Date() });
  await screen.host.open();
  return screen;
};

/** The host page loads the script from a name of the service other than that in `BASE_URL`. */
const otherName = async (variant: ScreenVariant): Promise<ScreenTest> => {
  const screen = await startScreenTest(misnamed, variant);
  await screen.host.open();
  await screen.host.widget
    .getByText('This page must be opened at http://localhost:3000. Load connect.js from there')
    .waitFor();
  return screen;
};

type Failure = {
  reason: FailedReason;
  reach: (variant: ScreenVariant) => Promise<ScreenTest>;
  actions: Actions;
  /** The action that the test takes. */
  take?: 0 | 1;
  bank?: string;
  /** True to run without TEST_ALL: the first failure with its actions, or with its way of failing. */
  always?: true;
};

const failure = (reason: FailedReason, reach: Failure['reach']): Failure => ({
  ...{ reason, reach, actions: failureActions[reason] },
});
const atStrictBank = (username: string) => signedInAs(username, strictBank);
const unsigned: HostPageOptions = { externalUserId: 'user-1207', userSignature: `t=1,v1=${'0'.repeat(64)}` };
const unknownConnection: HostPageOptions = { connectionId: makeId('con') };
const [bank, always] = ['Strict Bank', true as const];
const failures: Failure[] = [
  { ...failure('wrong_credentials', failedImport), bank, always },
  failure('wrong_answer', wrongAnswers),
  failure('locked', signedInAs('locked')),
  failure('denied', signedInAs('push-denied')),
  failure('institution_down', signedInAs('down')),
  failure('institution_timeout', signedInAs('slow')),
  { ...failure('institution_incomplete', atStrictBank('partial')), bank },
  { ...failure('no_accounts', signedInAs('empty')), take: 1, always },
  { ...failure('accounts_mismatch', otherAccounts), always },
  { ...failure('user_action_required', atStrictBank('attention')), bank },
  { ...failure('internal', atStrictBank('fault')), bank },
  failure('cancelled', cancelled),
  failure('superseded', superseded),
  failure('session_expired', expired),
  failure('origin_not_allowed', removedOrigin),
  { ...failure('wrong_address', otherName), always },
  failure('unknown_user', openedWith(unsigned)),
  failure('unknown_connection', openedWith(unknownConnection)),
];

const inAllVariants = process.env.TEST_ALL !== undefined || takesScreenshots;
const variantsFor = (index: number): readonly ScreenVariant[] =>
  inAllVariants ? screenVariants : [pairwiseVariants[index % 2]!];
const cases = failures
  .filter(({ always }) => always || inAllVariants)
  .flatMap((failure, index) => variantsFor(index).map((variant) => ({ ...failure, variant })));

const screenshotOf = (reason: FailedReason): string => `failed-${reason.replaceAll('_', '-')}`;

const check = async (
  screen: ScreenTest,
  { reason, actions, take = 0, bank = 'Sandbox Bank' }: Failure,
  screenshot?: string,
): Promise<void> => {
  const { host, t, press, checkScreen, checkLayout } = screen;
  const { title, text } = t.failed.reasons[reason];
  // Failure screens differ only in their texts.
  await (reason === 'accounts_mismatch' ? checkScreen : checkLayout)(title, screenshot);
  expect(await host.widget.getByRole('alert').textContent()).toBe(text(bank));
  const labels = actions.map((action) => actionTexts[action](t));
  expect(await host.widget.locator('.footer button').allTextContents()).toEqual(labels);
  await press(labels[take]!);
  const action = actions[take];
  if (action === 'otherInstitution') await host.widget.getByRole('combobox').waitFor();
  else if (action === 'restart') await host.widget.locator('.consent-points').waitFor();
  else if (action !== 'close') await usernameField(screen).waitFor();
  if (action !== 'close') await press(t.close);
  await host.expectEvents('onInit', 'onExit');
};

describe.concurrent('a failure screen', () => {
  const title = '$reason ($variant.language, $variant.scheme, $variant.width px, by $variant.input)';
  test.for(cases)(title, { timeout: 120_000 }, async (failure) => {
    await check(await failure.reach(failure.variant), failure, screenshotOf(failure.reason));
  });
});

/** Expects that reduced motion stops all animations: at least the icon of the phone and the spinner. */
const expectReducedMotion = async ({ page, frame }: HostPage): Promise<void> => {
  const moving = async () => (await frame()).evaluate(() => document.getAnimations().length);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await vi.waitFor(async () => expect(await moving()).toBeGreaterThanOrEqual(2), 30_000);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await vi.waitFor(async () => expect(await moving()).toBe(0), 30_000);
};

describe('other screens with a problem', () => {
  const variants = takesScreenshots ? screenVariants : [pairwiseVariants[1]!];
  const rejectionsMax = 3;
  let limited: WidgetFixture;
  let strict: { id: string };
  beforeAll(async () => {
    const limits = { linkSignInsPerLogin: rejectionsMax };
    limited = await startWidgetFixture({ connectors: [refusingConnector], limits });
    strict = await limited.service.addApplication({ environment: 'production' });
  });
  afterAll(() => limited.close());

  test.for(inAllVariants ? variants : [])(
    'no institution is available ($language, $scheme, $width px)',
    async (variant) => {
      const withoutConnectors = await startWidgetFixture();
      const { id: applicationId } = await withoutConnectors.service.addApplication({
        environment: 'production',
      });
      const screen = await startScreenTest(withoutConnectors, variant, { applicationId });
      const { host, t, press, checkScreen, proceed } = screen;
      await host.open();
      await proceed();
      await checkScreen(t.institution.noInstitutions, 'no-institutions');
      await press(t.close);
      await host.expectEvents('onInit', 'onExit');
      await host.close();
      await withoutConnectors.close();
    },
  );

  test.for(variants)('an approval that times out ($language, $scheme, $width px)', async (variant) => {
    const before = (page: ScreenTest['host']['page']) => page.clock.install();
    const screen = await toCredentials(variant, { ...strictBank(), before });
    const { host, t, checkScreen, heading, proceed } = screen;
    await signIn(screen, 'unanswered');
    await heading(t.challenge.approval);
    await expectReducedMotion(host);
    await host.page.clock.fastForward(181_000);
    await host.widget.getByText(t.challenge.stillWaiting).waitFor();
    await checkScreen(t.challenge.approval, 'approval-waited');
    await proceed();
    await host.widget.getByText(t.challenge.waiting).waitFor();
  });

  test.for(variants)(
    'a sign-in waits for the network, rejections count down the attempts, too many have to wait, and the fifth ends the session ($language, $scheme, $width px)',
    async (variant) => {
      const { id: applicationId } = strict;
      const screen = await startScreenTest(limited, variant, { applicationId, institutionId: 'strict-bank' });
      const { host, driver, t, checkLayout, heading, proceed } = screen;
      const username = ['rotates', 'twins', 'moves'][variants.indexOf(variant)]!;
      const rejected = t.errors.wrong_credentials('Sandbox Bank');
      await host.open();
      await proceed();
      await signIn(screen, 'last-code');
      await heading(t.challenge.code);
      await driver.type(host.widget.getByRole('textbox'), '111111');
      await proceed();
      // The page shows, without a number, that no attempts are left.
      await expect.poll(() => alertText(screen)).toBe(t.errors.wrong_answer('Strict Bank'));
      await host.reload({ applicationId: limited.service.application.id, institutionId: 'sandbox-bank' });
      await host.open();
      await proceed();
      await usernameField(screen).waitFor();
      await host.page.context().setOffline(true);
      await signIn(screen, username, 'nonsense');
      await host.widget.getByText(t.offline).waitFor();
      expect(await usernameField(screen).isDisabled()).toBe(true);
      await checkLayout(t.credentials.title('Sandbox Bank'), 'offline');
      await host.page.context().setOffline(false);
      await host.widget.getByText(t.errors.attemptsLeft(2)).waitFor();
      await signIn(screen, username, 'nonsense');
      await host.widget.getByText(t.errors.attemptsLeft(1)).waitFor();
      await signIn(screen, username, 'nonsense');
      await expect.poll(() => alertText(screen)).toBe(rejected);
      await checkLayout(t.credentials.title('Sandbox Bank'), 'wrong-credentials-last');
      await signIn(screen, username, 'nonsense');
      const minutes = Array.from({ length: 15 }, (_, at) => t.errors.tooManySignIns(at + 1));
      await expect.poll(() => alertText(screen)).toBeOneOf(minutes);
      await checkLayout(t.credentials.title('Sandbox Bank'));
      expect(await host.widget.getByText(t.offline).count()).toBe(0);
      // The form can be resubmitted after the wait.
      limited.service.advance(15 * 60_000);
      await signIn(screen, username, 'nonsense');
      await expect.poll(() => alertText(screen)).toContain(rejected);
      await signIn(screen, username, 'absurd');
      const fifth = failure('wrong_credentials', async () => screen);
      await check(screen, { ...fifth, actions: ['restart', 'close'] });
    },
  );
});

describe('in a native application', () => {
  /** Opens the page like a web view, with messages over the bridge. */
  const open = async (variant: ScreenVariant, applicationId: string) => {
    const context = await (await launchBrowser()).newContext({
      ...browserOptionsFor(variant),
      reducedMotion: 'reduce',
    });
    await context.addInitScript(() => {
      window.ReactNativeWebView = { postMessage: () => undefined };
    });
    const page = await context.newPage();
    await page.goto(`${fixture.service.url}/connect?application=${applicationId}`);
    await page.evaluate((language) => {
      window.serviceConnectPage!({ serviceConnect: 1, kind: 'handshake', language });
    }, variant.language);
    await page.waitForFunction((language) => document.documentElement.lang === language, variant.language);
    await page.evaluate(() => window.serviceConnectPage!({ serviceConnect: 1, kind: 'open', openId: 1 }));
    return page;
  };

  // widget-native/native.test.ts also shows the first failure.
  const reasons = inAllVariants
    ? (['native_not_allowed', 'unknown_application'] as const)
    : (['unknown_application'] as const);
  test.for(reasons.flatMap((reason, at) => variantsFor(at).map((variant) => ({ reason, variant }))))(
    '$reason ($variant.language, $variant.scheme, $variant.width px)',
    async ({ reason, variant }) => {
      const { id } = fixture.service.application;
      const page = await open(variant, reason === 'native_not_allowed' ? id : makeId('app'));
      const { title, text } = languages[variant.language].failed.reasons[reason];
      await page.getByRole('heading', { name: title }).waitFor();
      expect(await page.getByRole('alert').textContent()).toBe(text());
      await expectIntactInDisplays(page, page, variant);
      if (variant.language === 'en')
        await takeScreenshot(page, `widget/${screenshotOf(reason)}`, variant.screenshots);
    },
  );

  test.for(takesScreenshots ? screenVariants : [pairwiseVariants[0]!])(
    'a page without a host says so, and sends no requests ($width px)',
    async (variant) => {
      const context = await (await launchBrowser()).newContext({
        ...browserOptionsFor(variant),
        locale: variant.language,
      });
      const page = await context.newPage();
      const requests = collectRequests(page);
      await page.goto(`${fixture.service.url}/connect?application=${fixture.service.application.id}`);
      await page.getByText(languages[variant.language].noHost).waitFor();
      expect(await page.getByRole('button').count()).toBe(0);
      expect(requests.urls().filter((url) => url.includes('/api/'))).toEqual([]);
      await expectScreenIntact(page, variant.language);
      if (variant.language === 'en') await takeScreenshot(page, 'widget/no-host', variant.screenshots);
    },
  );
});
