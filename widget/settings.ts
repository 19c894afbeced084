// Tells an application's settings from its callbacks and from everything else that is given with them. For the
// packages only: the script in a web page does without.
import type { ConnectCallbacks, ConnectSettings } from './types.ts';

const settingNames = {
  applicationId: true,
  externalUserId: true,
  userSignature: true,
  connectionId: true,
  institutionId: true,
  language: true,
  theme: true,
} satisfies Record<keyof ConnectSettings, true>;

const callbackNames = {
  onInit: true,
  onSuccess: true,
  onExit: true,
  onError: true,
} satisfies Record<keyof ConnectCallbacks, true>;

/** The settings alone, always in the same order, so that equal ones are equal as text. */
export const pickSettings = (options: ConnectSettings): ConnectSettings => {
  const names = Object.keys(settingNames) as (keyof ConnectSettings)[];
  return Object.fromEntries(names.map((name) => [name, options[name]])) as ConnectSettings;
};

/** Whether this is the name of one of our options. */
export const isOptionName = (name: string): boolean => name in settingNames || name in callbackNames;
