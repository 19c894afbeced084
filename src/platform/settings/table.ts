// The tables of settings: names, defaults, readers and meanings. docs/settings.md and `config print` are made of them.
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
  /** The environment variable, where it is not the key in capital letters. */
  variable?: string;
  standard?: string;
  /** In docs/settings.md instead of the default. */
  standardText?: string;
  /** In docs/settings.md. */
  text: string;
  /** It may also be in a file, which the variable with `_FILE` at its end names. */
  secret?: true;
  /** Reads a text, which is empty if there is neither one in the environment nor a default. Throws OperatorError. */
  read(text: string, variable: string, earlier: Earlier): Value;
  /** For `config print`, where it does not show the value itself. */
  show?(value: Value): string | null;
};

const define = <Value>(setting: Setting<Value>): Setting<Value> => setting;

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

export const settingTable = {
  port: define({ standard: '3000', text: 'the port; `0` for any free one', read: port }),
  host: define({
    standard: '127.0.0.1',
    text: 'the address to listen on; `0.0.0.0` for all IPv4 interfaces',
    read: String,
  }),
  baseUrl: define({
    standardText: '`http://localhost:PORT`',
    text: 'the public address, without a path',
    read: (text, variable, earlier) => (text ? origin(text, variable) : `http://localhost:${earlier.port}`),
  }),
  /** Addresses of proxies whose `X-Forwarded-For` header is trusted: IPs, CIDR blocks, or names such as `loopback`. */
  trustedProxies: define({
    standard: 'loopback',
    text: 'proxies whose `X-Forwarded-For` is trusted: IPs, CIDR blocks, `loopback`, `linklocal`, `uniquelocal`, or `none`',
    read: proxies,
    show: (value) => value.join(',') || 'none',
  }),
  dataDir: define({
    standard: './data',
    text: 'the directory of the database and the secrets',
    read: (text) => resolve(text),
  }),
  secretsDir: define({
    standardText: '`secrets` in `DATA_DIR`',
    text: 'one file per secret',
    read: (text, _, { dataDir }) => (text ? resolve(text) : join(dataDir, 'secrets')),
  }),
  databaseUrl: define({
    secret: true,
    standardText: '`sqlite:` and `service.db` in `DATA_DIR`',
    text: '`sqlite:/path/to/file.db` or `postgres://…`; with [TLS](operating.md#the-database)',
    read: (text, variable, { dataDir }) =>
      databaseUrl(text || `sqlite:${join(dataDir, 'service.db')}`, variable),
    show: withoutPassword,
  }),
  /** Whether statements are prepared under names, which poolers in transaction mode lose. */
  databasePrepared: define({
    standard: 'on',
    text: '`off` behind a [pooler](operating.md#behind-a-connection-pooler) that loses prepared statements',
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
    text: 'processes that share the port; with more than one, `PORT` is not `0`',
    read: processes,
  }),
  demo: define({
    standardText: '`on` while `HOST` is loopback, `BASE_URL` is http and one process serves',
    text: 'whether `/demo` is served; `on` is refused with an https `BASE_URL`',
    read: demo,
  }),
  /** The connectors that Production applications use: names of built-in ones, or paths of modules. */
  connectors: define({
    text: '[connectors](connectors.md#configuration) for Production applications, separated by commas: `simplefin`, `fints`, and paths of modules',
    read: list,
  }),
  /** Addresses and CIDR blocks that webhooks and connectors may connect to although they are not public. */
  allowedNetworks: define({
    text: 'private addresses that [webhooks](webhooks.md#for-operators) and connectors may connect to: IPs and CIDR blocks, separated by commas',
    read: ipBlocks,
  }),
  oidcIssuer: define({
    text: 'OpenID provider for sign-in to the dashboard (redirect URI `/dashboard/oidc/callback`)',
    read: optional,
  }),
  oidcClientId: define({ text: 'this service’s client id there', read: optional }),
  oidcClientSecret: define({
    secret: true,
    text: 'its secret',
    read: optional,
    show: (value) => (value ? hidden : null),
  }),
  operatorName: define({
    text: 'the company that runs the service, which the [consent](widget.md) names',
    read: companyName,
  }),
  operatorPrivacyUrl: define({ text: 'https address of its privacy policy', read: policyUrl }),
  operatorTermsUrl: define({ text: 'https address of its terms', read: policyUrl }),
  metricsPort: define({
    text: 'a port for [Prometheus](operating.md#metrics), with `/metrics` only',
    read: optionalPort,
  }),
  metricsHost: define({ standard: '127.0.0.1', text: 'the address of that port', read: String }),
  /** Whether responses are validated against the contract. */
  checkResponses: define({
    variable: 'NODE_ENV',
    text: '`production` turns off the validation of the service’s own responses',
    read: (text) => text !== 'production',
    show: (value) => (value ? null : 'production'),
  }),
};

