// The test that takes a screenshot of docs/ also compares it with the current page.
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readRendered, screenshotDirectory } from './support/screenshots.ts';

test('each screenshot has the hash of the page that it shows', () => {
  const files = readdirSync(screenshotDirectory, { recursive: true, encoding: 'utf8' });
  const screenshots = files.filter((file) => file.endsWith('.webp')).map((file) => file.slice(0, -5));
  const rendered = Object.keys(readRendered()).filter((picture) => !picture.startsWith('README.md'));
  expect(rendered).toEqual(screenshots.sort());
});
