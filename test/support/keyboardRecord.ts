// Performs a task with the keyboard alone, and records the keys and the output for screen readers in docs/keyboard.
import type { Locator, Page } from 'playwright-core';
import { keyboard } from './inputDriver.ts';

type Role = Parameters<Page['getByRole']>[0];
type Scope = Pick<Page, 'getByRole' | 'getByLabel'>;

export type KeyboardRecord = {
  press(role: Role, name: string | RegExp): Promise<void>;
  type(label: string, text: string): Promise<void>;
  /** Checks a checkbox or a radio button. */
  check(role: Role, name: string | RegExp): Promise<void>;
  /** Presses keys that have no target. */
  keys(...keys: string[]): Promise<void>;
  /** Records the accessibility tree, under a heading. */
  tree(title: string, element: Locator): Promise<void>;
  text(): string;
};

/** `scope` contains the targets: the page, or one of its frames. */
export const recordKeyboard = (page: Page, scope: Scope, title: string): KeyboardRecord => {
  const driver = keyboard(page);
  const lines = [title, '='.repeat(title.length)];
  const target = (role: Role, name: string | RegExp) => scope.getByRole(role, { name, exact: true }).first();
  const go = async (key: string, role: Role, name: string | RegExp, act: (at: Locator) => Promise<void>) => {
    const at = target(role, name);
    const found = nameOf(await at.ariaSnapshot());
    await act(at);
    lines.push(`Tab to ${role} ${found}, ${key}`);
  };
  return {
    press: (role, name) => go('Enter', role, name, driver.press),
    check: (role, name) => go('Space', role, name, driver.toggle),
    type: async (label, text) => {
      await driver.type(scope.getByLabel(label, { exact: true }), text);
      lines.push(`Tab to "${label}", type ${/password/i.test(label) ? 'the password' : `"${text}"`}`);
    },
    keys: async (...keys) => {
      for (const key of keys) await page.keyboard.press(key);
      lines.push(keys.join(', '));
    },
    tree: async (heading, element) => {
      await element.first().waitFor();
      const tree = withoutChance(await element.first().ariaSnapshot());
      lines.push('', heading, '-'.repeat(heading.length), tree.trimEnd(), '');
    },
    text: () => `${lines.join('\n').trimEnd()}\n`,
  };
};

/** The quoted name in the first line of a tree. */
const nameOf = (tree: string): string => {
  const name = /"(?:[^"\\]|\\.)*"/.exec(tree)?.[0];
  if (name === undefined) throw new Error('The element has no name, or was replaced while it was read.');
  return name;
};

/** Replaces ids, secrets, ports and times, which differ from run to run. */
const withoutChance = (tree: string): string =>
  tree
    .replace(/\bogt_[\w-]+/g, 'ogt_…')
    .replace(/\b([a-z]{3})_[\dA-Za-z]{20,}/g, '$1_…')
    .replace(/ey[\w-]+\.[\w.-]+/g, 'ey…')
    .replace(/localhost:\d+/g, 'localhost:3000')
    .replace(/#[\w-]{20,}/g, '#…')
    .replace(/\d{1,2} [A-Z][a-z]{2} 20\d\d(, \d\d:\d\d)?/g, '23 Nov 2026')
    .replace(/"Send again( in \d s)?"( \[disabled\])?/, '"Send again"')
    .replace(/\b(just now|\d+ (second|minute)s? ago)\b/g, 'just now');
