// Runs the widget in a variant (language, color scheme, window width, mouse or keyboard) and checks its screens.
import type { Frame, Page } from 'playwright-core';
import { expect } from 'vitest';
import { consentTextsFor } from '../../src/flows/link/consent.ts';
import type { Language } from '../../widget/language.ts';
import type { Texts } from '../../widget/page/texts/en.ts';
import { languages } from '../page/languages.ts';
import { expectNoAxeViolations } from '../support/browser.ts';
import { type InputDriver, keyboard, mouse } from '../support/inputDriver.ts';
import { type ScreenshotVariant, takeScreenshot, takesScreenshots } from '../support/screenshots.ts';
import { type HostPageOptions, openHostPage, type WidgetFixture } from './hostPage.ts';
import { heightFor, viewportFor } from './screenshots.ts';

/** The heading of the first screen, for the application "Shop". */
export const consentTitle = (language: string): string =>
  consentTextsFor(language).texts.title({ application: 'Shop', retentionDays: 30 });

type Display = { scheme: 'light' | 'dark'; width: number };

export type ScreenVariant = Display & {
  language: Language;
  input: 'mouse' | 'keys';
  /** In which each screen is checked after the variant's own scheme and width. */
  otherDisplays?: readonly Display[];
  /** The variant in the three screenshots of a screen. */
  screenshots?: ScreenshotVariant;
};

/** These four cover every language, and every pair of scheme, width and input. */
export const pairwiseVariants: readonly ScreenVariant[] = [
  { language: 'en', scheme: 'light', width: 1280, input: 'mouse' },
  { language: 'de', scheme: 'dark', width: 320, input: 'mouse' },
  { language: 'es', scheme: 'light', width: 320, input: 'keys' },
  { language: 'fr', scheme: 'dark', width: 1280, input: 'keys' },
];

/** The narrowest screen, in the language of the pictures. The keyboard is in byKeyboard.test.ts. */
const shortVariants: readonly ScreenVariant[] = [
  { language: 'en', scheme: 'dark', width: 320, input: 'mouse' },
];

const displays: readonly Display[] = [320, 1280].flatMap((width) => [
  { scheme: 'light', width },
  { scheme: 'dark', width },
]);

/** Each language with each input, once on each width: eight walks show a screen in all 32 variants. */
const allVariants: readonly ScreenVariant[] = (['en', 'de', 'es', 'fr'] as const).flatMap((language, at) =>
  (['mouse', 'keys'] as const).map((input, inputAt) => {
    const own = displays[(at + 2 * inputAt) % 4]!;
    return { language, input, ...own, otherDisplays: displays.filter((display) => display !== own) };
  }),
);

const screenshotOnlyVariants: readonly ScreenVariant[] = (['light', 'dark', 'phone'] as const).map(
  (screenshots) => ({
    ...{ language: 'en', input: 'mouse', screenshots },
    ...viewportFor[screenshots],
  }),
);

/** The variants of this test run. */
export const screenVariants: readonly ScreenVariant[] = takesScreenshots
  ? screenshotOnlyVariants
  : process.env.TEST_ALL
    ? allVariants
    : shortVariants;

/** Expects any screen to be accessible, with any error in view, nothing cut off, no covered button, one of each action, no animation, and the right language. */
export const expectScreenIntact = async (frame: Frame | Page, language: string): Promise<void> => {
  await expectErrorInView(frame);
  await expectNoAxeViolations(frame);
  await expectLayoutIntact(frame, language);
};

const expectErrorInView = async (frame: Frame | Page): Promise<void> => {
  const hidden = await frame.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('.alert')]
      .filter((alert) => {
        // Checks the middle, because the corners are round.
        const { left, width, top, bottom } = alert.getBoundingClientRect();
        const x = left + width / 2;
        // If an error is taller than the screen, checks its top.
        const fits = bottom - top <= document.querySelector('.screen')!.clientHeight;
        const ends = fits ? [top + 4, bottom - 4] : [top + 4];
        return ends.some((y) => !alert.contains(document.elementFromPoint(x, y)));
      })
      .map((alert) => alert.innerText),
  );
  expect(hidden).toEqual([]);
};

