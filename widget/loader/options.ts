// Validates the options of `init`. The error contains the option, the expected form and the given value.
import type { ConnectOptions, ConnectTheme } from '../types.ts';

export type { ConnectOptions };

type Rule = { expected: string; isValid: (value: unknown) => boolean };

const stringRule = (expected: string, pattern: RegExp): Rule => ({
  expected,
  isValid: (value) => typeof value === 'string' && pattern.test(value),
});
const callbackRule: Rule = { expected: 'a function', isValid: (value) => typeof value === 'function' };
const rules: { [Name in keyof Required<ConnectOptions>]: Rule } = {
  applicationId: stringRule('the application id, app_…', /^app_\w{22}$/),
  externalUserId: stringRule('your own id for the user, 1 to 255 characters', /^.{1,255}$/s),
  userSignature: stringRule('t=…,v1=…', /^t=\d+(,v1=\w{64})+$/),
  connectionId: stringRule('a connection id, con_…', /^con_\w{22}$/),
  accountSelection: { expected: 'true or false', isValid: (value) => typeof value === 'boolean' },
  institutionId: stringRule('a bank id', /^.{1,100}$/s),
  language: stringRule('a tag such as "en"', /^[a-z]{2,3}(-\w+)*$/i),
  theme: { expected: 'an object', isValid: (value) => Object(value) === value },
  onInit: callbackRule,
  onSuccess: callbackRule,
  onExit: callbackRule,
  onEvent: callbackRule,
  onError: callbackRule,
};

const themeRules: { [Name in keyof Required<ConnectTheme>]: Rule } = {
  mode: stringRule('"light", "dark" or "auto"', /^(light|dark|auto)$/),
  accentColor: stringRule('a color such as "#0b6b6f"', /^#[\da-f]{6}$/i),
  radius: {
    expected: 'a number from 0 to 24',
    isValid: (value) => typeof value === 'number' && value >= 0 && value <= 24,
  },
};

/** Throws a TypeError for the first invalid value. Unknown names only cause a warning, because a later version may support them. */
const checkValues = (
  values: object,
  rulesByName: Record<string, Rule>,
  { prefix = '', otherNames = [] }: { prefix?: string; otherNames?: readonly string[] },
): void => {
  for (const name of Object.keys(values))
    if (!rulesByName[name] && !otherNames.includes(name))
      console.warn(`ServiceConnect.init: there is no option "${prefix}${name}".`);
  for (const [name, rule] of Object.entries(rulesByName)) {
    const value = values[name as keyof typeof values] as unknown;
    if ((value == null && name !== 'applicationId') || rule.isValid(value)) continue;
    const got = JSON.stringify(value);
    throw new TypeError(`ServiceConnect.init: "${prefix}${name}" must be ${rule.expected}; got ${got}.`);
  }
};

/**
 * Returns the options, or throws a TypeError. An option that is null or undefined counts as absent. `otherNames` are the caller's
 * own options.
 */
export const checkOptions = (options: ConnectOptions, otherNames?: readonly string[]): ConnectOptions => {
  if (Object(options) !== options)
    throw new TypeError('ServiceConnect.init: expected { applicationId: "app_…" }.');
  checkValues(options, rules, { otherNames });
  checkValues(options.theme ?? {}, themeRules, { prefix: 'theme.' });
  return options;
};
