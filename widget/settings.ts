// Separates the settings from callbacks and other properties. Used by the packages, not by the loader.
import type { ConnectCallbacks, ConnectSettings } from './types.ts';

const settingNames = {
  applicationId: true,
  externalUserId: true,
  userSignature: true,
  connectionId: true,
  accountSelection: true,
  institutionId: true,
  language: true,
  theme: true,
} satisfies Record<keyof ConnectSettings, true>;

const callbackNames = {
  onInit: true,
  onSuccess: true,
  onExit: true,
  onEvent: true,
  onError: true,
} satisfies Record<keyof ConnectCallbacks, true>;

/** The settings without callbacks, in a fixed order, so that equal settings have equal JSON. */
export const pickSettings = (options: ConnectSettings): ConnectSettings => {
  const names = Object.keys(settingNames) as (keyof ConnectSettings)[];
  return Object.fromEntries(names.map((name) => [name, options[name]])) as ConnectSettings;
};

export const isOptionName = (name: string): boolean => name in settingNames || name in callbackNames;
