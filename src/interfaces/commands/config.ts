// Prints the effective settings, and the source of each.
import { findBuiltInSettings } from '../../domain/institutions/load.ts';
import type { Config } from '../../platform/settings/config.ts';
import { limitSettings, settings } from '../../platform/settings/table.ts';
import { defineCommand, table } from './command.ts';

type PrintedSetting = {
  name: string;
  /** Null if it is not set and has no default. */
  value: string | number | null;
  /** Empty if it has no unit. */
  unit: string;
  from: 'environment' | 'default';
};

/** The settings in the order of docs/settings.md. */
const print = async (config: Config): Promise<PrintedSetting[]> => {
  const setting = (name: string, value: string | number | null = null, unit = ''): PrintedSetting => {
    const isSet = config.variables.has(name) || config.variables.has(`${name}_FILE`);
    return { name, value, unit, from: isSet ? 'environment' : 'default' };
  };
  const connectorSettings = Object.keys(await findBuiltInSettings());
  return [
    ...settings.map(({ key, variable, show = showValue }) => setting(variable, show(config[key]))),
    ...connectorSettings.map((name) => {
      const file = `${name}_FILE`;
      return config.variables.has(file)
        ? setting(file, config.connectorSetting(file))
        : setting(name, config.connectorSetting(name));
    }),
    ...limitSettings.map(({ key, variable, unit }) => setting(variable, config.limits[key], unit)),
  ];
};

const showValue = (value: unknown): string | number | null => {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value === 'number') return value;
  return String(value ?? '') || null;
};

export const configCommands = {
  print: defineCommand({
    summary: 'show the effective settings and which of them come from the environment',
    options: (command) => command.option('--changed', 'only settings from the environment', false),
    run: async ({ config }, { changed }: { changed: boolean }) => {
      const printed = (await print(config)).filter(({ from }) => !changed || from === 'environment');
      return {
        json: { settings: printed },
        text: table(
          ['Setting', 'Value', 'Unit', 'From'],
          printed.map(({ name, value, unit, from }) => [name, value ?? 'none', unit, from]),
        ),
      };
    },
  }),
};
