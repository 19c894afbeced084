// Every way in which it does not work, reached in a real browser: each says what happened and what to do, and offers
// it. One look at each in npm test; TEST_ALL=1 looks in every language, size and colour, by mouse and by keys, and
// SCREENSHOTS=DIRECTORY takes the pictures of docs/widget.md.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { changeApplication } from '../../src/applications/changeApplication.ts';
import { findApplication } from '../../src/applications/store.ts';
import { findLinkSession } from '../../src/linking/store.ts';
import type { FailedReason } from '../../widget/page/sessionController.ts';
import { launchBrowser } from '../support/browser.ts';
import { link } from '../support/testService.ts';
import { type HostPageOptions, type WidgetFixture, startWidgetFixture } from './hostPage.ts';
import { screenshotDirectory, takeScreenshot } from './screenshots.ts';
import { refusingConnector } from './refusingConnector.ts';
import {
  browserOptionsFor,
  expectScreenIntact,
  languages,
  pairwiseVariants,
  startScreenTest,
  shareAll,
  signIn,
  type ScreenTest,
  type ScreenVariant,
  screenVariants,
} from './screenTest.ts';

let stage: WidgetFixture;
let production: { id: string };
beforeAll(async () => {
  const limits = { connectorTimeoutSeconds: 1.5, importRetrySeconds: 0.1 };
  stage = await startWidgetFixture({ connectors: [refusingConnector], slowStepMs: 60_000, limits });
  production = await stage.service.addApplication({
    environment: 'production',
    origins: [stage.site.origin],
  });
});
afterAll(() => stage.close());

/** Comes to the sign-in form of a bank. */
const toCredentials = async (walk: ScreenVariant, options: HostPageOptions = {}): Promise<ScreenTest> => {
  const visitor = await startScreenTest(stage, walk, { institutionId: 'sandbox-bank', ...options });
  await visitor.host.open();
  if (!options.connectionId) await visitor.press(visitor.t.continue);
  return visitor;
};

const as =
  (username: string, options?: () => HostPageOptions) =>
  async (walk: ScreenVariant): Promise<ScreenTest> => {
    const visitor = await toCredentials(walk, options?.());
    await signIn(visitor, username);
    return visitor;
  };

/** Opens with options for which the service starts no session. */
const opened =
  (options: HostPageOptions) =>
  async (walk: ScreenVariant): Promise<ScreenTest> => {
    const visitor = await startScreenTest(stage, walk, options);
    await visitor.host.open();
    return visitor;
  };

const strict = (): HostPageOptions => ({ applicationId: production.id, institutionId: 'strict-bank' });

/** Too many wrong answers. */
const wrongAnswers = async (walk: ScreenVariant): Promise<ScreenTest> => {
  const visitor = await as('otp')(walk);
  const { host, hands, t, press } = visitor;
  for (const left of [2, 1, 0]) {
    await hands.type(host.widget.getByLabel('Code sent'), '1');
    await press(t.continue);
    if (left) await host.widget.getByText(t.errors.attemptsLeft(left)).waitFor();
  }
  return visitor;
};

const refusedImport = async (walk: ScreenVariant): Promise<ScreenTest> => {
  const visitor = await as('anybody', strict)(walk);
  await shareAll(visitor);
  return visitor;
};

const otherAccounts = async (walk: ScreenVariant): Promise<ScreenTest> => {
  const { connectionId } = await link(stage.service, { username: 'usd' });
  return as('jpy', () => ({ connectionId }))(walk);
};

type Started = { session: { id: string; secret: string } };

/** The session of a visitor who is only just opening. */
const sessionOf = async ({ host }: ScreenTest): Promise<Started['session']> => {
  const created = await host.page.waitForResponse((response) =>
    response.url().endsWith('/api/link-sessions'),
  );
  return ((await created.json()) as Started).session;
};

/** The user left in another way than by this page, which goes on nevertheless. */
const abandoned = async (walk: ScreenVariant): Promise<ScreenTest> => {
  const visitor = await startScreenTest(stage, walk, { institutionId: 'sandbox-bank' });
  const session = sessionOf(visitor);
  await visitor.host.open();
  await visitor.press(visitor.t.continue);
  await visitor.host.widget.getByLabel('Username').waitFor();
  const { id, secret } = await session;
  const headers = { authorization: `Bearer ${secret}` };
  await fetch(`${stage.service.url}/connect/api/link-sessions/${id}`, { method: 'DELETE', headers });
  await signIn(visitor, 'good');
  return visitor;
};

/** The same new user connects twice at once, and the other one's result is shown first. */
const superseded = async (walk: ScreenVariant): Promise<ScreenTest> => {
  const externalUserId = `user-${JSON.stringify(walk)}`;
  const { promise: finished, resolve: hasFinished } = Promise.withResolvers<void>();
  const visitor = await startScreenTest(stage, walk, {
    institutionId: 'sandbox-bank',
    externalUserId,
    before: (page) =>
      page.route(/sessions\/lks_\w+$/, async (route) => {
        await finished;
        await route.continue();
      }),
  });
  const { host, t, press, heading } = visitor;
  const session = sessionOf(visitor);
  await host.open();
  await press(t.continue);
  await signIn(visitor, 'twins');
  await heading(t.accounts.title);
  await press(t.continue);
  const { id } = await session;
  const { db } = stage.service.service;
  await vi.waitUntil(async () => (await findLinkSession(db.read, id))?.state === 'finished', 30_000);
  await link(stage.service, { username: 'twins', externalUserId });
  hasFinished();
  return visitor;
};

