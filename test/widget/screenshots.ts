// The pictures of docs/widget.md: SCREENSHOTS=DIRECTORY makes the tests that look at every screen take them. Each is
// one file with a screen in the light, in the dark and on a telephone side by side, so that they can be compared.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';
import { afterFile } from '../support/afterFile.ts';

const screenshotVariants = ['light', 'dark', 'small'] as const;
export type ScreenshotVariant = (typeof screenshotVariants)[number];

/** Where the pictures go, if they are wanted. */
export const screenshotDirectory = process.env.SCREENSHOTS;

/** What a browser's window is like for each of them. */
export const viewportFor = {
  light: { scheme: 'light', width: 488 },
  dark: { scheme: 'dark', width: 488 },
  small: { scheme: 'light', width: 320 },
} as const;

const heightPx = { 488: 744, 320: 568 };
const gapPx = 16;
const taken = new Map<string, Partial<Record<ScreenshotVariant, string>>>();

export const heightFor = (width: number): number => heightPx[width as 488] ?? 800;

/** Takes a picture of a screen. The three of one screen are joined after the last test of the file. */
export const takeScreenshot = async (page: Page, name: string, look: ScreenshotVariant): Promise<void> => {
  if (taken.size === 0) afterFile(joinScreenshots);
  // Away from whatever it has pressed.
  await page.mouse.move(0, 0);
  const picture = await page.screenshot({ animations: 'disabled' });
  taken.set(name, { ...taken.get(name), [look]: picture.toString('base64') });
};

const joinScreenshots = async (): Promise<void> => {
  const page = await (await launchBrowser()).newPage();
  for (const [name, pictures] of taken) {
    const three = screenshotVariants.map((look) => pictures[look]).filter((picture) => picture !== undefined);
    const bytes = await page.evaluate(composeImages, { three, gapPx });
    writeFileSync(join(screenshotDirectory!, `${name}.webp`), Buffer.from(bytes, 'base64'));
  }
  await page.close();
};

/** Runs in the browser, which can draw and compress: well enough to read every word, small enough to be kept. */
const composeImages = async ({ three, gapPx }: { three: string[]; gapPx: number }): Promise<string> => {
  const images = await Promise.all(
    three.map(async (picture) => {
      const bytes = Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0));
      return createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    }),
  );
  const canvas = document.createElement('canvas');
  canvas.width = images.reduce((sum, { width }) => sum + width + gapPx, -gapPx);
  canvas.height = Math.max(...images.map(({ height }) => height));
  const drawing = canvas.getContext('2d')!;
  let left = 0;
  for (const image of images) {
    drawing.drawImage(image, left, 0);
    left += image.width + gapPx;
  }
  return canvas.toDataURL('image/webp', 0.8).split(',')[1]!;
};
