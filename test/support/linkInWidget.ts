// The widget as a person uses it: in a browser, by the names of what is on the screen.
import type { FrameLocator, Page } from 'playwright-core';

export type WidgetInput = {
  institution?: string;
  username: string;
  password?: string;
  /** What to type at each challenge. */
  answers?: string[];
  /** The accounts to share, by name; all of them where nothing is said. */
  accounts?: string[];
};

const button = (widget: FrameLocator | Page, name: string) =>
  widget.getByRole('button', { name, exact: true });

/** The widget's page inside the host page; what was opened last, where there were several. */
export const widgetOf = (page: Page): FrameLocator => page.locator('dialog[open] iframe').contentFrame();

/** Clicks through an open widget from consent to "Done". */
export const linkInWidget = async (page: Page, visit: WidgetInput): Promise<void> => {
  const widget = widgetOf(page);
  await button(widget, 'Continue').click();
  await button(widget, visit.institution ?? 'Sandbox Bank').click();
  await signIn(widget, visit);
  await selectAccounts(widget, visit.accounts);
  await button(widget, 'Done').click();
};

/** The same for a connection that is restored: the widget asks for nothing but the bank's credentials. */
export const reconnectInWidget = async (page: Page, visit: WidgetInput): Promise<void> => {
  const widget = widgetOf(page);
  await signIn(widget, visit);
  await button(widget, 'Done').click();
};

const signIn = async (
  widget: FrameLocator,
  { username, password = 'password', answers = [] }: WidgetInput,
) => {
  await widget.getByLabel('Username', { exact: true }).fill(username);
  await widget.getByLabel('Password', { exact: true }).fill(password);
  await button(widget, 'Continue').click();
  for (const answer of answers) {
    await widget.getByRole('textbox').fill(answer);
    await button(widget, 'Continue').click();
  }
};

const selectAccounts = async (widget: FrameLocator, names: string[] | undefined) => {
  await widget.getByRole('checkbox').first().waitFor();
  for (const box of await widget.getByRole('checkbox').all()) {
    const name = await box.evaluate((input) => (input as HTMLInputElement).labels?.[0]?.innerText ?? '');
    if (!names || names.some((one) => name.startsWith(one))) await box.check();
  }
  await button(widget, 'Continue').click();
};
