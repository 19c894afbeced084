// Every screen, for everyone: in four languages, light and dark, on a telephone's 320 pixels and on a desktop, by
// mouse and by the keys alone. Four walks cover every pair of these; TEST_ALL=1 walks all thirty-two.
import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { de } from '../../widget/page/texts/de.ts';
import { en, type Texts } from '../../widget/page/texts/en.ts';
import { es } from '../../widget/page/texts/es.ts';
import { fr } from '../../widget/page/texts/fr.ts';
import { expectNoAxeViolations } from '../browser.ts';
import { type Hands, keyboard, mouse } from './hands.ts';
import { type Host, type Stage, startStage, visit } from './hostPage.ts';

const languages = { en, de, es, fr };
type Language = keyof typeof languages;
type Walk = { language: Language; scheme: 'light' | 'dark'; width: 320 | 1280; by: 'mouse' | 'keys' };

const pairs: Walk[] = [
  { language: 'en', scheme: 'light', width: 1280, by: 'mouse' },
  { language: 'de', scheme: 'dark', width: 320, by: 'mouse' },
  { language: 'es', scheme: 'light', width: 320, by: 'keys' },
  { language: 'fr', scheme: 'dark', width: 1280, by: 'keys' },
];
const everyWalk: Walk[] = (['en', 'de', 'es', 'fr'] as const).flatMap((language) =>
  (['light', 'dark'] as const).flatMap((scheme) =>
    ([320, 1280] as const).flatMap((width) =>
      (['mouse', 'keys'] as const).map((by) => ({ language, scheme, width, by })),
    ),
  ),
);

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

/** What must hold of a screen, whichever it is. */
const expectSound = async (host: Host, language: string): Promise<void> => {
  const frame = await host.frame();
  await expectNoAxeViolations(frame);
  const found = await frame.evaluate(() => {
    const room = document.documentElement.clientWidth;
    const cut = [...document.querySelectorAll('.card *')].filter((element) => {
      const { left, right, width } = element.getBoundingClientRect();
      return width > 1 && (left < -0.5 || right > room + 0.5);
    });
    return { lang: document.documentElement.lang, cut: cut.map((element) => element.outerHTML) };
  });
  expect(found).toEqual({ lang: language, cut: [] });
};

/** A visitor on one walk, who looks at each screen that comes. */
const setOut = async ({ language, scheme, width, by }: Walk) => {
  const browser: BrowserContextOptions = {
    colorScheme: scheme,
    viewport: { width, height: width === 320 ? 568 : 800 },
  };
  const host = await visit(stage, { language, browser });
  const hands: Hands = by === 'keys' ? keyboard(host.page) : mouse;
  const button = (name: string) => host.widget.getByRole('button', { name, exact: true });
  return {
    host,
    hands,
    t: languages[language] as Texts,
    button,
    press: (name: string) => hands.press(button(name)),
    heading: (name: string) => host.widget.getByRole('heading', { name, exact: true }).waitFor(),
    /** The screen with this heading has come; looks at it. */
    look: async (name: string) => {
      await host.widget.getByRole('heading', { name, exact: true }).waitFor();
      await expectSound(host, language);
    },
  };
};
type Visitor = Awaited<ReturnType<typeof setOut>>;

const signIn = async (visitor: Visitor, username: string, password = 'password'): Promise<void> => {
  const { host, hands, t, press } = visitor;
  await hands.type(host.widget.getByLabel('Username'), username);
  await hands.type(host.widget.getByLabel('Password'), password);
  await press(t.continue);
};

const chooseBank = async (visitor: Visitor): Promise<void> => {
  const { host, hands, t, press, look } = visitor;
  await look(t.consent.title('Shop'));
  await press(t.continue);
  await host.widget.getByRole('button', { name: 'Sandbox Savings' }).waitFor();
  await look(t.bank.title);
  const search = host.widget.getByRole('searchbox', { name: t.bank.search });
  await hands.type(search, 'qqqq');
  await host.widget.getByText(t.bank.none('qqqq')).waitFor();
  await look(t.bank.title);
  await hands.type(search, 'snadbox bnak');
  await press('Sandbox Bank');
};

