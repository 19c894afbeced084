// Every screen in a real browser: dark, 320 pixels wide, with axe, with text at 200 %, and right to left. TEST_ALL=1 shows
// all 32 variants of four languages, two schemes, two widths and two inputs, and goes through the screens with large text.
// SCREENSHOTS=1 takes the screenshots in docs/screenshots/widget.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { seconds } from '../../src/platform/values/clock.ts';
import type { ConnectResult } from '../../widget/types.ts';
import { takesScreenshots } from '../support/screenshots.ts';
import { link } from '../support/testService.ts';
import { holdRequests, startWidgetFixture, type WidgetFixture } from './hostPage.ts';
import {
  expectLayoutIntact,
  labelText,
  pairwiseVariants,
  type ScreenTest,
  type ScreenVariant,
  screenVariants,
  shareAll,
  signIn,
  startScreenTest,
} from './screenTest.ts';

const inAllVariants = process.env.TEST_ALL !== undefined || takesScreenshots;

let fixture: WidgetFixture;
beforeAll(async () => {
  fixture = await startWidgetFixture();
});
afterAll(() => fixture.close());

const selectInstitution = async (screen: ScreenTest): Promise<void> => {
  const { host, driver, t, press, choose, checkScreen, proceed, consentTitle } = screen;
  await checkScreen(consentTitle, 'consent');
  await proceed();
  await host.widget.getByRole('option', { name: 'Sandbox Savings' }).waitFor();
  await checkScreen(t.institution.title, 'institution');
  const search = host.widget.getByRole('combobox', { name: t.institution.search });
  await driver.type(search, 'qqqq');
  await host.widget.getByText(t.institution.notFound('qqqq')).waitFor();
  await checkScreen(t.institution.title, 'institution-not-found');
  await choose(t.institution.notListed);
  await checkScreen(t.institution.notListedTitle, 'not-listed');
  await press(t.institution.backToList);
  await driver.type(search, 'snadbox bnak');
  await choose('Sandbox Bank');
};

const answerChallenges = async (screen: ScreenTest): Promise<void> => {
  const { host, driver, t, press, choose, checkScreen, proceed, heading } = screen;
  await signIn(screen, 'question');
  await checkScreen(t.challenge.question, 'question');
  await press(t.back);
  await signIn(screen, 'captcha');
  await checkScreen(t.challenge.image, 'image');
  await press(t.back);
  await signIn(screen, 'choose');
  await checkScreen(t.challenge.choice, 'choice');
  await driver.toggle(host.widget.getByRole('radio').first());
  await proceed();
  await checkScreen(t.challenge.code, 'code');
  await driver.type(host.widget.getByRole('textbox'), '111111');
  await proceed();
  await host.widget.getByRole('alert').waitFor();
  await checkScreen(t.challenge.code, 'wrong-code');
  await press(t.back);
  await signIn(screen, 'redirect');
  await checkScreen(t.redirect.title('Sandbox Bank'), 'redirect');
  const popup = host.page.waitForEvent('popup');
  await press(t.redirect.open('Sandbox Bank'));
  const bank = await popup;
  await checkScreen(t.redirect.waiting('Sandbox Bank'), 'redirect-waiting');
  await bank.close();
  await press(t.back);
  // Until the screen has been checked, because the bank approves after three seconds.
  const approve = await holdRequests(host.page, /\/steps$/, '"answer":""');
  await signIn(screen, 'push');
  await checkScreen(t.challenge.approval, 'approval');
  approve();
  await heading(t.accounts.title);
  await press(t.back);
  await choose('Sandbox Bank');
};

const shareAccounts = async (screen: ScreenTest): Promise<void> => {
  const { host, t, checkScreen, proceed } = screen;
  await checkScreen(t.accounts.title, 'accounts');
  expect(await host.widget.locator('.option .details').allTextContents()).toEqual(
    ['checking', 'savings', 'credit_card'].map((subtype) =>
      expect.stringContaining(t.accounts.subtypes[subtype as 'checking']),
    ),
  );
  await proceed();
  await host.widget.getByText(t.accounts.chooseOne).waitFor();
  await checkScreen(t.accounts.title, 'accounts-none');
  // Until the screen has been checked, because the import may be fast.
  const continuePolls = await holdRequests(host.page, /sessions\/lks_\w+$/);
  await shareAll(screen);
  await checkScreen(t.importing.title);
  continuePolls();
};

