// Somebody who looks at every screen that comes: in a language, in the light or in the dark, on a telephone or a
// desktop, by mouse or by the keys alone.
import type { BrowserContextOptions, Frame, Page } from 'playwright-core';
import { expect } from 'vitest';
import { de } from '../../widget/page/texts/de.ts';
import { en, type Texts } from '../../widget/page/texts/en.ts';
import { es } from '../../widget/page/texts/es.ts';
import { fr } from '../../widget/page/texts/fr.ts';
import { expectNoAxeViolations } from '../support/browser.ts';
import { type InputDriver, keyboard, mouse } from './inputDriver.ts';
import { type HostPageOptions, type WidgetFixture, openHostPage } from './hostPage.ts';
import {
  heightFor,
  type ScreenshotVariant,
  screenshotDirectory,
  takeScreenshot,
  viewportFor,
} from './screenshots.ts';

export const languages = { en, de, es, fr };
export type Language = keyof typeof languages;
export type ScreenVariant = {
  language: Language;
  scheme: 'light' | 'dark';
  width: number;
  input: 'mouse' | 'keys';
  /** Takes the pictures of this look. */
  screenshots?: ScreenshotVariant;
};

/** These four cover every pair of language, scheme, width and hands. */
export const pairwiseVariants: readonly ScreenVariant[] = [
  { language: 'en', scheme: 'light', width: 1280, input: 'mouse' },
  { language: 'de', scheme: 'dark', width: 320, input: 'mouse' },
  { language: 'es', scheme: 'light', width: 320, input: 'keys' },
  { language: 'fr', scheme: 'dark', width: 1280, input: 'keys' },
];

export const allVariants: readonly ScreenVariant[] = (['en', 'de', 'es', 'fr'] as const).flatMap((language) =>
  (['light', 'dark'] as const).flatMap((scheme) =>
    ([320, 1280] as const).flatMap((width) =>
      (['mouse', 'keys'] as const).map((input) => ({ language, scheme, width, input })),
    ),
  ),
);

const screenshotOnlyVariants: readonly ScreenVariant[] = (['light', 'dark', 'small'] as const).map(
  (screenshots) => ({
    ...{ language: 'en', input: 'mouse', screenshots },
    ...viewportFor[screenshots],
  }),
);

/** The walks of this run. */
export const screenVariants: readonly ScreenVariant[] = screenshotDirectory
  ? screenshotOnlyVariants
  : process.env.TEST_ALL
    ? allVariants
    : pairwiseVariants;

/** What must hold of a screen, whichever it is. */
export const expectScreenIntact = async (frame: Frame | Page, language: string): Promise<void> => {
  await expectNoAxeViolations(frame);
  const found = await frame.evaluate(() => {
    const room = document.documentElement.clientWidth;
    const cut = [...document.querySelectorAll('.card *')].filter((element) => {
      const { left, right, width } = element.getBoundingClientRect();
      return width > 1 && (left < -0.5 || right > room + 0.5);
    });
    const covered = [...document.querySelectorAll('button.main, button.round')].filter((button) => {
      button.scrollIntoView({ block: 'nearest' });
      const { left, top, width, height } = button.getBoundingClientRect();
      return !button.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    });
    // Visitors have asked for less motion.
    const moving = document.getAnimations().filter((animation) => animation instanceof CSSAnimation);
    return {
      lang: document.documentElement.lang,
      cut: cut.map((element) => element.outerHTML),
      covered: covered.map((button) => button.outerHTML),
      moving: moving.map(({ animationName }) => animationName),
    };
  });
  expect(found).toEqual({ lang: language, cut: [], covered: [], moving: [] });
};

export const browserOptionsFor = ({ scheme, width }: ScreenVariant): BrowserContextOptions => ({
  colorScheme: scheme,
  viewport: { width, height: width === 320 ? 568 : heightFor(width) },
});

/** A visitor on one walk, who looks at each screen that comes. */
export const startScreenTest = async (
  stage: WidgetFixture,
  walk: ScreenVariant,
  options: HostPageOptions = {},
) => {
  const { language, input, screenshots } = walk;
  const { browser, ...given } = options;
  const host = await openHostPage(stage, {
    language,
    browser: { ...browserOptionsFor(walk), ...browser },
    ...given,
  });
  const hands: InputDriver = input === 'keys' ? keyboard(host.page) : mouse;
  const button = (name: string) => host.widget.getByRole('button', { name, exact: true });
  const heading = (name: string) => host.widget.getByRole('heading', { name, exact: true });
  return {
    host,
    hands,
    t: languages[language] as Texts,
    button,
    press: (name: string) => hands.press(button(name)),
    heading: (name: string) => heading(name).waitFor(),
    /** The screen with this heading has come; looks at it, and takes a picture by this name. */
    look: async (title: string, picture?: string) => {
      await heading(title).waitFor();
      await expectScreenIntact(await host.frame(), language);
      if (screenshots && picture) await takeScreenshot(host.page, picture, screenshots);
    },
  };
};
export type ScreenTest = Awaited<ReturnType<typeof startScreenTest>>;

/** Where one consents or has consented, and the bank is chosen already. */
export const signIn = async (visitor: ScreenTest, username: string, password = 'password'): Promise<void> => {
  const { host, hands, t, press } = visitor;
  await hands.type(host.widget.getByLabel('Username'), username);
  await hands.type(host.widget.getByLabel('Password'), password);
  await press(t.continue);
};

/** Chooses every account that is offered. */
export const shareAll = async ({ host, hands, t, press }: ScreenTest): Promise<void> => {
  const boxes = host.widget.getByRole('checkbox');
  await boxes.first().waitFor();
  for (const box of await boxes.all()) if (!(await box.isChecked())) await hands.check(box);
  await press(t.continue);
};
