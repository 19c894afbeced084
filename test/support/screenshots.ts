// The screenshots of docs/screenshots. With SCREENSHOTS=DIRECTORY, the tests of the pages take them. Each file shows a screen in
// the light scheme, in the dark scheme and on a phone, side by side.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterFile } from './afterFile.ts';
import { launchBrowser } from './browser.ts';

const screenshotVariants = ['light', 'dark', 'phone'] as const;
export type ScreenshotVariant = (typeof screenshotVariants)[number];

/** The directory of the screenshots; undefined if none are taken. */
export const screenshotDirectory = process.env.SCREENSHOTS;

const gapPx = 16;
const taken = new Map<string, Partial<Record<ScreenshotVariant, string>>>();

/** Takes a screenshot. The three of one screen are joined after the last test of the file. */
export const takeScreenshot = async (page: Page, name: string, variant: ScreenshotVariant): Promise<void> => {
  if (taken.size === 0) afterFile(joinScreenshots);
  // No hover style on the last button.
  await page.mouse.move(0, 0);
  const screenshot = await page.screenshot({ animations: 'disabled', scale: 'css' });
  taken.set(name, { ...taken.get(name), [variant]: screenshot.toString('base64') });
};

const joinScreenshots = async (): Promise<void> => {
  const page = await (await launchBrowser()).newPage();
  for (const [name, byVariant] of taken) {
    const images = screenshotVariants
      .map((variant) => byVariant[variant])
      .filter((image) => image !== undefined);
    const bytes = await page.evaluate(composeImages, { images, gapPx });
    writeFileSync(join(screenshotDirectory!, `${name}.webp`), Buffer.from(bytes, 'base64'));
  }
  await page.close();
  // The next file may run in the same process.
  taken.clear();
};

/** Runs in the browser: draws PNG images side by side, all in base64, and compresses them to WebP. */
export const composeImages = async ({
  images,
  gapPx,
}: {
  images: string[];
  gapPx: number;
}): Promise<string> => {
  const bitmaps = await Promise.all(
    images.map(async (image) => {
      const bytes = Uint8Array.from(atob(image), (character) => character.charCodeAt(0));
      return createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    }),
  );
  const canvas = document.createElement('canvas');
  canvas.width = bitmaps.reduce((sum, { width }) => sum + width + gapPx, -gapPx);
  canvas.height = Math.max(...bitmaps.map(({ height }) => height));
  const context = canvas.getContext('2d')!;
  let left = 0;
  for (const bitmap of bitmaps) {
    context.drawImage(bitmap, left, 0);
    left += bitmap.width + gapPx;
  }
  return canvas.toDataURL('image/webp', 0.8).split(',')[1]!;
};
