// Every screen, for everyone: in four languages, light and dark, on a telephone's 320 pixels and on a desktop, by
// mouse and by the keys alone. Four walks cover every pair of these; TEST_ALL=1 walks all thirty-two, and
// SCREENSHOTS=DIRECTORY walks three times and takes the pictures of docs/widget.md.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { link } from '../support/testService.ts';
import { type WidgetFixture, startWidgetFixture, openHostPage } from './hostPage.ts';
import { screenshotDirectory } from './screenshots.ts';
import {
  pairwiseVariants,
  startScreenTest,
  shareAll,
  signIn,
  type ScreenTest,
  screenVariants,
} from './screenTest.ts';

let stage: WidgetFixture;
beforeAll(async () => {
  stage = await startWidgetFixture();
});
afterAll(() => stage.close());

const selectInstitution = async (visitor: ScreenTest): Promise<void> => {
  const { host, hands, t, press, look } = visitor;
  await look(t.consent.title('Shop'), 'consent');
  await press(t.continue);
  await host.widget.getByRole('button', { name: 'Sandbox Savings' }).waitFor();
  await look(t.institution.title, 'institution');
  const search = host.widget.getByRole('searchbox', { name: t.institution.search });
  await hands.type(search, 'qqqq');
  await host.widget.getByText(t.institution.notFound('qqqq')).waitFor();
  await look(t.institution.title, 'institution-not-found');
  await hands.type(search, 'snadbox bnak');
  await press('Sandbox Bank');
};

const answerChallenges = async (visitor: ScreenTest): Promise<void> => {
  const { host, hands, t, press, look } = visitor;
  const asked = { question: t.challenge.question, captcha: t.challenge.image };
  for (const [username, title] of Object.entries(asked)) {
    await signIn(visitor, username);
    await look(title, username === 'captcha' ? 'image' : username);
    await press(t.back);
  }
  await signIn(visitor, 'choose');
  await look(t.challenge.choice, 'choice');
  await hands.check(host.widget.getByRole('radio').first());
  await press(t.continue);
  await look(t.challenge.code, 'code');
  await hands.type(host.widget.getByRole('textbox'), '1');
  await press(t.continue);
  await host.widget.getByRole('alert').waitFor();
  await look(t.challenge.code, 'wrong-code');
  await press(t.back);
  await signIn(visitor, 'push');
  await look(t.challenge.approval, 'approval');
  await press(t.back);
};

const shareAccounts = async (visitor: ScreenTest): Promise<void> => {
  const { host, t, press, look } = visitor;
  await look(t.accounts.title, 'accounts');
  await press(t.continue);
  await host.widget.getByText(t.accounts.chooseOne).waitFor();
  await look(t.accounts.title, 'accounts-none');
  // Long enough to be looked at, however fast the import is.
  const { promise: looked, resolve: hasLooked } = Promise.withResolvers<void>();
  await host.page.route(/sessions\/lks_\w+$/, async (route) => {
    await looked;
    await route.continue();
  });
  await shareAll(visitor);
  await look(t.importing.title);
  hasLooked();
};

/** From consent to success, with a look at every screen on the way. */
const walkAllScreens = async (visitor: ScreenTest, username = 'good'): Promise<void> => {
  const { host, t, press, look } = visitor;
  await selectInstitution(visitor);
  await look(t.credentials.title('Sandbox Bank'), 'credentials');
  await press(t.continue);
  await host.widget.getByText(t.credentials.missing('Username')).waitFor();
  await look(t.credentials.title('Sandbox Bank'));
  await signIn(visitor, username, 'nonsense');
  await host.widget.getByText(t.errors.wrong_credentials('Sandbox Bank')).waitFor();
  await look(t.credentials.title('Sandbox Bank'), 'wrong-credentials');
  await answerChallenges(visitor);
  await signIn(visitor, username);
  await shareAccounts(visitor);
  await look(t.success.title, 'success');
  await press(t.done);
  await host.expectEvents('onInit', 'onSuccess');
  expect(host.consoleErrors).toEqual([]);
};

