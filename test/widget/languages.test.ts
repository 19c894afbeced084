// Each language at the width and height of a small laptop: nothing of the longest consent is cut, every label is in its language,
// and right to left the card is a mirror image.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Language } from '../../widget/language.ts';
import { expectNoAxeViolations } from '../support/browser.ts';
import { takeScreenshot } from '../support/screenshots.ts';
import { startWidgetFixture, type WidgetFixture } from './hostPage.ts';
import { languages, shareAll, signIn, startScreenTest } from './screenTest.ts';

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

/** The texts that are cut by the edge of the scrolling content. */
const cutTexts = (): string[] => {
  const content = document.querySelector('.content')!;
  return content.scrollHeight > content.clientHeight + 1
    ? [
        `${content.scrollHeight} of ${content.clientHeight} pixels: ${document.querySelector('h2')!.textContent}`,
      ]
    : [];
};

describe.concurrent('a language', () => {
  test.for(Object.keys(languages) as Language[])('%s', async (language, { expect }) => {
    const screen = await startScreenTest(
      fixture,
      { language, scheme: 'light', width: 1280, input: 'mouse' },
      { institutionId: 'sandbox-bank' },
    );
    const { host, t, proceed, heading } = screen;
    await host.open();
    const frame = await host.frame();
    await host.widget.locator('.consent-points').waitFor();
    expect(await frame.evaluate(() => document.documentElement.lang)).toBe(language);
    expect(await frame.evaluate(cutTexts)).toEqual([]);
    expect(await host.widget.locator('.policy-links a').count()).toBe(4);
    await proceed();
    await heading(t.credentials.title('Sandbox Bank'));
    expect(await frame.evaluate(cutTexts)).toEqual([]);
    await signIn(screen, 'otp');
    await heading(t.challenge.code);
    expect(await frame.evaluate(cutTexts)).toEqual([]);
    await host.close();
  });
});

test('Arabic is right to left, accessible, and mirrors the card', async () => {
  const variant = { language: 'ar', scheme: 'dark', width: 320, input: 'keys' } as const;
  const screen = await startScreenTest(fixture, variant);
  const { host, t, proceed, choose, button, checkScreen } = screen;
  await host.open();
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
  await signIn(screen, 'good');
  await checkScreen(t.accounts.title);
  await shareAll(screen);
  await checkScreen(t.success.title);
  await host.close();
});
