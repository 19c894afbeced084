// Every setting and every limit, named with its unit, resolved once. Nobody else reads the environment.
import { join, resolve } from 'node:path';
import { OperatorError } from './errors.ts';

export type Config = Readonly<{
  port: number;
  host: string;
  baseUrl: string;
  dataDir: string;
  secretsDir: string;
  databaseUrl: string;
  logLevel: LogLevel;
  /** How many processes serve beside each other on this machine. */
  processes: number;
  demo: boolean;
  /** Off in production: our own bridge then trusts what it sends. */
  checkResponses: boolean;
  /** Module paths of the connectors that Production applications use. */
  connectors: readonly string[];
  /** The provider at which members of the dashboard may sign in, where the operator has set one. */
  oidc: OidcSettings | undefined;
  limits: Limits;
}>;

export type OidcSettings = { issuer: string; clientId: string; clientSecret: string };

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

export type Limits = Readonly<{ [Name in keyof typeof limits]: number }>;

export const limits = {
  /** The greatest `limit` of a page; openapi.yaml says the same. */
  pageSizeMax: 1000,
  /** How long a client may keep a connection open without asking: longer than proxies do, who would ask too late. */
  keepAliveSeconds: 75,
  /** How many rows one question to the database brings when everything is asked for. */
  streamChunkRows: 128,
  retentionDays: 30,
  /** How often what is over is deleted, moved by up to a tenth, and how long after a start it is done first. */
  sweepEveryMinutes: 60,
  sweepInitialDelaySeconds: 60,
  /** How often a SQLite file of which something was deleted is rewritten by itself. */
  vacuumEveryHours: 24,
  /** Unless it is greater: rewriting stops all writing, about a second for 80 MB. `retention sweep` does it then. */
  vacuumMegabytesMax: 500,
  /** Between a connection's end and the first deletion: time for answers that are under way. */
  sweepGraceSeconds: 2,
  /** How many rows one statement deletes, so that others are answered in between. */
  sweepChunkRows: 500,
  /** How old the knowledge of the sandbox's clock may be. */
  sandboxClockPollMs: 500,
  /** A linking session ends this long after its last step. */
  linkSessionMinutes: 30,
  /** A result that the page has not acknowledged is given up after this long. */
  deliveryMinutes: 10,
  connectorTimeoutSeconds: 60,
  /** An import or refresh that takes longer is cut off and tried again. */
  refreshTimeoutSeconds: 1800,
  /** After this long others go on with what a process was doing that died (LEASE_SECONDS); it is renewed meanwhile. */
  leaseSeconds: 30,
  /** How often an import is tried while the bank cannot be reached. */
  importAttemptsMax: 3,
  importRetrySeconds: 2,
  /** How often a connection is refreshed; each is moved by up to a tenth, so that they do not come together. */
  refreshEveryHours: 6,
  /** A refresh asks for everything that the bank shows when the last such one is this long ago. */
  fullRefreshDays: 7,
  /** The first pause after a bank failed; it doubles each time, up to the longest. */
  retryInitialSeconds: 60,
  retryMaxHours: 6,
  /** How many connections one worker refreshes at a time. */
  workerConcurrency: 4,
  /** How many of them at one institution. */
  workerConcurrencyPerInstitution: 2,
  workerPollMs: 500,
  /** How many entries of a bank are worked on before others have their turn. */
  fetchChunkTransactions: 250,
  stagingChunkRows: 200,
  /** How many new entries wait together, and are published before others have their turn. */
  newTransactionsBatch: 500,
  /** How much of what was staged goes in one step after publishing; a row may hold many new entries. */
  clearStagedRows: 200,
  clearStagedBytes: 2 * 1024 * 1024,
  /** With at most so many entries on each side an account is merged in memory, and only its changes are staged. */
  mergeInMemoryRows: 2000,
  /** How many entries of each side a merge looks at together. */
  mergeRangeRows: 1000,
  /** A pending entry may post under another date up to this many days away. */
  pendingWindowDays: 14,
  /** A refresh asks for this many days before the last one, because banks back-date. */
  overlapDays: 14,
  /** A member's session ends when it is not used for so long, and after so long however it is used. */
  memberSessionIdleHours: 12,
  memberSessionHours: 7 * 24,
  /** How often a sign-in may be tried within the minutes that follow the first try. */
  signInAttemptsMinutes: 15,
  signInAttemptsPerEmail: 10,
  signInAttemptsPerAddress: 100,
  invitationHours: 7 * 24,
  resetLinkMinutes: 60,
  /** How many events of a connection are kept, the newest ones. */
  connectionEventsMax: 100,
  /** How often a process writes what it counted, and how long counts are kept. */
  metricsFlushSeconds: 10,
  metricsRetentionDays: 31,
  sandboxFileBytesMax: 1024 * 1024 * 1024,
  dashboardRequestsPerMinute: 1200,
  requestBodyBytesMax: 64 * 1024,
  /** How often a process tells the others what it counted towards the limits, and hears of theirs. */
  rateLimitFlushMs: 1000,
  apiRequestsPerMinute: 6000,
  widgetRequestsPerMinute: 600,
  shutdownTimeoutSeconds: 10,
} as const;

