// Drives the widget in a browser by the visible names of its controls.
import type { FrameLocator, Page } from 'playwright-core';

export type WidgetInput = {
  institution?: string;
  username: string;
  password?: string;
  /** The answer to each challenge. */
  answers?: string[];
  /** The names of the accounts to share; by default all. */
  accounts?: string[];
};

const button = (widget: FrameLocator | Page, name: string) =>
  widget.getByRole('button', { name, exact: true });

/** The widget's frame inside the host page. */
export const widgetOf = (page: Page): FrameLocator => page.locator('dialog[open] iframe').contentFrame();

/** Takes all steps in an open widget, from consent to "Done". */
export const linkInWidget = async (page: Page, input: WidgetInput): Promise<void> => {
  const widget = widgetOf(page);
  await widget.locator('[data-action=continue]').click();
  const name = input.institution ?? 'Sandbox Bank';
  await widget.getByRole('option', { name, exact: true }).click();
  await signIn(widget, input);
  await selectAccounts(widget, input.accounts);
  await button(widget, 'Done').click();
};

/** The same for a reconnect, in which the widget asks only for the bank credentials. */
export const reconnectInWidget = async (page: Page, input: WidgetInput): Promise<void> => {
  const widget = widgetOf(page);
  await signIn(widget, input);
  await button(widget, 'Done').click();
};

const signIn = async (
  widget: FrameLocator,
  { username, password = 'password', answers = [] }: WidgetInput,
) => {
  await widget.getByLabel('Username', { exact: true }).fill(username);
  await widget.getByLabel('Password', { exact: true }).fill(password);
  await widget.locator('[data-action=continue]').click();
  // Until the challenge appears, the credential fields are also text boxes.
  if (answers.length > 0) await widget.getByLabel('Username', { exact: true }).waitFor({ state: 'detached' });
  for (const answer of answers) {
    await widget.getByRole('textbox').fill(answer);
    await widget.locator('[data-action=continue]').click();
  }
};

const selectAccounts = async (widget: FrameLocator, names: string[] | undefined) => {
  await widget.getByRole('checkbox').first().waitFor();
  for (const box of await widget.getByRole('checkbox').all()) {
    const name = await box.evaluate((element) => (element as HTMLInputElement).labels?.[0]?.innerText ?? '');
    if (!names || names.some((one) => name.startsWith(one))) await box.check();
  }
  await widget.locator('[data-action=continue]').click();
};