const meetChallenges = async (visitor: Visitor): Promise<void> => {
  const { host, hands, t, press, look } = visitor;
  const asked: Record<string, string> = { question: t.challenge.question, captcha: t.challenge.image };
  for (const [username, title] of Object.entries(asked)) {
    await signIn(visitor, username);
    await look(title);
    await press(t.back);
  }
  await signIn(visitor, 'choose');
  await look(t.challenge.choice);
  await hands.check(host.widget.getByRole('radio').first());
  await press(t.continue);
  await look(t.challenge.code);
  await hands.type(host.widget.getByRole('textbox'), '1');
  await press(t.continue);
  await host.widget.getByRole('alert').waitFor();
  await look(t.challenge.code);
  await press(t.back);
  await signIn(visitor, 'push');
  await look(t.challenge.approval);
};

const shareAccounts = async (visitor: Visitor): Promise<void> => {
  const { host, hands, t, press, look } = visitor;
  await look(t.accounts.title);
  await press(t.continue);
  await host.widget.getByText(t.accounts.chooseOne).waitFor();
  for (const box of await host.widget.getByRole('checkbox').all()) await hands.check(box);
  await look(t.accounts.title);
  // Long enough to be looked at, however fast the import is.
  await host.page.route(/sessions\/lks_\w+$/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await route.continue();
  });
  await press(t.continue);
  await look(t.importing.title);
};

describe.concurrent('every screen', () => {
  const walks = process.env.TEST_ALL ? everyWalk : pairs;
  test.for(walks)('$language, $scheme, $width px, by $by', { timeout: 180_000 }, async (walk) => {
    const visitor = await setOut(walk);
    const { host, t, press, look } = visitor;
    await host.open();
    await chooseBank(visitor);
    await look(t.credentials.title('Sandbox Bank'));
    await signIn(visitor, 'good', 'nonsense');
    await host.widget.getByRole('alert').waitFor();
    await look(t.credentials.title('Sandbox Bank'));
    await signIn(visitor, 'locked');
    await look(t.failed.reasons.locked.title);
    await press(t.failed.otherBank);
    await press('Sandbox Bank');
    await meetChallenges(visitor);
    await shareAccounts(visitor);
    await look(t.success.title);
    await press(t.done);
    await host.expectEvents('onInit', 'onSuccess');
    expect(host.complaints).toEqual([]);
    await host.close();
  });
});

describe('the focus', () => {
  test('goes to the first field of a screen, or to its heading', async () => {
    const { host, t, press, heading } = await setOut(pairs[0]!);
    const focused = async () =>
      (await host.frame()).evaluate(() => {
        const { tagName, id } = document.activeElement!;
        return `${tagName.toLowerCase()} ${id}`;
      });
    await host.open();
    await heading(t.consent.title('Shop'));
    await expect.poll(focused).toBe('h2 heading');
    await press(t.continue);
    await heading(t.bank.title);
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
});

test('text at twice its size, on a telephone, stays legible and in place', async () => {
  const { host, t, press, look, heading } = await setOut({ ...pairs[0]!, width: 320 });
  const enlarge = async () =>
    (await host.frame()).evaluate(() => {
      document.documentElement.style.fontSize = '200%';
    });
  await host.open();
  await heading(t.consent.title('Shop'));
  await enlarge();
  await look(t.consent.title('Shop'));
  await press(t.continue);
  await look(t.bank.title);
  await press('Sandbox Bank');
  await look(t.credentials.title('Sandbox Bank'));
  await press(t.close);
  await host.close();
});

test('a language that is not spoken here becomes English, and the browser’s own is taken by itself', async () => {
  const unknown = await visit(stage, { language: 'tlh', browser: { locale: 'en-GB' } });
  await unknown.open();
  await unknown.widget.getByRole('button', { name: 'Continue' }).waitFor();
  await unknown.close();
  const swiss = await visit(stage, { browser: { locale: 'fr-CH' } });
  await swiss.open();
  await swiss.widget.getByRole('dialog', { name: 'Connecter votre banque' }).waitFor();
  expect(await swiss.page.getByRole('dialog').getAttribute('aria-label')).toBe('Connecter votre banque');
  await swiss.close();
});
