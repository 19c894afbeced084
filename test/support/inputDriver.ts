// Operates the widget with the mouse, or only with the keyboard.
import type { Locator, Page } from 'playwright-core';

export type InputDriver = {
  press(target: Locator): Promise<void>;
  /** Selects an option of a list below a text field. */
  choose(target: Locator): Promise<void>;
  type(target: Locator, text: string): Promise<void>;
  /** Checks a box, or unchecks it. */
  toggle(target: Locator): Promise<void>;
};

export const mouse: InputDriver = {
  press: (target) => target.click(),
  choose: (target) => target.click(),
  type: (target, text) => target.fill(text),
  toggle: (target) => target.click(),
};

const maxTabs = 40;
const maxOptions = 60;

/** Keyboard only. Throws if the Tab key does not reach a target. */
export const keyboard = (page: Page): InputDriver => {
  const hasFocus = (target: Locator) => target.evaluate((element) => element === document.activeElement);
  const focus = async (target: Locator): Promise<void> => {
    await target.waitFor();
    for (let tabs = 0; tabs < maxTabs; tabs++) {
      if (await hasFocus(target)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`The Tab key does not lead to ${target}.`);
  };
  return {
    press: async (target) => {
      await focus(target);
      await page.keyboard.press('Enter');
    },
    choose: async (target) => {
      await target.waitFor();
      for (let at = 0; at < maxOptions; at++) {
        if ((await target.getAttribute('aria-selected')) === 'true') return page.keyboard.press('Enter');
        await page.keyboard.press('ArrowDown');
      }
      throw new Error(`The arrow key does not lead to ${target}.`);
    },
    type: async (target, text) => {
      await focus(target);
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type(text);
    },
    toggle: async (target) => {
      await focus(target);
      await page.keyboard.press('Space');
    },
  };
};
