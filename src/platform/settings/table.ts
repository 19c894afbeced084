// The tables of settings: names, defaults, readers and meanings. docs/settings.md and `config print` are generated from them.
import { join, resolve } from 'node:path';
import { databaseUrl, hidden, withoutPassword } from './databaseUrl.ts';
import {
  choice,
  companyName,
  demo,
  ipBlocks,
  list,
  optional,
  optionalPort,
  origin,
  policyUrl,
  port,
  processes,
  proxies,
} from './readers.ts';

/** Settings on which the defaults of later ones depend. */
type Earlier = { port: number; host: string; baseUrl: string; dataDir: string; processes: number };

type Setting<Value> = {
  /** The environment variable, if it is not the key in capital letters. */
  variable?: string;
  standard?: string;
  /** In docs/settings.md instead of the default. */
  standardText?: string;
  /** In docs/settings.md. */
  text: string;
  /** True if a variable with the suffix `_FILE` may name a file that contains it. */
  secret?: true;
  /** Parses the text of the environment or the default; it is empty if there is neither. Throws OperatorError. */
  read(text: string, variable: string, earlier: Earlier): Value;
  /** The text that `config print` shows instead of the value. */
  show?(value: Value): string | null;
};

const define = <Value>(setting: Setting<Value>): Setting<Value> => setting;

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

