// What `init` takes. A wrong option stops at once with a sentence that names it, says what was expected and
// shows what came instead, because the person who reads it is writing the page.
import type { ConnectOptions, ConnectTheme } from '../embedding.ts';

export type { ConnectOptions };

type Rule = { expected: string; holds: (value: unknown) => boolean };

const text = (expected: string, form: RegExp): Rule => ({
  expected,
  holds: (value) => typeof value === 'string' && form.test(value),
});
const callback: Rule = { expected: 'a function', holds: (value) => typeof value === 'function' };
const theme: Rule = {
  expected: '{ mode: "light", "dark" or "auto", accentColor: "#rrggbb", radius: 0 to 24 }',
  holds: (value) => {
    if (Object(value) !== value) return false;
    const { mode = 'auto', accentColor = '#000000', radius = 0 } = value as ConnectTheme;
    return /^(light|dark|auto) #[\da-fA-F]{6}$/.test(`${mode} ${accentColor}`) && radius >= 0 && radius <= 24;
  },
};

const rules: { [Name in keyof Required<ConnectOptions>]: Rule } = {
  applicationId: text('the application id, app_…', /^app_\w+$/),
  externalUserId: text('your own id of the user, 1 to 255 characters', /^.{1,255}$/s),
  userSignature: text('64 hexadecimal digits', /^[\da-f]{64}$/i),
  connectionId: text('a connection id, con_…', /^con_\w+$/),
  institutionId: text('the id of a bank', /^.{1,100}$/s),
  language: text('a language tag such as "en"', /^[a-z]{2,3}(-\w+)*$/i),
  theme,
  onInit: callback,
  onSuccess: callback,
  onExit: callback,
  onError: callback,
};

/** Throws a TypeError that says what to change. An option of null or undefined counts as left out. */
export const checkOptions = (options: ConnectOptions): ConnectOptions => {
  if (Object(options) !== options)
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