/** From consent to success; checks every screen. */
const completeAllScreens = async (screen: ScreenTest, username = 'good'): Promise<void> => {
  const { host, t, press, checkScreen, proceed } = screen;
  await selectInstitution(screen);
  await checkScreen(t.credentials.title('Sandbox Bank'), 'credentials');
  await proceed();
  await host.widget.getByText(t.credentials.missing(labelText(t, 'username'))).waitFor();
  await checkScreen(t.credentials.title('Sandbox Bank'));
  await signIn(screen, username, 'nonsense');
  await host.widget.getByText(t.errors.wrong_credentials('Sandbox Bank')).waitFor();
  await checkScreen(t.credentials.title('Sandbox Bank'), 'wrong-credentials');
  await answerChallenges(screen);
  await signIn(screen, username);
  await shareAccounts(screen);
  await checkScreen(t.success.title, 'success');
  await press(t.done);
  await host.expectEvents('onInit', 'onSuccess');
  const { linkSessionId } = await expectResultOfApi(screen);
  const closed = ['closed', { linkSessionId, institutionId: 'sandbox-bank' }];
  const last = () => host.page.evaluate(() => window.widgetEvents.at(-1));
  // With concurrent tests, expect.poll does not know its own test.
  await vi.waitFor(async () => expect(await last()).toEqual(closed), { timeout: 30_000 });
};

/** Reconnects another connection, from the sign-in form on. */
const reconnect = async (screen: ScreenTest): Promise<void> => {
  const { host, t, press, checkScreen, button } = screen;
  const { session: _, scopedToken: __, ...linked } = await link(fixture.service, { username: 'twins' });
  await host.reload({ connectionId: linked.connectionId });
  await host.open();
  await checkScreen(t.credentials.title('Sandbox Bank'), 'reconnect');
  expect(await button(t.back).count()).toBe(0);
  await signIn(screen, 'twins');
  await checkScreen(t.success.restored, 'restored');
  await press(t.done);
  await host.expectEvents('onInit', 'onSuccess');
  expect(await host.result()).toEqual({ ...linked, linkSessionId: expect.stringMatching(/^lks_/) });
  expect(host.consoleErrors).toEqual([]);
};

/** The result of onSuccess equals what the API returns. */
const expectResultOfApi = async ({ host }: ScreenTest): Promise<ConnectResult> => {
  const result = await host.result();
  expect(result).toMatchObject({
    connectionId: expect.stringMatching(/^con_[0-9A-Za-z]{22}$/),
    institution: { id: 'sandbox-bank', name: 'Sandbox Bank' },
    scopedToken: expect.stringMatching(/^sct_[A-Za-z0-9_-]{72}$/),
  });
  expect(result).not.toHaveProperty('user');
  const params = { path: { connectionId: result.connectionId } };
  const { data } = await fixture.service
    .client(result.scopedToken)
    .GET('/connections/{connectionId}/accounts', { params });
  const accounts = data?.accounts.map(({ id, name, type, subtype, lastFour, currency }) => ({
    ...{ id, name, type, subtype, lastFour, currency },
  }));
  expect(result.accounts).toEqual(accounts);
  return result;
};

/** On a phone, also checks the layout of every screen with text at 200 % and right to left. */
const withOtherLayouts = (screen: ScreenTest, { language, width }: ScreenVariant): ScreenTest => {
  if (width !== 320) return screen;
  const checkScreen: ScreenTest['checkScreen'] = async (title, screenshot) => {
    await screen.checkScreen(title, screenshot);
    const frame = await screen.host.frame();
    for (const [fontSize, dir] of [
      ['200%', 'ltr'],
      ['100%', 'rtl'],
    ] as const) {
      await frame.evaluate(setLayout, { fontSize, dir });
      if (fontSize === '200%') expect(await frame.evaluate(headingSize)).toBe('28px');
      await expectLayoutIntact(frame, language);
    }
    await frame.evaluate(setLayout, { fontSize: '', dir: '' });
  };
  return { ...screen, checkScreen };
};

/** Runs in the browser. */
const headingSize = (): string => getComputedStyle(document.querySelector('h1')!).fontSize;

/** Runs in the browser. */
const setLayout = ({ fontSize, dir }: { fontSize: string; dir: string }): void => {
  document.documentElement.style.fontSize = fontSize;
  document.documentElement.dir = dir;
};

describe.concurrent('every screen', () => {
  test.for(screenVariants)(
    '$language, $scheme, $width px, by $input',
    { timeout: 180_000 },
    async (variant) => {
      const screen = withOtherLayouts(await startScreenTest(fixture, variant), variant);
      await screen.host.open();
      await completeAllScreens(screen, ['good', 'jpy', 'bhd'][screenVariants.indexOf(variant) % 3]);
      await reconnect(screen);
    },
  );

  test.runIf(process.env.TEST_ALL)('with text at 200 %, on a phone', { timeout: 180_000 }, async () => {
    const screen = await startScreenTest(fixture, { ...pairwiseVariants[1]!, language: 'fr' });
    const { host, heading, consentTitle } = screen;
    await host.open();
    await heading(consentTitle);
    const frame = await host.frame();
    await frame.evaluate(setLayout, { fontSize: '200%', dir: 'ltr' });
    await completeAllScreens(screen, 'good');
  });
});

