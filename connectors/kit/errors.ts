// The errors of connectors. A connector may have its own copy of this package, with different classes, so `instanceof` checks for
// a property that every copy sets.

export type BankRefusal =
  | 'wrong_credentials'
  | 'wrong_answer'
  | 'locked'
  | 'denied'
  | 'user_action_required'
  | 'no_accounts'
  /** The end user's consent has ended. */
  | 'consent_expired';

/**
 * The bank refused. Retrying with the same input will not help, unless `repairedElsewhere` is set: the end user can fix the
 * problem elsewhere, such as on an aggregator's site, which makes the stored credentials valid again.
 */
export class BankRefused extends Error {
  readonly reason: BankRefusal;
  readonly attemptsLeft: number | undefined;
  readonly repairedElsewhere: boolean;

  constructor(reason: BankRefusal, options: { attemptsLeft?: number; repairedElsewhere?: boolean } = {}) {
    super(`The bank refused: ${reason}.`);
    this.reason = reason;
    this.attemptsLeft = options.attemptsLeft;
    this.repairedElsewhere = options.repairedElsewhere ?? false;
  }
}

/**
 * The scope of a rate limit: one account, one end user's connection, the whole institution, or all institutions of the connector.
 * Without `until`, the service waits for an hour, doubled each time, up to a day.
 */
export type RateLimit = { scope: 'account' | 'connection' | 'institution' | 'connector'; until?: Date };

/**
 * The bank could not be reached, its response was incomplete, it refuses the service itself, or it limits requests. A later retry
 * may help.
 */
export class BankUnreachable extends Error {
  readonly reason: 'down' | 'timeout' | 'incomplete' | 'operator_action_required' | 'rate_limited';
  /** Only with `rate_limited`; by default for the connection. */
  readonly rateLimit: RateLimit | undefined;

  constructor(
    reason: BankUnreachable['reason'],
    { scope = 'connection', until, ...options }: ErrorOptions & Partial<RateLimit> = {},
  ) {
    super(`The bank could not be reached: ${reason}.`, options);
    this.reason = reason;
    this.rateLimit = reason === 'rate_limited' ? { scope, until } : undefined;
  }
}

/** Makes `instanceof` true for instances of any copy of a class. Subclasses keep the usual meaning. */
const brand = (type: typeof BankRefused | typeof BankUnreachable): void => {
  const property = Symbol.for(`@bank-connection/connector-kit ${type.name}`);
  Object.defineProperty(type.prototype, property, { value: true });
  Object.defineProperty(type, Symbol.hasInstance, {
    value(this: unknown, value: unknown): boolean {
      if (this !== type) return Function.prototype[Symbol.hasInstance].call(this as object, value);
      return typeof value === 'object' && value !== null && property in value;
    },
  });
};
brand(BankRefused);
brand(BankUnreachable);