describe.concurrent('every screen', () => {
  test.for(screenVariants)('$language, $scheme, $width px, by $by', { timeout: 180_000 }, async (walk) => {
    const visitor = await startScreenTest(stage, walk);
    await visitor.host.open();
    await walkAllScreens(visitor, ['good', 'jpy', 'bhd'][screenVariants.indexOf(walk) % 3]);
    await visitor.host.close();
  });

  test('with text at twice its size, on a telephone', { timeout: 180_000 }, async () => {
    const visitor = await startScreenTest(stage, { ...pairwiseVariants[1]!, language: 'fr' });
    const { host, t, heading } = visitor;
    await host.open();
    await heading(t.consent.title('Shop'));
    const frame = await host.frame();
    await frame.evaluate(() => {
      document.documentElement.style.fontSize = '200%';
    });
    expect(await frame.evaluate(() => getComputedStyle(document.querySelector('h1')!).fontSize)).toBe('28px');
    await walkAllScreens(visitor, 'rotates');
    await host.close();
  });

  test('from right to left', { timeout: 180_000 }, async () => {
    const visitor = await startScreenTest(stage, { ...pairwiseVariants[0]!, width: 320 });
    const { host, t, press, heading, button } = visitor;
    await host.open();
    await heading(t.consent.title('Shop'));
    const frame = await host.frame();
    await frame.evaluate(() => {
      document.documentElement.dir = 'rtl';
    });
    await press(t.continue);
    await heading(t.institution.title);
    const left = async (name: string) => (await button(name).boundingBox())!.x;
    expect(await left(t.close)).toBeLessThan(await left(t.back));
    const arrows = await frame.evaluate(() =>
      [...document.querySelectorAll('.icon-back, .icon-next')].map(
        (icon) => getComputedStyle(icon).transform,
      ),
    );
    expect(arrows.length).toBeGreaterThan(1);
    for (const transform of arrows) expect(transform).toBe('matrix(-1, 0, 0, 1, 0, 0)');
    await press(t.back);
    await heading(t.consent.title('Shop'));
    await walkAllScreens(visitor, 'usd');
    await host.close();
  });
});

describe.concurrent('reconnecting', () => {
  const ways = screenshotDirectory ? screenVariants : [pairwiseVariants[1]!];
  test.for(ways)('begins at the login: $language, $scheme, $width px', async (walk) => {
    const { connectionId } = await link(stage.service, { username: 'twins' });
    const visitor = await startScreenTest(stage, walk, { connectionId });
    const { host, t, press, look, button } = visitor;
    await host.open();
    await look(t.credentials.title('Sandbox Bank'), 'reconnect');
    expect(await button(t.back).count()).toBe(0);
    await signIn(visitor, 'twins');
    await look(t.success.restored, 'restored');
    await press(t.done);
    await host.expectEvents('onInit', 'onSuccess');
    await host.close();
  });
});

describe('a theme', () => {
  test.for(screenshotDirectory ? screenVariants : [pairwiseVariants[0]!])(
    'of an application: $scheme, $width px',
    async (walk) => {
      const theme = { mode: 'auto', accentColor: '#d9365e', radius: 20 } as const;
      const visitor = await startScreenTest(stage, walk, { institutionId: 'sandbox-bank', theme });
      const { host, hands, t, press, look, heading } = visitor;
      await host.open();
      await press(t.continue);
      await signIn(visitor, 'good');
      await heading(t.accounts.title);
      await hands.check(host.widget.getByRole('checkbox').first());
      await look(t.accounts.title, 'themed');
      await host.close();
    },
  );
});

