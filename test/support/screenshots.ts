// The screenshots in docs/screenshots. With SCREENSHOTS=1, the page tests take them, and store a hash of each page in
// rendered.json. Otherwise they expect each page to still have this hash. A file shows a screen in the light scheme, in the dark
// scheme and on a phone, side by side.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { expect, vi } from 'vitest';
import { en } from '../../widget/page/texts/en.ts';
import { launchBrowser } from './browser.ts';
import { afterFile } from './cleanups.ts';

const screenshotVariants = ['light', 'dark', 'phone'] as const;
export type ScreenshotVariant = (typeof screenshotVariants)[number];

export const takesScreenshots = process.env.SCREENSHOTS !== undefined;
export const screenshotDirectory = join(import.meta.dirname, '../../docs/screenshots');

const gapPx = 16;
const taken = new Map<string, Partial<Record<ScreenshotVariant, string>>>();
const renderedFile = join(screenshotDirectory, 'rendered.json');
const noted = new Map<string, string>();

/** The hash of the page shown in each picture. */
export const readRendered = (): Record<string, string> => JSON.parse(readFileSync(renderedFile, 'utf8'));

/**
 * With SCREENSHOTS, records the hash of the page in a picture; otherwise expects the page to still have it. `data` selects elements
 * that differ from run to run.
 */
export const expectPictureOf = async (page: Page, picture: string, data: string): Promise<void> => {
  if (takesScreenshots) {
    if (noted.size === 0) afterFile(writeNoted);
    const hash = await hashRendering(page, data);
    expect(noted.get(picture) ?? hash, `${picture} differs between color schemes or windows`).toBe(hash);
    noted.set(picture, hash);
    return;
  }
  const message = `${picture} shows an older page. Take the pictures with "npm run pictures", and look at them.`;
  const expected = readRendered()[picture];
  const check = async () => expect(await hashRendering(page, data), message).toBe(expected);
  await vi.waitFor(check, { timeout: 5000, interval: 50 });
};

// `npm run pictures` runs one file after another.
const writeNoted = async (): Promise<void> => {
  const entries = Object.entries({ ...readRendered(), ...Object.fromEntries(noted) });
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(renderedFile, `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`);
  noted.clear();
};

/**
 * Takes the screenshot `name`, a folder and a file. The three pictures of a screen are joined after the last test of the file.
 * Without SCREENSHOTS it only expects the page to still have the hash of the picture.
 */
export const takeScreenshot = async (
  page: Page,
  name: string,
  variant: ScreenshotVariant = 'light',
): Promise<void> => {
  await expectPictureOf(page, name, 'tbody *, .chart *, .currency, time');
  if (!takesScreenshots) return;
  if (taken.size === 0) afterFile(joinScreenshots);
  // Removes the hover style from the last button.
  await page.mouse.move(0, 0);
  const screenshot = await page.screenshot({ animations: 'disabled', scale: 'css' });
  taken.set(name, { ...taken.get(name), [variant]: screenshot.toString('base64') });
};

const hashRendering = async (page: Page, data: string): Promise<string> => {
  // A frame without an address is still loading its page; browsers differ in how they show their own errors.
  const loaded = page.frames().filter((frame) => !/^(chrome-error:.*)?$/.test(frame.url()));
  const frames = await Promise.all(loaded.map((frame) => describeRendering(frame, data)));
  return createHash('sha256').update(JSON.stringify(frames)).digest('hex').slice(0, 16);
};

// Their presence depends on the other sign-ins of a login, and on the time.
const varyingTexts = [...[1, 2, 3].map(en.errors.attemptsLeft), en.challenge.resend];

/** The style sheets, and the elements with their classes and words. Numbers, dates and ids differ from run to run. */
const describeRendering = async (frame: Frame, data: string) => {
  const inPage = ({ data, varyingTexts }: { data: string; varyingTexts: string[] }) => {
    const isWord = (text: string) => text !== '' && !/\d/.test(text) && !varyingTexts.includes(text);
    const shown = document.body.querySelectorAll(`*:not(script, ${data})`);
    const styles = [...document.styleSheets].flatMap(({ href, ownerNode }) =>
      href === null ? [ownerNode?.textContent ?? ''] : [],
    );
    const sheets = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')].map(
      ({ href }) => href,
    );
    const elements = [...shown].map((element) => {
      const words = [...element.childNodes]
        .filter((node) => node.nodeType === Node.TEXT_NODE)
        .map((node) => node.textContent!.trim())
        .filter(isWord);
      return [element.localName, element.getAttribute('class') ?? '', ...words];
    });
    return { styles, sheets, elements };
  };
  const { styles, sheets, elements } = await frame.evaluate(inPage, { data, varyingTexts });
  const texts = await Promise.all(sheets.map(async (url) => (await frame.page().request.get(url)).text()));
  return { styles, texts, elements };
};

const joinScreenshots = async (): Promise<void> => {
  const page = await (await launchBrowser()).newPage();
  for (const [name, byVariant] of taken) {
    const images = screenshotVariants
      .map((variant) => byVariant[variant])
      .filter((image) => image !== undefined);
    const bytes = await page.evaluate(composeImages, { images, gapPx });
    writeFileSync(join(screenshotDirectory, `${name}.webp`), Buffer.from(bytes, 'base64'));
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
