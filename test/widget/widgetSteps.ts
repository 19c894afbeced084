// The user's actions in the widget, by accessible roles and names.
import type { FrameLocator } from 'playwright-core';
import { type HostPage, type HostPageOptions, openHostPage, type WidgetFixture } from './hostPage.ts';

export const press = (widget: FrameLocator, name: string): Promise<void> =>
  widget.getByRole('button', { name, exact: true }).click();

/** Presses the button for the next step, regardless of its label. */
export const proceed = (widget: FrameLocator): Promise<void> =>
  widget.locator('[data-action=continue]').click();

/** From consent to the bank's sign-in form. */
export const selectInstitution = async (widget: FrameLocator, bank = 'Sandbox Bank'): Promise<void> => {
  await proceed(widget);
  await widget.getByRole('combobox', { name: 'Search banks' }).fill(bank);
  await widget.getByRole('option', { name: bank, exact: true }).click();
};

export const signIn = async (
  widget: FrameLocator,
  username: string,
  password = 'password',
): Promise<void> => {
  await widget.getByLabel('Username').fill(username);
  await widget.getByLabel('Password').fill(password);
  await proceed(widget);
};

/** Answers the challenge with this label. */
export const answer = async (widget: FrameLocator, label: string, text: string): Promise<void> => {
  await widget.getByLabel(label).fill(text);
  await proceed(widget);
};

/** Selects all accounts. */
export const shareAll = async (widget: FrameLocator): Promise<void> => {
  const boxes = widget.getByRole('checkbox');
  await boxes.first().waitFor();
  for (const box of await boxes.all()) await box.check();
  await proceed(widget);
};

/** Opens the widget at the sign-in form of Sandbox Bank, which the host page has selected. */
export const openSignIn = async (
  fixture: WidgetFixture,
  options: HostPageOptions = {},
): Promise<HostPage> => {
  const host = await openHostPage(fixture, { institutionId: 'sandbox-bank', ...options });
  await host.open();
  if (!options.connectionId) await proceed(host.widget);
  return host;
};