/** The origin was allowed when the host page was loaded, and no longer is. */
const originWithdrawn = async (walk: ScreenVariant): Promise<ScreenTest> => {
  const { id } = await stage.service.addApplication({ origins: [stage.site.origin] });
  const visitor = await startScreenTest(stage, walk, { applicationId: id });
  await visitor.host.expectEvents('onInit');
  const { db } = stage.service.service;
  const application = (await findApplication(db.read, id))!;
  await changeApplication(db.write, application, { change: { origins: [] }, now: new Date() });
  await visitor.host.open();
  return visitor;
};

type Failure = {
  reason: FailedReason;
  reach: (walk: ScreenVariant) => Promise<ScreenTest>;
  /** What the button says that leads on, and where it leads. */
  offered: 'tryAgain' | 'otherInstitution' | 'restart' | 'close';
  bank?: string;
};

const unsigned: HostPageOptions = { externalUserId: 'user-1207', userSignature: '0'.repeat(64) };
const failures: Failure[] = [
  { reason: 'wrong_credentials', reach: refusedImport, offered: 'tryAgain', bank: 'Strict Bank' },
  { reason: 'wrong_answer', reach: wrongAnswers, offered: 'tryAgain' },
  { reason: 'locked', reach: as('locked'), offered: 'otherInstitution' },
  { reason: 'denied', reach: as('push-denied'), offered: 'tryAgain' },
  { reason: 'institution_down', reach: as('down'), offered: 'tryAgain' },
  { reason: 'institution_timeout', reach: as('slow'), offered: 'tryAgain' },
  { reason: 'no_accounts', reach: as('empty'), offered: 'otherInstitution' },
  { reason: 'accounts_mismatch', reach: otherAccounts, offered: 'tryAgain' },
  {
    reason: 'user_action_required',
    reach: as('attention', strict),
    offered: 'tryAgain',
    bank: 'Strict Bank',
  },
  { reason: 'internal', reach: as('fault', strict), offered: 'tryAgain', bank: 'Strict Bank' },
  { reason: 'cancelled', reach: abandoned, offered: 'restart' },
  { reason: 'superseded', reach: superseded, offered: 'restart' },
  { reason: 'origin_not_allowed', reach: originWithdrawn, offered: 'close' },
  { reason: 'unknown_user', reach: opened(unsigned), offered: 'close' },
  { reason: 'unknown_connection', reach: opened({ connectionId: 'con_0' }), offered: 'close' },
];

const looksAt = (at: number): readonly ScreenVariant[] =>
  screenVariants === pairwiseVariants ? [pairwiseVariants[at % pairwiseVariants.length]!] : screenVariants;
type Case = Failure & { walk: ScreenVariant };
const cases: Case[] = failures.flatMap((failure, at) => looksAt(at).map((walk) => ({ ...failure, walk })));

const check = async (
  visitor: ScreenTest,
  { reason, offered, bank = 'Sandbox Bank' }: Failure,
): Promise<void> => {
  const { host, t, press, look } = visitor;
  const { title, text } = t.failed.reasons[reason];
  await look(title, `failed-${reason.replaceAll('_', '-')}`);
  expect(await host.widget.getByRole('alert').textContent()).toBe(text(bank));
  const leave = offered === 'close';
  await press(leave ? t.close : t.failed[offered]);
  if (offered === 'tryAgain') await host.widget.getByLabel('Username').waitFor();
  if (offered === 'otherInstitution') await host.widget.getByRole('searchbox').waitFor();
  if (offered === 'restart') await host.widget.getByText(t.consent.agree).waitFor();
  if (!leave) await press(t.close);
  await host.expectEvents('onInit', 'onExit');
  await host.close();
};

describe.concurrent('says what happened, what to do, and offers it', () => {
  const title = '$reason ($walk.language, $walk.scheme, $walk.width px, by $walk.by)';
  test.for(cases)(title, { timeout: 120_000 }, async (failure) => {
    await check(await failure.reach(failure.walk), failure);
  });
});