// theme.test.ts also tests themes.
describe.runIf(inAllVariants)('a theme', () => {
  test.for(takesScreenshots ? screenVariants : [pairwiseVariants[0]!])(
    '$scheme, $width px',
    async (variant) => {
      const theme = { mode: 'auto', accentColor: '#d9365e', radius: 20 } as const;
      const screen = await startScreenTest(fixture, variant, { institutionId: 'sandbox-bank', theme });
      const { host, driver, t, checkScreen, heading, proceed } = screen;
      await host.open();
      await proceed();
      await signIn(screen, 'good');
      await heading(t.accounts.title);
      await driver.toggle(host.widget.getByRole('checkbox').first());
      await checkScreen(t.accounts.title, 'themed');
    },
  );
});

test('a long import shows its progress', { timeout: 180_000 }, async () => {
  for (const variant of takesScreenshots ? screenVariants : [pairwiseVariants[0]!]) {
    const screen = await startScreenTest(fixture, variant, { institutionId: 'sandbox-bank' });
    const { host, t, press, checkScreen, heading, proceed } = screen;
    await host.open();
    await proceed();
    await signIn(screen, 'large');
    await heading(t.accounts.title);
    await proceed();
    await host.widget.getByText(/^[\d,]+ of 100,000 transactions$/).waitFor();
    const bar = host.widget.getByRole('progressbar', { name: t.importing.title });
    expect(await bar.evaluate((element: HTMLProgressElement) => element.value)).toBeGreaterThan(0);
    await checkScreen(t.importing.title, 'importing');
    await press(t.close);
    // This also ends the import.
    await host.widget.locator('[data-action=leave]').click();
    await host.expectEvents('onInit', 'onExit');
    await host.close();
  }
});

// linking/waiting.test.ts shows that the service reports it and continues when a worker starts.
test.runIf(inAllVariants)('an import that no worker picks up reports it', { timeout: 180_000 }, async () => {
  const withoutWorker = await startWidgetFixture({ worker: false });
  for (const variant of takesScreenshots ? screenVariants : [pairwiseVariants[1]!]) {
    const screen = await startScreenTest(withoutWorker, variant, { institutionId: 'sandbox-bank' });
    const { host, t, checkScreen, heading, proceed } = screen;
    await host.open();
    await proceed();
    await signIn(screen, 'twins');
    await heading(t.accounts.title);
    await proceed();
    await host.widget.getByText(t.importing.lead).waitFor();
    withoutWorker.service.advance(seconds(11));
    await host.widget.getByText(t.importing.delayed).first().waitFor();
    await checkScreen(t.importing.title, 'waiting');
    await host.close();
  }
  await withoutWorker.close();
});

/** Runs in the browser: finds the focused element in the frame in which the sign-in form appears. */
const focusOfForm = (): Promise<string> =>
  new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (!document.querySelector('#field-username')) return;
      observer.disconnect();
      resolve(document.activeElement!.id);
    });
    observer.observe(document.body, { childList: true, subtree: true });
  });

describe('the focus', () => {
  test('moves to the first field of a screen, or to its heading, in the frame in which it appears', async () => {
    const { host, t, choose, heading, proceed, consentTitle } = await startScreenTest(
      fixture,
      pairwiseVariants[0]!,
    );
    const focused = async () =>
      (await host.frame()).evaluate(() => {
        const { tagName, id } = document.activeElement!;
        return `${tagName.toLowerCase()} ${id}`;
      });
    await host.open();
    await heading(consentTitle);
    await expect.poll(focused).toBe('h2 heading');
    await proceed();
    await heading(t.institution.title);
    await expect.poll(focused).toBe('input ');
    const focusedAtOnce = (await host.frame()).evaluate(focusOfForm);
    await choose('Sandbox Bank');
    expect(await focusedAtOnce).toBe('field-username');
    await proceed();
    expect(await host.widget.getByRole('alert').textContent()).toBe('Enter your username');
    await expect.poll(focused).toBe('input field-username');
    await host.widget.getByLabel('Username').fill('good');
    await host.widget.getByLabel('Password').fill('nonsense');
    await proceed();
    await expect.poll(focused).toBe('input field-password');
  });
});
