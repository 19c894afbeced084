// Incorrect use of this package, such as a missing setting: a mistake in the program, never by a user or a bank.

/** An argument is missing or of the wrong type. The message names the argument and never contains its value. */
export class UsageError extends TypeError {
  override readonly name = 'UsageError';
}

/** Throws UsageError unless `isRight`. */
export const check = (isRight: boolean, message: string): void => {
  if (!isRight) throw new UsageError(message);
};

export const checkObject = (value: unknown, message: string): void =>
  check(typeof value === 'object' && value !== null, message);

export const checkBaseUrl = (options: { baseUrl: string } | undefined): void => {
  const text = String(options?.baseUrl);
  check(/^https?:\/\//.test(text) && URL.canParse(text), 'baseUrl must start with https:// or http://.');
};
