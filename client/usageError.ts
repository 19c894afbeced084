// Wrong use of this package, such as a setting that is missing: a mistake in the program, never in what a user or a bank did.

/** An argument is missing or of the wrong kind. Its message says which one, and never what it contains. */
export class UsageError extends TypeError {
  override readonly name = 'UsageError';
}

/** Throws UsageError unless an argument is right. */
export const check = (isRight: boolean, message: string): void => {
  if (!isRight) throw new UsageError(message);
};

export const checkObject = (value: unknown, message: string): void =>
  check(typeof value === 'object' && value !== null, message);

export const checkBaseUrl = (options: { baseUrl: string } | undefined): void => {
  const text = String(options?.baseUrl);
  check(/^https?:\/\//.test(text) && URL.canParse(text), 'baseUrl must start with https:// or http://.');
};
