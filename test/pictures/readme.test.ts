// The pictures of README.md: the widget on a phone over the demo, next to the data that the application's backend reads.
// SCREENSHOTS=1 takes them; otherwise the test only checks that the pages still match the pictures.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { startDemo } from '../demo/startDemo.ts';
import { launchBrowser, waitForAnimations } from '../support/browser.ts';
import { widgetOf } from '../support/linkInWidget.ts';
import { composeImages, expectPictureOf, takesScreenshots } from '../support/screenshots.ts';
import { type Answer, composeScene, type Scene } from './composeScene.ts';
import { joinFrames } from './joinFrames.ts';

const directory = join(import.meta.dirname, '../../docs/pictures');
const schemes = ['light', 'dark'] as const;
const frameMs = 1400;

test('the pictures of README.md show the pages as they are', { timeout: 120_000 }, async () => {
  for (const colorScheme of takesScreenshots ? schemes : schemes.slice(0, 1)) {
    const scenes = await linkOnPhone(colorScheme);
    if (takesScreenshots) await writePictures(colorScheme, scenes);
  }
});

/** Links a sandbox user in the demo at the size of a phone. Returns a scene for each screen. */
const linkOnPhone = async (colorScheme: (typeof schemes)[number]) => {
  const demo = await startDemo();
  const browser = await launchBrowser();
  const page = await browser.newPage({
    ...{ colorScheme, locale: 'en-US', reducedMotion: 'reduce' },
    ...{ viewport: { width: 390, height: 780 }, deviceScaleFactor: 2 },
  });
  const scenes: Scene[] = [];
  let answer: Answer | undefined;
  const take = async (step: string): Promise<void> => {
    for (const frame of page.frames()) await waitForAnimations(frame);
    await expectPictureOf(page, `README.md: ${step}`, '#feed *, #stored *, .transactions *');
    // A blinking caret or a hovered button would differ from run to run.
    const phone = takesScreenshots && (await page.screenshot({ animations: 'disabled', caret: 'hide' }));
    if (phone) scenes.push({ step, phone: phone.toString('base64'), answer });
  };
  const widget = widgetOf(page);
  const proceed = () => widget.locator('[data-action=continue]').click();
  try {
    await page.goto(`${demo.url}/demo`);
    const connect = page.getByRole('button', { name: 'Connect a bank' });
    await expect.poll(() => connect.isEnabled()).toBe(true);
    await take('Your page opens the widget');
    await connect.click();
    await widget.locator('[data-action=continue]').waitFor();
    await take('The user consents');
    await proceed();
    const bank = widget.getByRole('option', { name: 'Sandbox Bank', exact: true });
    await bank.waitFor();
    await take('Chooses a bank');
    await bank.click();
    await widget.getByLabel('Username', { exact: true }).fill('otp');
    await widget.getByLabel('Password', { exact: true }).fill('password');
    await take('Signs in');
    await proceed();
    const username = widget.getByLabel('Username', { exact: true });
    await username.waitFor({ state: 'detached' });
    await widget.getByRole('textbox').fill('123456');
    await take('Enters the bank’s code');
    await proceed();
    await widget.getByRole('checkbox').first().waitFor();
    for (const box of await widget.getByRole('checkbox').all()) await box.check();
    await take('Chooses accounts');
    const reading = page.waitForResponse((response) => response.url().includes('/transactions?'));
    await proceed();
    const done = widget.getByRole('button', { name: 'Done', exact: true });
    await done.waitFor();
    // Behind the widget.
    await page.locator('.transactions tbody tr').first().waitFor();
    await take('Your page gets a connection');
    await done.click();
    ({ exchange: answer } = await (await reading).json());
    await page.locator('#views').evaluate((element) => element.scrollIntoView());
    await take('Your backend reads');
  } finally {
    await page.close();
    await demo.close();
  }
  return scenes;
};

const writePictures = async (
  colorScheme: (typeof schemes)[number],
  scenes: readonly Scene[],
): Promise<void> => {
  const browser = await launchBrowser();
  const page = await browser.newPage({
    ...{ colorScheme, reducedMotion: 'reduce', viewport: { width: 1120, height: 720 } },
    deviceScaleFactor: 1.5,
  });
  const draw = async (scene: Scene, all: readonly string[]): Promise<Buffer> => {
    await page.setContent(composeScene(scene, all));
    return page.screenshot();
  };
  const { answer } = scenes.at(-1)!;
  const choosing = scenes.find(({ step }) => step === 'Chooses accounts')!;
  const hero = await draw({ ...choosing, answer }, []);
  await writeFile(join(directory, `hero-${colorScheme}.webp`), await toWebp(page, hero));
  const steps = scenes.map(({ step }) => step);
  const frames = [];
  for (const scene of scenes) frames.push(await toWebp(page, await draw(scene, steps)));
  await writeFile(join(directory, `link-${colorScheme}.webp`), joinFrames(frames, frameMs));
  await page.close();
};

const toWebp = async (page: Page, png: Buffer): Promise<Buffer> =>
  Buffer.from(await page.evaluate(composeImages, { images: [png.toString('base64')], gapPx: 0 }), 'base64');