/** Expects the layout only: nothing cut off, no covered button, one of each action, no animation, the right language. */
export const expectLayoutIntact = async (frame: Frame | Page, language: string): Promise<void> => {
  const found = await frame.evaluate(() => {
    const windowWidth = document.documentElement.clientWidth;
    const cutOff = [...document.querySelectorAll('.card *')].filter((element) => {
      const { left, right, width } = element.getBoundingClientRect();
      return width > 1 && (left < -0.5 || right > windowWidth + 0.5);
    });
    const covered = [...document.querySelectorAll('.primary-button, .icon-button')].filter((button) => {
      button.scrollIntoView({ block: 'nearest' });
      const { left, top, width, height } = button.getBoundingClientRect();
      return !button.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    });
    const actions = [...document.querySelectorAll<HTMLElement>('[data-action]')].map(
      ({ dataset }) => dataset.action,
    );
    // The browser prefers reduced motion.
    const moving = document.getAnimations().filter((animation) => animation instanceof CSSAnimation);
    return {
      lang: document.documentElement.lang,
      cutOff: cutOff.map((element) => element.outerHTML),
      covered: covered.map((button) => button.outerHTML),
      moving: moving.map(({ animationName }) => animationName),
      repeatedActions: actions.filter((action, at) => actions.indexOf(action) !== at),
    };
  });
  expect(found).toEqual({ lang: language, cutOff: [], covered: [], moving: [], repeatedActions: [] });
};

export const browserOptionsFor = ({ scheme, width }: Display) => ({
  colorScheme: scheme,
  viewport: { width, height: heightFor(width) },
});

/** Expects the screen in a frame of the page to be intact in each display of a variant, and then shows it in the variant's own. */
export const expectIntactInDisplays = async (
  page: Page,
  frame: Frame | Page,
  variant: ScreenVariant,
  expectIntact = expectScreenIntact,
): Promise<void> => {
  const { language, otherDisplays = [] } = variant;
  await expectIntact(frame, language);
  for (const display of otherDisplays) {
    await show(page, display);
    await expectNoAxeViolations(frame);
    await expectLayoutIntact(frame, language);
  }
  if (otherDisplays.length > 0) await show(page, variant);
};

const show = async (page: Page, display: Display): Promise<void> => {
  const { colorScheme, viewport } = browserOptionsFor(display);
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize(viewport);
};

/** Opens the host page in a variant. */
export const startScreenTest = async (
  fixture: WidgetFixture,
  variant: ScreenVariant,
  options: HostPageOptions = {},
) => {
  const { language, input, screenshots } = variant;
  const { browser, ...initOptions } = options;
  const host = await openHostPage(fixture, {
    language,
    browser: { ...browserOptionsFor(variant), ...browser },
    ...initOptions,
  });
  const driver: InputDriver = input === 'keys' ? keyboard(host.page) : mouse;
  const button = (name: string) => host.widget.getByRole('button', { name, exact: true });
  const option = (name: string) => host.widget.getByRole('option', { name, exact: true });
  const heading = (name: string) => host.widget.getByRole('heading', { name, exact: true });
  const checkWith =
    (expectIntact: typeof expectLayoutIntact) => async (title: string, screenshot?: string) => {
      await heading(title).waitFor();
      await expectIntactInDisplays(host.page, await host.frame(), variant, expectIntact);
      if (screenshot && language === 'en')
        await takeScreenshot(host.page, `widget/${screenshot}`, screenshots);
    };
  return {
    host,
    driver,
    t: languages[language],
    consentTitle: consentTitle(language),
    button,
    press: (name: string) => driver.press(button(name)),
    /** Presses the button for the next step, regardless of its label. */
    proceed: () => driver.press(host.widget.locator('[data-action=continue]')),
    choose: (name: string) => driver.choose(option(name)),
    heading: (name: string) => heading(name).waitFor(),
    /** Waits for the screen with this heading, checks it and, in English, takes a screenshot with this name. */
    checkScreen: checkWith(expectScreenIntact),
    /** The same for a screen whose elements another test checks with axe: with axe only if TEST_ALL is set. */
    checkLayout: checkWith(process.env.TEST_ALL ? expectScreenIntact : expectLayoutIntact),
  };
};
export type ScreenTest = Awaited<ReturnType<typeof startScreenTest>>;

/** The page's own label of a field. */
export const labelText = (t: Texts, key: keyof Texts['labels']): string => t.labels[key](undefined);

/** Fills in the sign-in form. */
export const signIn = async (screen: ScreenTest, username: string, password = 'password'): Promise<void> => {
  const { host, driver, t, proceed } = screen;
  await driver.type(host.widget.getByLabel(labelText(t, 'username')), username);
  await driver.type(host.widget.getByLabel(labelText(t, 'password')), password);
  await proceed();
};

/** Selects all accounts. */
export const shareAll = async ({ host, driver, proceed }: ScreenTest): Promise<void> => {
  const boxes = host.widget.getByRole('checkbox');
  await boxes.first().waitFor();
  for (const box of await boxes.all()) if (!(await box.isChecked())) await driver.toggle(box);
  await proceed();
};
