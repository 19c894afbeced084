// The start page of the service, and the page for addresses that do not exist.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectNoAxeViolations, launchBrowser } from '../support/browser.ts';
import { startService, type TestService } from '../support/testService.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ worker: false });
});
afterAll(() => service.close());

test('an unknown address links browsers to the start page, both without accessibility faults, and returns a problem to programs', async () => {
  const browser = await launchBrowser();
  const page = await browser.newPage({ viewport: { width: 375, height: 700 } });
  const expectAccessible = async () => {
    await expectNoAxeViolations(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  };
  expect((await page.goto(`${service.url}/nowhere/at/all`))!.status()).toBe(404);
  await expectAccessible();
  await page.getByRole('link', { name: 'Go to the start page' }).click();
  await page.getByRole('heading', { name: 'Bank Connection Data Service' }).waitFor();
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible();
  const picture = page.getByAltText('a user chooses accounts to share');
  expect(await picture.evaluate((image: HTMLImageElement) => image.decode())).toBeUndefined();
  expect(await picture.evaluate((image: HTMLImageElement) => image.currentSrc)).toMatch(/hero-dark\.webp$/);
  expect(await page.evaluate(() => document.fonts.check('1em "Figtree Variable"'))).toBe(true);
  await page.setViewportSize({ width: 1280, height: 700 });
  await page.emulateMedia({ colorScheme: 'light' });
  await expectAccessible();
  expect((await fetch(service.url)).status).toBe(200);
  const response = await fetch(`${service.url}/nowhere`);
  expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  expect(response.headers.get('api-version')).toBe('2024-01-01');
});