test('a long first import says how far it is', { timeout: 180_000 }, async () => {
  for (const walk of screenshotDirectory ? screenVariants : [pairwiseVariants[0]!]) {
    const visitor = await startScreenTest(stage, walk, { institutionId: 'sandbox-bank' });
    const { host, t, press, look, heading } = visitor;
    await host.open();
    await press(t.continue);
    await signIn(visitor, 'large');
    await heading(t.accounts.title);
    await press(t.continue);
    await host.widget.getByText(/^[\d,]+ of 100,000 transactions$/).waitFor();
    const bar = host.widget.getByRole('progressbar', { name: t.importing.title });
    expect(await bar.evaluate((element: HTMLProgressElement) => element.value)).toBeGreaterThan(0);
    await look(t.importing.title, 'importing');
    await press(t.close);
    await host.close();
  }
});

test('what moves stands still for those who asked for that', async () => {
  const moving: number[] = [];
  for (const reducedMotion of ['no-preference', 'reduce'] as const) {
    const browser = { reducedMotion };
    const visitor = await startScreenTest(stage, pairwiseVariants[0]!, {
      institutionId: 'sandbox-bank',
      browser,
    });
    const { host, t, press, heading } = visitor;
    await host.open();
    await press(t.continue);
    await signIn(visitor, 'push-denied');
    await heading(t.challenge.approval);
    const frame = await host.frame();
    moving.push(await frame.evaluate(() => document.getAnimations().length));
    await host.close();
  }
  expect(moving).toEqual([expect.any(Number), 0]);
  // The telephone and the wheel beside "waiting", at least.
  expect(moving[0]).toBeGreaterThanOrEqual(2);
});

describe('the focus', () => {
  test('goes to the first field of a screen, or to its heading', async () => {
    const { host, t, press, heading } = await startScreenTest(stage, pairwiseVariants[0]!);
    const focused = async () =>
      (await host.frame()).evaluate(() => {
        const { tagName, id } = document.activeElement!;
        return `${tagName.toLowerCase()} ${id}`;
      });
    await host.open();
    await heading(t.consent.title('Shop'));
    await expect.poll(focused).toBe('h2 heading');
    await press(t.continue);
    await heading(t.institution.title);
    await expect.poll(focused).toBe('input ');
    await press('Sandbox Bank');
    await expect.poll(focused).toBe('input field-username');
    await press(t.continue);
    expect(await host.widget.getByRole('alert').textContent()).toBe('Please fill in: Username');
    await expect.poll(focused).toBe('input field-username');
    await host.widget.getByLabel('Username').fill('good');
    await host.widget.getByLabel('Password').fill('nonsense');
    await press(t.continue);
    await expect.poll(focused).toBe('input field-password');
    await host.close();
  });

  test('is there when the screen is, so that nothing typed goes to another field', async () => {
    const { host, t, press, heading } = await startScreenTest(stage, pairwiseVariants[0]!, {
      institutionId: 'sandbox-bank',
    });
    await host.open();
    await heading(t.consent.title('Shop'));
    const frame = await host.frame();
    const focused = frame.evaluate(
      () =>
        new Promise<string>((resolve) => {
          const observer = new MutationObserver(() => {
            if (!document.querySelector('#field-username')) return;
            observer.disconnect();
            resolve(document.activeElement!.id);
          });
          observer.observe(document.body, { childList: true, subtree: true });
        }),
    );
    await press(t.continue);
    expect(await focused).toBe('field-username');
    await host.close();
  });
});

test('a language that is not spoken here becomes English, and the browser’s own is taken by itself', async () => {
  const unknown = await openHostPage(stage, { language: 'tlh', browser: { locale: 'en-GB' } });
  await unknown.open();
  await unknown.widget.getByRole('button', { name: 'Continue' }).waitFor();
  await unknown.close();
  const swiss = await openHostPage(stage, { browser: { locale: 'fr-CH' } });
  await swiss.open();
  await swiss.widget.getByRole('dialog', { name: 'Connecter votre banque' }).waitFor();
  expect(await swiss.page.getByRole('dialog').getAttribute('aria-label')).toBe('Connecter votre banque');
  await swiss.close();
});