/** The values of `settingTable`. */
export type Values = { [Key in keyof typeof settingTable]: ReturnType<(typeof settingTable)[Key]['read']> };

/** A setting that is a whole number. */
type Limit = {
  standard: number;
  /** The smallest value; 1 if it is absent. */
  min?: number;
  /** The largest value; if it is absent that of the unit. */
  max?: number;
  /** In docs/settings.md. */
  text: string;
};

const mebibyte = 1024 * 1024;

/** The last word of a name is its unit; names in any other form are counts and have a largest value of their own. */
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
    text: 'how long an idle HTTP connection stays open; longer than in common proxies, so that they close it first',
  },
  databaseRequestMs: {
    standard: 4500,
    min: 100,
    text: 'how long a request waits for the database: for a connection, a lock and an answer; then it is answered with 503',
  },
  databaseJobSeconds: {
    standard: 300,
    text: 'how long anything else waits for the database, such as a job, or the rest of a list whose first rows were sent',
  },

  consentNoticeDays: {
    standard: 7,
    text: 'how long before the consent of a connection ends `connection.expiring` is sent, beside one day before',
  },

  // Deletion
  retentionDays: { standard: 30, text: 'how long the data of a revoked connection is kept' },
  vacuumMegabytesMax: {
    standard: 300,
    max: 1_000_000,
    text: 'larger SQLite files are vacuumed by `retention sweep` only: a vacuum blocks writes for about a second per 80 MB',
  },

  // Linking
  linkSessionMinutes: { standard: 30, text: 'a link session expires this long after its last step' },

  // Institutions
  connectorTimeoutSeconds: { standard: 60, text: 'how long one call of a connector may take' },
  connectorAnswerBytesMax: {
    standard: 32 * mebibyte,
    text: 'a longer answer of an institution, or more pages of one FinTS account, count as incomplete; all are in memory at once',
  },

  // Imports and refreshes
  refreshTimeoutSeconds: {
    standard: 1800,
    max: 86_400,
    text: 'a longer import or refresh is aborted and retried',
  },
  refreshEveryHours: { standard: 6, text: 'time between the refreshes of a connection, jittered by 10 %' },
  workerConcurrency: { standard: 4, max: 1_000, text: 'jobs per worker at a time; refreshes use one fewer' },
  workerConcurrencyPerInstitution: { standard: 2, max: 1_000, text: 'of these, at one institution' },

  // Members
  memberSessionIdleHours: { standard: 12, text: 'a member’s session expires after this idle time' },
  memberSessionHours: { standard: 7 * 24, text: 'and after this total time' },

  // Statistics and logs
  metricsRetentionDays: { standard: 31, text: 'how long metrics are kept' },

  // The log of requests
  requestLogDays: { standard: 7, text: 'how long requests are kept' },

  // Rate limits
  dashboardRequestsPerMinute: {
    standard: 1200,
    text: 'requests of one session of the dashboard, or of one address without one',
  },
  apiRequestsPerMinute: { standard: 6000, text: 'requests of one application' },
  apiRequestsInProgress: {
    standard: 4,
    max: 10_000,
    text: 'requests of one application that one process works on at a time; others wait in a queue',
  },
  authFailuresPerMinute: { standard: 60, text: 'requests with invalid credentials from one client address' },
  widgetRequestsPerMinute: {
    standard: 600,
    text: 'requests of one link session, and from one client address those that open one or search institutions',
  },
  linkSignInsPerAddress: {
    standard: 30,
    max: 10_000_000,
    text: 'sign-ins at institutions by link sessions, per minute from one client address',
  },
  linkSignInsPerApplication: {
    standard: 600,
    max: 10_000_000,
    text: 'and per minute of one application: then addresses with an unsuccessful one in this minute are refused',
  },

  // Webhooks
  webhookConcurrency: {
    standard: 32,
    max: 1_000,
    text: 'how many webhooks a worker sends at a time, at most a quarter of them for one organization',
  },
  webhookTimeoutSeconds: { standard: 15, max: 300, text: 'how long an endpoint may take to answer' },
  webhookRetentionDays: { standard: 30, text: 'how long events and deliveries are kept' },

  // SimpleFIN
  simplefinReadsPerDay: {
    standard: 24,
    max: 10_000,
    text: 'how often an app may read with one [SimpleFIN](simplefin.md) access per day; days begin at midnight UTC',
  },
  shutdownDelaySeconds: {
    standard: 0,
    min: 0,
    max: 300,
    text: 'how long a stopping process still accepts connections while `/health/ready` returns 503; set it to the time that a load balancer needs to notice',
  },
  shutdownTimeoutSeconds: {
    standard: 10,
    text: 'how long a stopping process waits for requests and jobs in progress',
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
