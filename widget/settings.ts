// Tells an application's settings from its callbacks and from everything else that is given with them. For the
// packages only: the script in a web page does without.
import type { ConnectCallbacks, ConnectSettings } from './embedding.ts';

const settings = {
  applicationId: true,
  externalUserId: true,
  userSignature: true,
  connectionId: true,
  institutionId: true,
  language: true,
  theme: true,
} satisfies Record<keyof ConnectSettings, true>;

const callbacks = {
  onInit: true,
  onSuccess: true,
  onExit: true,
  onError: true,
} satisfies Record<keyof ConnectCallbacks, true>;

/** The settings alone, always in the same order, so that equal ones are equal as text. */
export const settingsOf = (options: ConnectSettings): ConnectSettings => {
  const names = Object.keys(settings) as (keyof ConnectSettings)[];
  return Object.fromEntries(names.map((name) => [name, options[name]])) as ConnectSettings;
};

/** Whether this is the name of one of our options. */
export const isOption = (name: string): boolean => name in settings || name in callbacks;
