// Each screenshot of docs/ is compared with the page that it shows, by the test that takes it.
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readRendered, screenshotDirectory } from './support/screenshots.ts';

test('each screenshot has the hash of the page that it shows', () => {
  const files = readdirSync(screenshotDirectory, { recursive: true, encoding: 'utf8' });
  const screenshots = files.filter((file) => file.endsWith('.webp')).map((file) => file.slice(0, -5));
  const rendered = Object.keys(readRendered()).filter((picture) => !picture.startsWith('README.md'));
  expect(rendered).toEqual(screenshots.sort());
});
