// Validates the options of `init`. The error names the option, the expected form and the given value.
import type { ConnectOptions, ConnectTheme } from '../types.ts';

export type { ConnectOptions };

type Rule = { expected: string; isValid: (value: unknown) => boolean };

const stringRule = (expected: string, pattern: RegExp): Rule => ({
  expected,
  isValid: (value) => typeof value === 'string' && pattern.test(value),
});
const callbackRule: Rule = { expected: 'a function', isValid: (value) => typeof value === 'function' };
const themeRule: Rule = {
  expected: '{ mode: "light", "dark" or "auto", accentColor: "#rrggbb", radius: 0 to 24 }',
  isValid: (value) => {
    if (Object(value) !== value) return false;
    const { mode = 'auto', accentColor = '#000000', radius = 0 } = value as ConnectTheme;
    return /^(light|dark|auto) #[\da-fA-F]{6}$/.test(`${mode} ${accentColor}`) && radius >= 0 && radius <= 24;
  },
};

const rules: { [Name in keyof Required<ConnectOptions>]: Rule } = {
  applicationId: stringRule('the application id, app_…', /^app_\w{22}$/),
  externalUserId: stringRule('your own id of the user, 1 to 255 characters', /^.{1,255}$/s),
  userSignature: stringRule('t=…,v1=…', /^t=\d+(,v1=\w{64})+$/),
  connectionId: stringRule('a connection id, con_…', /^con_\w{22}$/),
  institutionId: stringRule('a bank id', /^.{1,100}$/s),
  language: stringRule('a tag such as "en"', /^[a-z]{2,3}(-\w+)*$/i),
  theme: themeRule,
  onInit: callbackRule,
  onSuccess: callbackRule,
  onExit: callbackRule,
  onEvent: callbackRule,
  onError: callbackRule,
};

/** Returns the options, or throws a TypeError. An option that is null or undefined counts as absent. */
export const checkOptions = (options: ConnectOptions): ConnectOptions => {
  if (Object(options) !== options)
    throw new TypeError('ServiceConnect.init: expected { applicationId: "app_…" }.');
  for (const [name, rule] of Object.entries(rules)) {
    const value = options[name as keyof ConnectOptions] as unknown;
    if ((value == null && name !== 'applicationId') || rule.isValid(value)) continue;
    const got = JSON.stringify(value);
    throw new TypeError(`ServiceConnect.init: "${name}" must be ${rule.expected}; got ${got}.`);
  }
  return options;
};
