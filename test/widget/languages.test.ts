// Each language at the size of a small laptop and on a phone: nothing of the longest consent is cut off, every label is in its
// language, and right to left the card is a mirror image.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Language } from '../../widget/language.ts';
import { languages } from '../page/languages.ts';
import { expectNoAxeViolations } from '../support/browser.ts';
import { takeScreenshot } from '../support/screenshots.ts';
import { startWidgetFixture, type WidgetFixture } from './hostPage.ts';
import { consentTitle, expectLayoutIntact, type ScreenTest, signIn, startScreenTest } from './screenTest.ts';

let fixture: WidgetFixture;
beforeAll(async () => {
  fixture = await startWidgetFixture({
    env: {
      OPERATOR_NAME: 'Bank Data Ltd',
      OPERATOR_PRIVACY_URL: 'https://operator.example/privacy',
      OPERATOR_TERMS_URL: 'https://operator.example/terms',
    },
  });
  const { service, application } = fixture.service;
  await service.db
    .write('organizations')
    .whereIn('id', (select) =>
      select.from('applications').where({ id: application.id }).select('organizationId'),
    )
    .update({
      companyName: 'Shop Ltd',
      companyPrivacyUrl: 'https://shop.example/privacy',
      companyTermsUrl: 'https://shop.example/terms',
    });
});
afterAll(() => fixture.close());

/** The texts that the edge of the scrolling content cuts off. */
const cutTexts = (): string[] => {
  const content = document.querySelector('.content')!;
  return content.scrollHeight > content.clientHeight + 1
    ? [
        `${content.scrollHeight} of ${content.clientHeight} pixels: ${document.querySelector('h2')!.textContent}`,
      ]
    : [];
};

describe('a language', () => {
  const codes = Object.keys(languages) as Language[];
  let screen: ScreenTest;
  beforeAll(async () => {
    const laptop = { scheme: 'light', width: 1280, input: 'mouse' } as const;
    screen = await startScreenTest(fixture, { language: 'en', ...laptop });
  });
  afterAll(() => screen.host.close());

  /** Waits for the screen with this heading, on a laptop, and checks its layout on a phone. */
  const expectNothingCut = async (title: string, language: Language): Promise<void> => {
    await screen.heading(title);
    const frame = await screen.host.frame();
    expect(await frame.evaluate(cutTexts)).toEqual([]);
    const { page } = screen.host;
    const laptop = page.viewportSize()!;
    await page.setViewportSize({ width: 320, height: 568 });
    await expectLayoutIntact(frame, language);
    await page.setViewportSize(laptop);
  };

  test.for(codes)('%s', async (language) => {
    const { host, proceed } = screen;
    const t = languages[language];
    await host.reload({ language, institutionId: 'sandbox-bank', externalUserId: language });
    await host.open();
    await expectNothingCut(consentTitle(language), language);
    expect(await host.widget.locator('.policy-links a').count()).toBe(4);
    await proceed();
    await expectNothingCut(t.credentials.title('Sandbox Bank'), language);
    if (!process.env.TEST_ALL) return;
    await signIn({ ...screen, t }, 'otp');
    await expectNothingCut(t.challenge.code, language);
  });
});

test('the language is that of the browser; Arabic is right to left, accessible, and mirrors the card', async () => {
  const variant = { language: 'ar', scheme: 'dark', width: 320, input: 'keys' } as const;
  const screen = await startScreenTest(fixture, variant, {
    language: undefined,
    browser: { locale: 'ar-EG' },
  });
  const { host, t, proceed, choose, button, checkScreen } = screen;
  await host.open();
  await host.widget.getByRole('dialog', { name: t.title }).waitFor();
  expect(await host.page.getByRole('dialog').getAttribute('aria-label')).toBe(t.title);
  const frame = await host.frame();
  await host.widget.locator('.consent-points').waitFor();
  expect(await frame.evaluate(() => document.documentElement.dir)).toBe('rtl');
  await expectNoAxeViolations(frame);
  await proceed();
  await checkScreen(t.institution.title);
  await takeScreenshot(host.page, 'widget/arabic', 'phone');
  const left = async (name: string) => (await button(name).boundingBox())!.x;
  expect(await left(t.close)).toBeLessThan(await left(t.back));
  const arrows = await frame.evaluate(() =>
    [...document.querySelectorAll('.icon-back, .icon-next')].map((icon) => getComputedStyle(icon).transform),
  );
  expect(arrows.length).toBeGreaterThan(1);
  for (const transform of arrows) expect(transform).toBe('matrix(-1, 0, 0, 1, 0, 0)');
  await choose('Sandbox Bank');
  await checkScreen(t.credentials.title('Sandbox Bank'));
});