type EnvironmentVariables = Record<string, string | undefined>;

/** Reads the settings; a wrong one throws an OperatorError that names it and says what was expected. */
export const readConfig = (env: EnvironmentVariables, overrides: Partial<Limits> = {}): Config => {
  const port = readPort(env.PORT);
  const host = env.HOST || '127.0.0.1';
  const dataDir = resolve(env.DATA_DIR || './data');
  const processes = readProcesses(env.WEB_CONCURRENCY);
  return Object.freeze({
    port,
    host,
    baseUrl: readBaseUrl(env.BASE_URL, port),
    dataDir,
    secretsDir: env.SECRETS_DIR ? resolve(env.SECRETS_DIR) : join(dataDir, 'secrets'),
    databaseUrl: readDatabaseUrl(env.DATABASE_URL, dataDir),
    logLevel: readChoice('LOG_LEVEL', env.LOG_LEVEL || 'info', logLevels),
    processes,
    demo: readDemo(env.DEMO, host, processes),
    checkResponses: env.NODE_ENV !== 'production',
    connectors: (env.CONNECTORS ?? '').split(',').filter((path) => path.trim() !== ''),
    oidc: readOidcSettings(env),
    limits: Object.freeze({ ...limits, leaseSeconds: readLeaseSeconds(env.LEASE_SECONDS), ...overrides }),
  });
};

/** Whether only this machine can reach an address. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host.startsWith('127.');

const readPort = (text: string | undefined): number => {
  const port = Number(text || 3000);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new OperatorError(`PORT must be a number from 0 to 65535, not "${text}".`);
};

const readBaseUrl = (text: string | undefined, port: number): string => {
  if (!text) return `http://localhost:${port}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash)
    return url.origin;
  throw new OperatorError(`BASE_URL must be an http or https address without a path, not "${text}".`);
};

const readDatabaseUrl = (text: string | undefined, dataDir: string): string => {
  if (!text) return `sqlite:${join(dataDir, 'service.db')}`;
  if (/^(sqlite:|postgres(ql)?:\/\/)/.test(text)) return text;
  throw new OperatorError('DATABASE_URL must begin with sqlite: or postgres://.');
};

const readChoice = <Choice extends string>(
  name: string,
  text: string,
  choices: readonly Choice[],
): Choice => {
  const choice = choices.find((one) => one === text);
  if (choice) return choice;
  throw new OperatorError(`${name} must be one of ${choices.join(', ')}, not "${text}".`);
};

// A process is worth a core; more than this many of them is a slip of the finger.
const processesMax = 256;

const readProcesses = (text: string | undefined): number => {
  const processes = Number(text || 1);
  if (Number.isInteger(processes) && processes >= 1 && processes <= processesMax) return processes;
  throw new OperatorError(`WEB_CONCURRENCY must be a whole number from 1 to ${processesMax}, not "${text}".`);
};

// A lease of hours would be a slip of the finger, too: somebody may be waiting for its end.
const leaseSecondsMax = 600;

const readLeaseSeconds = (text: string | undefined): number => {
  const lease = Number(text || limits.leaseSeconds);
  if (Number.isInteger(lease) && lease >= 1 && lease <= leaseSecondsMax) return lease;
  throw new OperatorError(
    `LEASE_SECONDS must be a whole number from 1 to ${leaseSecondsMax}, not "${text}".`,
  );
};

// The demo keeps its visitors' tokens in the memory of one process, where another would not find them.
const readDemo = (text: string | undefined, host: string, processes: number): boolean => {
  if (!text) return isLoopback(host) && processes === 1;
  const on = readChoice('DEMO', text, ['on', 'off']) === 'on';
  if (on && processes > 1) throw new OperatorError('DEMO=on needs one process: leave WEB_CONCURRENCY out.');
  return on;
};

const oidcSettings = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const;

const readOidcSettings = (env: EnvironmentVariables): OidcSettings | undefined => {
  const [issuer, clientId, clientSecret] = oidcSettings.map((name) => env[name]);
  if (!issuer && !clientId && !clientSecret) return undefined;
  const missing = oidcSettings.find((name) => !env[name]);
  if (missing) throw new OperatorError(`${missing} is missing: ${oidcSettings.join(', ')} go together.`);
  const url = URL.canParse(issuer!) ? new URL(issuer!) : undefined;
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname)))
    return { issuer: issuer!, clientId: clientId!, clientSecret: clientSecret! };
  throw new OperatorError(`OIDC_ISSUER must be an https address, not "${issuer}".`);
};
