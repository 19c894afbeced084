// The command config print: the settings in force, and where each comes from.
import type { Config } from '../config.ts';
import { limitSettings } from '../limits.ts';
import { defineCommand } from './command.ts';
import { table } from './format.ts';

type PrintedSetting = {
  name: string;
  /** Null if it is not set and has no default. */
  value: string | number | null;
  /** Empty for what has none. */
  unit: string;
  from: 'environment' | 'default';
};

/** The settings other than limits, in the order of the README. */
const settingsOf = (config: Config): Record<string, string | number | null> => ({
  PORT: config.port,
  HOST: config.host,
  BASE_URL: config.baseUrl,
  TRUSTED_PROXIES: config.trustedProxies.join(',') || 'none',
  DATA_DIR: config.dataDir,
  SECRETS_DIR: config.secretsDir,
  DATABASE_URL: withoutPassword(config.databaseUrl),
  DATABASE_PREPARED: config.databasePrepared ? 'on' : 'off',
  LOG_LEVEL: config.logLevel,
  WEB_CONCURRENCY: config.processes,
  DEMO: config.demo ? 'on' : 'off',
  CONNECTORS: config.connectors.join(',') || null,
  FINTS_PRODUCT_ID: config.connectorSetting('FINTS_PRODUCT_ID') ?? null,
  FINTS_BANKS: config.connectorSetting('FINTS_BANKS') ?? null,
  ALLOWED_NETWORKS: config.allowedNetworks.join(',') || null,
  OIDC_ISSUER: config.oidc?.issuer ?? null,
  OIDC_CLIENT_ID: config.oidc?.clientId ?? null,
  OIDC_CLIENT_SECRET: config.oidc ? hidden : null,
  OPERATOR_NAME: config.operator?.name ?? null,
  OPERATOR_PRIVACY_URL: config.operator?.privacyUrl ?? null,
  OPERATOR_TERMS_URL: config.operator?.termsUrl ?? null,
  METRICS_PORT: config.metricsPort ?? null,
  METRICS_HOST: config.metricsHost,
  NODE_ENV: config.checkResponses ? null : 'production',
});

const hidden = '(hidden)';

/** Of a PostgreSQL URL only host and database: the rest may have a password anywhere. */
const withoutPassword = (databaseUrl: string): string => {
  if (databaseUrl.startsWith('sqlite:')) return databaseUrl;
  if (!URL.canParse(databaseUrl)) return hidden;
  const { protocol, host, pathname } = new URL(databaseUrl);
  return `${protocol}//${hidden}@${host}${pathname}`;
};

const print = (config: Config): PrintedSetting[] => {
  const from = (name: string) => (config.variables.has(name) ? 'environment' : 'default');
  return [
    ...Object.entries(settingsOf(config)).map(([name, value]) => ({ name, value, unit: '' })),
    ...limitSettings.map(({ name, variable, unit }) => ({
      name: variable,
      value: config.limits[name],
      unit,
    })),
  ].map((setting) => ({ ...setting, from: from(setting.name) }));
};

export const configCommands = {
  print: defineCommand({
    summary: 'show the effective settings, and which of them the environment sets',
    options: (command) => command.option('--changed', 'only those that the environment sets', false),
    run: async ({ config }, { changed }: { changed: boolean }) => {
      const settings = print(config).filter(({ from }) => !changed || from === 'environment');
      return {
        json: { settings },
        text: table(
          ['Setting', 'Value', 'Unit', 'From'],
          settings.map(({ name, value, unit, from }) => [name, value ?? 'none', unit, from]),
        ),
      };
    },
  }),
};
