// The user's actions in the widget, by accessible roles and names.
import type { FrameLocator } from 'playwright-core';

export const press = (widget: FrameLocator, name: string): Promise<void> =>
  widget.getByRole('button', { name, exact: true }).click();

/** From consent to the bank's sign-in form. */
export const selectInstitution = async (widget: FrameLocator, bank = 'Sandbox Bank'): Promise<void> => {
  await press(widget, 'Continue');
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
  await press(widget, 'Continue');
};

/** Answers the challenge with this label. */
export const answer = async (widget: FrameLocator, label: string, text: string): Promise<void> => {
  await widget.getByLabel(label).fill(text);
  await press(widget, 'Continue');
};

/** Selects all accounts. */
export const shareAll = async (widget: FrameLocator): Promise<void> => {
  const boxes = widget.getByRole('checkbox');
  await boxes.first().waitFor();
  for (const box of await boxes.all()) await box.check();
  await press(widget, 'Continue');
};
