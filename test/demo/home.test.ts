// The start page of the service, and the page for addresses that do not exist.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectNoAxeViolations, launchBrowser } from '../support/browser.ts';
import { startService, type TestService } from '../support/testService.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ worker: false });
});
afterAll(() => service.close());

const open = async (path: string, options: { colorScheme?: 'light' | 'dark'; width?: number } = {}) => {
  const { colorScheme = 'light', width = 1280 } = options;
  const browser = await launchBrowser();
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 700 } });
  const page = await context.newPage();
  const response = await page.goto(`${service.url}${path}`);
  return { page, status: response!.status() };
};

test.each([
  { path: '/', status: 200, colorScheme: 'light', width: 1280 },
  { path: '/', status: 200, colorScheme: 'dark', width: 375 },
  { path: '/nowhere', status: 404, colorScheme: 'light', width: 375 },
] as const)(
  '$path has no accessibility fault, $colorScheme, $width wide',
  async ({ path, status, ...options }) => {
    const { page, status: found } = await open(path, options);
    expect(found).toBe(status);
    await expectNoAxeViolations(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  },
);

test('a browser at an unknown address gets a page that leads back, and a program a problem document', async () => {
  const { page } = await open('/nowhere/at/all');
  await page.getByRole('link', { name: 'Go to the start page' }).click();
  await page.getByRole('heading', { name: 'Bank Connection Data Service' }).waitFor();
  const response = await fetch(`${service.url}/nowhere`);
  expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  expect(response.headers.get('api-version')).toBe('2024-01-01');
});