export const settingTable = {
  port: define({ standard: '3000', text: '`0` takes any free port', read: port }),
  host: define({
    standard: '127.0.0.1',
    text: 'listening address; `0.0.0.0` for all IPv4 interfaces',
    read: String,
  }),
  baseUrl: define({
    standardText: '`http://localhost:PORT`',
    text: 'public URL without a path',
    read: (text, variable, earlier) => (text ? origin(text, variable) : `http://localhost:${earlier.port}`),
  }),
  /** Addresses of proxies whose `X-Forwarded-For` header is trusted: IPs, CIDR blocks, or names such as `loopback`. */
  trustedProxies: define({
    standard: 'loopback',
    text: 'proxies whose `X-Forwarded-For` is trusted: IPs, CIDR blocks, `loopback`, `linklocal`, `uniquelocal` or `none`',
    read: proxies,
    show: (value) => value.join(',') || 'none',
  }),
  dataDir: define({
    standard: './data',
    text: 'directory of database and secrets',
    read: (text) => resolve(text),
  }),
  secretsDir: define({
    standardText: '`secrets` in `DATA_DIR`',
    text: 'one file per secret',
    read: (text, _, { dataDir }) => (text ? resolve(text) : join(dataDir, 'secrets')),
  }),
  databaseUrl: define({
    secret: true,
    standardText: '`service.db` in `DATA_DIR`',
    text: '`sqlite:/path/to/file.db`, or `postgres://…` with [TLS](operating/install.md#postgresql)',
    read: (text, variable, { dataDir }) =>
      databaseUrl(text || `sqlite:${join(dataDir, 'service.db')}`, variable),
    show: withoutPassword,
  }),
  /** Disable for poolers in transaction mode, which lose named prepared statements. */
  databasePrepared: define({
    standard: 'on',
    text: '`off` behind some [poolers](operating/install.md#connection-poolers)',
    read: (text, variable) => choice(text, variable, ['on', 'off']) === 'on',
  }),
  logLevel: define({
    standard: 'info',
    text: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`',
    read: (text, variable) => choice(text, variable, logLevels),
  }),
  processes: define({
    variable: 'WEB_CONCURRENCY',
    standard: '1',
    text: 'processes that share the port',
    read: processes,
  }),
  demo: define({
    standardText: '`on` with loopback `HOST`, http `BASE_URL`, one process',
    text: 'serve `/demo`, never with https',
    read: demo,
  }),
  /** The connectors that Production applications use: names of built-in ones, or paths of modules. */
  connectors: define({
    text: '[connectors](banks.md#enable-a-connector) for Production: `simplefin`, `fints`, `enable-banking`, module paths',
    read: list,
  }),
  /** Addresses and CIDR blocks that webhooks and connectors may connect to although they are not public. */
  allowedNetworks: define({
    text: 'private IPs and CIDR blocks that [webhooks](webhooks.md#for-operators) and connectors may reach',
    read: ipBlocks,
  }),
  oidcIssuer: define({
    text: 'OpenID provider for the dashboard; redirect URI `/dashboard/oidc/callback`',
    read: optional,
  }),
  oidcClientId: define({ text: 'client id', read: optional }),
  oidcClientSecret: define({
    secret: true,
    text: 'client secret',
    read: optional,
    show: (value) => (value ? hidden : null),
  }),
  operatorName: define({
    text: 'your company, for the [consent](widget.md#consent)',
    read: companyName,
  }),
  operatorPrivacyUrl: define({ text: 'its privacy policy (https)', read: policyUrl }),
  operatorTermsUrl: define({ text: 'its terms (https)', read: policyUrl }),
  metricsPort: define({
    text: 'port of `/metrics`, for [Prometheus](operating/watch.md#metrics)',
    read: optionalPort,
  }),
  metricsHost: define({ standard: '127.0.0.1', text: 'address of that port', read: String }),
  /** Set to validate responses against the contract. */
  checkResponses: define({
    variable: 'NODE_ENV',
    text: '`production` disables response validation',
    read: (text) => text !== 'production',
    show: (value) => (value ? null : 'production'),
  }),
};

/** The values of `settingTable`. */
export type Values = { [Key in keyof typeof settingTable]: ReturnType<(typeof settingTable)[Key]['read']> };

/** A setting that is a whole number. */
type Limit = {
  standard: number;
  /** The smallest value, by default 1. */
  min?: number;
  /** The largest value, by default that of the unit. */
  max?: number;
  /** In docs/settings.md. */
  text: string;
};

const mebibyte = 1024 * 1024;

/** The last word of a name is its unit; names in any other form are counts and have their own largest value. */
const units = {
  Ms: { unit: 'milliseconds', max: 60_000 },
  Seconds: { unit: 'seconds', max: 3_600 },
  Minutes: { unit: 'minutes', max: 1_440 },
  Hours: { unit: 'hours', max: 8_784 },
  Days: { unit: 'days', max: 3_660 },
  Bytes: { unit: 'bytes', min: 1_024, max: 4096 * mebibyte },
  Megabytes: { unit: 'MB', max: 1_000_000 },
  PerMinute: { unit: 'per minute', max: 10_000_000 },
} as const;

export const limitTable = {
  // Requests
  keepAliveSeconds: {
    standard: 75,
    text: 'until idle connections close; proxies must close first',
  },
  databaseRequestMs: {
    standard: 4500,
    min: 100,
    text: 'database timeout of requests, then 503',
  },
  databaseJobSeconds: {
    standard: 300,
    text: 'database timeout of jobs and streamed lists',
  },

  consentNoticeDays: {
    standard: 7,
    text: 'first `connection.expiring` before a consent ends',
  },

  // Deletion
  retentionDays: { standard: 30, text: 'until a revoked connection’s data is deleted' },
  vacuumMegabytesMax: {
    standard: 300,
    max: 1_000_000,
    text: 'only `retention sweep` vacuums larger SQLite files',
  },

  // Linking
  linkSessionMinutes: { standard: 30, text: 'until an idle link session expires' },

  // Institutions
  connectorTimeoutSeconds: { standard: 60, text: 'connector timeout' },
  connectorAnswerBytesMax: {
    standard: 32 * mebibyte,
    text: 'largest bank response, or pages of a FinTS account; more counts as incomplete',
  },

  // Imports and refreshes
  refreshTimeoutSeconds: {
    standard: 1800,
    max: 86_400,
    text: 'timeout of an import or refresh',
  },
  refreshEveryHours: { standard: 6, text: 'refresh interval, ±10%' },
  workerConcurrency: { standard: 4, max: 1_000, text: 'concurrent jobs per worker; refreshes use one fewer' },
  workerConcurrencyPerInstitution: {
    standard: 2,
    max: 1_000,
    text: 'of these, per institution; only refreshes wait',
  },

  // Members
  memberSessionIdleHours: { standard: 12, text: 'until an idle member session ends' },
  memberSessionHours: { standard: 7 * 24, text: 'until any member session ends' },

  // Statistics and logs
  metricsRetentionDays: { standard: 31, text: 'until metrics are deleted' },

  // The request log
  requestLogDays: { standard: 7, text: 'until logged requests are deleted' },

  // Rate limits
  dashboardRequestsPerMinute: {
    standard: 1200,
    text: 'per session, else per client address',
  },
  apiRequestsPerMinute: { standard: 6000, text: 'per application' },
  apiRequestsInProgress: {
    standard: 4,
    max: 10_000,
    text: 'concurrent requests per application and process; others queue',
  },
  authFailuresPerMinute: { standard: 60, text: 'invalid credentials per client address' },
  widgetRequestsPerMinute: {
    standard: 600,
    text: 'per link session; openings and bank searches per address',
  },
  linkSignInsPerAddress: {
    standard: 30,
    max: 10_000_000,
    text: 'bank sign-ins per minute and client address',
  },
  linkSignInsPerApplication: {
    standard: 600,
    max: 10_000_000,
    text: 'per application; beyond it, failing addresses are [refused](security.md#requests)',
  },

  // Webhooks
  webhookConcurrency: {
    standard: 32,
    max: 1_000,
    text: 'concurrent webhooks per worker; at most a quarter per organization',
  },
  webhookTimeoutSeconds: { standard: 15, max: 300, text: 'endpoint timeout' },
  webhookRetentionDays: { standard: 30, text: 'until events and deliveries are deleted' },

  // SimpleFIN
  simplefinReadsPerDay: {
    standard: 24,
    max: 10_000,
    text: 'reads per [SimpleFIN](simplefin.md) access and UTC day',
  },
  shutdownDelaySeconds: {
    standard: 0,
    min: 0,
    max: 300,
    text: '`/health/ready` returns 503 before the port closes',
  },
  shutdownTimeoutSeconds: {
    standard: 10,
    text: 'then, for in-flight requests and jobs',
  },
} as const satisfies Record<string, Limit>;

const unitOf = (key: string) => {
  const suffix = Object.keys(units).find((word) => new RegExp(`${word}(Max)?$`).test(key));
  return suffix ? units[suffix as keyof typeof units] : { unit: '', max: undefined };
};

/** The environment variable of a key. */
export const variableOf = (key: string): string => key.replace(/[A-Z]/g, '_$&').toUpperCase();

export const settings = Object.entries(settingTable as Record<string, Setting<unknown>>).map(
  ([key, setting]) => ({
    key: key as keyof Values,
    ...{ ...setting, variable: setting.variable ?? variableOf(key) },
  }),
);

/** The limits with their bounds. The unit of a count is empty. */
export const limitSettings = Object.entries<Limit>(limitTable).map(([key, limit]) => {
  const { unit, ...bounds } = unitOf(key);
  const { min = 1, max = Number.NaN, standard, text } = { ...bounds, ...limit };
  return { key: key as keyof typeof limitTable, variable: variableOf(key), standard, min, max, unit, text };
});
