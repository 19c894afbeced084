// Two ways to use the widget: with a mouse, and with the keys alone, where the Tab key must lead to everything.
import type { Locator, Page } from 'playwright-core';

export type InputDriver = {
  press(target: Locator): Promise<void>;
  type(target: Locator, text: string): Promise<void>;
  check(target: Locator): Promise<void>;
};

export const mouse: InputDriver = {
  press: (target) => target.click(),
  type: (target, text) => target.fill(text),
  check: (target) => target.check(),
};

const stepsMax = 40;

/** Hands that never touch the mouse. Throws where the Tab key does not come to a thing. */
export const keyboard = (page: Page): InputDriver => {
  const hasFocus = (target: Locator) => target.evaluate((element) => element === document.activeElement);
  const reach = async (target: Locator): Promise<void> => {
    await target.waitFor();
    for (let step = 0; step < stepsMax; step++) {
      if (await hasFocus(target)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`The Tab key does not lead to ${target}.`);
  };
  return {
    press: async (target) => {
      await reach(target);
      await page.keyboard.press('Enter');
    },
    type: async (target, text) => {
      await reach(target);
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type(text);
    },
    check: async (target) => {
      await reach(target);
      await page.keyboard.press('Space');
    },
  };
};
