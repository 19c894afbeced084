// What `init` takes. A wrong option stops at once with a sentence that names it, says what was expected and
// shows what came instead, because the person who reads it is writing the page.
import type { ConnectResult } from '../messages.ts';

/** The options of `ServiceConnect.init`. */
export type ConnectOptions = {
  /** The application, `app_…`, as the dashboard shows it. */
  applicationId: string;
  /** Your own id of this user. It ties several connections to one user; without it, each one is anonymous. */
  externalUserId?: string;
  /** The connection to restore, `con_…`. Without it, a new connection is made. */
  connectionId?: string;
  /** The language of the widget, as a BCP 47 tag. Without it, the browser's. */
  language?: string;
  /** The widget can be opened; called once. */
  onInit?: () => void;
  /** The connection exists. Send the result to your backend now: the scoped token is shown this once. */
  onSuccess?: (result: ConnectResult) => void;
  /** The widget was opened and went away without a connection. */
  onExit?: () => void;
};

type Rule = { expected: string; holds: (value: unknown) => boolean };

const text = (expected: string, form: RegExp): Rule => ({
  expected,
  holds: (value) => typeof value === 'string' && form.test(value),
});
const callback: Rule = { expected: 'a function', holds: (value) => typeof value === 'function' };

const rules: { [Name in keyof Required<ConnectOptions>]: Rule } = {
  applicationId: text('the application id, app_…', /^app_\w+$/),
  externalUserId: text('your own id of the user, 1 to 255 characters', /^.{1,255}$/s),
  connectionId: text('a connection id, con_…', /^con_\w+$/),
  language: text('a language tag such as "en"', /^[a-z]{2,3}(-\w+)*$/i),
  onInit: callback,
  onSuccess: callback,
  onExit: callback,
};

/** Throws a TypeError that says what to change. An option of null or undefined counts as left out. */
export const checkOptions = (options: ConnectOptions): ConnectOptions => {
  if (typeof options !== 'object' || !options)
    throw new TypeError(
      'ServiceConnect.init: expected an object of options, such as { applicationId: "app_…" }.',
    );
  for (const [name, rule] of Object.entries(rules)) {
    const value = options[name as keyof ConnectOptions] as unknown;
    if ((value == null && name !== 'applicationId') || rule.holds(value)) continue;
    const got = typeof value === 'string' ? `"${value}"` : String(value);
    throw new TypeError(`ServiceConnect.init: "${name}" must be ${rule.expected}; got ${got}.`);
  }
  return options;
};