describe('and others that are no failure of the session', () => {
  const one = screenshotDirectory ? screenVariants : [pairwiseVariants[1]!];

  test.for(one)('no bank is available yet ($language, $scheme, $width px)', async (walk) => {
    const own = await startWidgetFixture();
    const { id } = await own.service.addApplication({
      environment: 'production',
      origins: [own.site.origin],
    });
    const { host, t, press, look } = await startScreenTest(own, walk, { applicationId: id });
    await host.open();
    await press(t.continue);
    await look(t.institution.noInstitutions, 'no-institutions');
    await press(t.close);
    await host.expectEvents('onInit', 'onExit');
    await host.close();
    await own.close();
  });

  test.for(one)('an approval that does not come ($language, $scheme, $width px)', async (walk) => {
    const before = (page: ScreenTest['host']['page']) => page.clock.install();
    const visitor = await toCredentials(walk, { before });
    const { host, t, press, look, heading } = visitor;
    await signIn(visitor, 'push-denied');
    await heading(t.challenge.approval);
    await host.page.clock.fastForward(181_000);
    await host.widget.getByText(t.challenge.stillWaiting).waitFor();
    await look(t.challenge.approval, 'approval-waited');
    await press(t.continue);
    await host.widget.getByText(t.challenge.waiting).waitFor();
    await host.close();
  });

  test.for(one)('no connection to the service ($language, $scheme, $width px)', async (walk) => {
    const visitor = await toCredentials(walk);
    const { host, t, look } = visitor;
    await host.widget.getByLabel('Username').waitFor();
    await host.page.context().setOffline(true);
    await signIn(visitor, 'otp');
    await host.widget.getByText(t.offline).waitFor();
    await look(t.credentials.title('Sandbox Bank'), 'offline');
    await host.page.context().setOffline(false);
    await host.close();
  });

  test.for(one)('wrong tries, counted down to none ($language, $scheme, $width px)', async (walk) => {
    const visitor = await toCredentials(walk);
    const { t, host, look } = visitor;
    const username = ['rotates', 'twins', 'moves'][one.indexOf(walk)]!;
    for (const left of [2, 1]) {
      await signIn(visitor, username, 'nonsense');
      await host.widget.getByText(t.errors.attemptsLeft(left)).waitFor();
      await look(t.credentials.title('Sandbox Bank'));
    }
    await signIn(visitor, username, 'nonsense');
    const alert = host.widget.getByRole('alert');
    const said = async () => (await alert.textContent().catch(() => undefined))?.trim();
    await expect.poll(said).toBe(t.errors.wrong_credentials('Sandbox Bank'));
    await look(t.credentials.title('Sandbox Bank'), 'wrong-credentials-last');
    await host.close();
  });
});

describe('a session that nobody went on with', () => {
  const reach = async (walk: ScreenVariant) => {
    const visitor = await toCredentials(walk);
    await visitor.host.widget.getByLabel('Username').waitFor();
    stage.service.advance(31 * 60_000);
    await signIn(visitor, 'good');
    return visitor;
  };
  // The service's time moves for all: one after the other, when the others are through.
  test.for(looksAt(3))('$language, $scheme, $width px, by $by', async (walk) => {
    await check(await reach(walk), { reason: 'session_expired', reach, offered: 'restart' });
  });
});

describe('behind the bridge of a native application', () => {
  /** The page as the whole of a web view, opened by messages over the bridge. */
  const open = async (walk: ScreenVariant, applicationId: string) => {
    const context = await (await launchBrowser()).newContext({
      ...browserOptionsFor(walk),
      reducedMotion: 'reduce',
    });
    await context.addInitScript(() => {
      window.ReactNativeWebView = { postMessage: () => undefined };
    });
    const page = await context.newPage();
    await page.goto(`${stage.service.url}/connect?application=${applicationId}`);
    await page.evaluate((language) => {
      window.serviceConnectPage!({ serviceConnect: 1, kind: 'handshake', language });
    }, walk.language);
    await page.waitForFunction((language) => document.documentElement.lang === language, walk.language);
    await page.evaluate(() => window.serviceConnectPage!({ serviceConnect: 1, kind: 'open', openId: 1 }));
    return { page, close: () => context.close() };
  };

  const cases = (['native_not_allowed', 'unknown_application'] as const).flatMap((reason, at) =>
    looksAt(at).map((walk) => ({ reason, walk })),
  );
  test.for(cases)('$reason ($walk.language, $walk.scheme, $walk.width px)', async ({ reason, walk }) => {
    const { id } = stage.service.application;
    const { page, close } = await open(walk, reason === 'native_not_allowed' ? id : 'app_0');
    const { title, text } = languages[walk.language].failed.reasons[reason];
    await page.getByRole('heading', { name: title }).waitFor();
    expect(await page.getByRole('alert').textContent()).toBe(text());
    await expectScreenIntact(page, walk.language);
    if (walk.screenshots)
      await takeScreenshot(page, `failed-${reason.replaceAll('_', '-')}`, walk.screenshots);
    await close();
  });

  test.for(screenshotDirectory ? screenVariants : [pairwiseVariants[0]!])(
    'and by itself, outside of any ($width px)',
    async (walk) => {
      const context = await (await launchBrowser()).newContext({
        ...browserOptionsFor(walk),
        locale: walk.language,
      });
      const page = await context.newPage();
      await page.goto(`${stage.service.url}/connect`);
      await page.getByText(languages[walk.language].noHost).waitFor();
      await expectScreenIntact(page, walk.language);
      if (walk.screenshots) await takeScreenshot(page, 'no-host', walk.screenshots);
      await context.close();
    },
  );
});
