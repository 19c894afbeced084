// The settings from the environment, and the limits with their units. No other file reads environment variables.
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { addMilliseconds, seconds } from './clock.ts';
import { type Company, companyNameLengthMax, isPolicyUrl } from './company.ts';
import { OperatorError } from './errors.ts';

export type Config = Readonly<{
  port: number;
  host: string;
  baseUrl: string;
  dataDir: string;
  secretsDir: string;
  databaseUrl: string;
  logLevel: LogLevel;
  /** Addresses of proxies whose `X-Forwarded-For` header is trusted: IPs, CIDR blocks, or names such as `loopback`. */
  trustedProxies: readonly string[];
  /** How many processes share the port (WEB_CONCURRENCY). */
  processes: number;
  demo: boolean;
  /** Whether responses are validated against the contract; off if NODE_ENV is production. */
  checkResponses: boolean;
  /** The connectors that Production applications use: names of built-in ones, or paths of modules. */
  connectors: readonly string[];
  /** The registration and the file of banks for the connector `fints`, if they are set. */
  fints: FintsSettings | undefined;
  /** The OpenID provider at which members may sign in, if one is configured. */
  oidc: OidcSettings | undefined;
  /** The company that runs the service, which the consent names, if it is set. */
  operator: Company | undefined;
  /** Addresses and CIDR blocks that webhooks and connectors may connect to although they are not public. */
  allowedNetworks: readonly string[];
  limits: Limits;
}>;

/** `banks` is the path of the list of banks. */
export type FintsSettings = { productId: string; banks: string };

export type OidcSettings = { issuer: string; clientId: string; clientSecret: string };

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

export type Limits = Readonly<{ [Name in keyof typeof limits]: number }>;

export const limits = {
  /** The maximum `limit` of a page, as in openapi.yaml. */
  pageSizeMax: 1000,
  /** How long an idle HTTP connection stays open: longer than in common proxies, so that they close it first. */
  keepAliveSeconds: 75,
  /** Rows per query while a list is streamed. */
  streamChunkRows: 128,
  /** How long the data of a revoked connection is kept. */
  retentionDays: 30,
  /** The interval of the retention sweep (jittered by 10 %), and the delay of the first one after a start. */
  sweepEveryMinutes: 60,
  sweepInitialDelaySeconds: 60,
  /** How often a SQLite file is vacuumed after deletions, at most. */
  vacuumEveryHours: 24,
  /** Larger files are vacuumed by `retention sweep` only: a vacuum blocks writes for about a second per 80 MB. */
  vacuumMegabytesMax: 500,
  /** How often SQLite's write-ahead log is truncated, so that deleted credentials do not stay in it. */
  logTruncateSeconds: 5,
  /** The delay between hiding a connection and deleting its rows, for responses in progress. */
  sweepGraceSeconds: 2,
  /** A block of texts is deleted this long after the last of them was replaced, for responses in progress. */
  unusedBlockSeconds: 60,
  /** Rows that one statement deletes, so that other statements run in between. */
  sweepChunkRows: 500,
  /** How often a process reads which versions of the secrets there are. */
  secretsPollMs: 2000,
  /** How often a process reports that it runs, and when one that has not is regarded as ended. */
  processReportSeconds: 15,
  processExpirySeconds: 60,
  /** A page cursor made with an old secret is valid for this long after the rotation. */
  replacedCursorHours: 24,
  /** Rows that one step of a rotation makes anew. */
  rotationChunkRows: 200,
  /** How often a process reads the offsets of the sandbox clocks. */
  sandboxClockPollMs: 500,
  /** A link session expires this long after its last step. */
  linkSessionMinutes: 30,
  /** How long an expired link session is kept without its sealed data, for statistics. */
  closedLinkSessionDays: 30,
  /** A connection whose result the page has not acknowledged is discarded after this long. */
  deliveryMinutes: 10,
  /** The timeout of one call of a connector. */
  connectorTimeoutSeconds: 60,
  /** A longer answer of a SimpleFIN server counts as incomplete. All of it is in memory at once. */
  simplefinAnswerBytesMax: 32 * 1024 * 1024,
  /** A longer message of a FinTS server, or more pages of one account, count as incomplete. All are in memory at once. */
  fintsAnswerBytesMax: 32 * 1024 * 1024,
  /** A longer import or refresh is aborted and retried. */
  refreshTimeoutSeconds: 1800,
  /** How long a lease lasts without renewal (LEASE_SECONDS): then another process takes over the job. */
  leaseSeconds: 30,
  /** Attempts of an import while the bank cannot be reached. */
  importAttemptsMax: 3,
  importRetrySeconds: 2,
  /** The widget says that an import waits if no worker has taken it up for this long. */
  importWaitingSeconds: 10,
  /** The interval of a connection's refreshes, jittered by 10 % so that they spread. */
  refreshEveryHours: 6,
  /** The same while the bank refuses, and the end user repairs that elsewhere. */
  refusedRefreshEveryHours: 24,
  /** A refresh fetches the whole history if the last full one is this long ago. */
  fullRefreshDays: 7,
  /**
   * An account that the bank has not listed for this long loses its fingerprints by a replaced key, and is not recognized if
   * the bank lists it again.
   */
  unlistedAccountDays: 30,
  /** The delay after a bank failed: doubles with each failure, up to the maximum. */
  retryInitialSeconds: 60,
  retryMaxHours: 6,
  /** Concurrent refreshes of one worker. */
  workerConcurrency: 4,
  /** Of these, at one institution. */
  workerConcurrencyPerInstitution: 2,
  workerPollMs: 500,
  /** Transactions that a refresh processes before it yields to other tasks of the process. */
  fetchChunkTransactions: 250,
  /** Stored transactions that a merge reads with one query. */
  mergeReadRows: 2000,
  /** Bytes that the merges of one process need together for stored transactions; one that needs more runs alone. */
  concurrentMergeBytes: 96 * 1024 * 1024,
  /** Bytes of texts and sealed blocks that one refresh keeps in memory; more are stored before it is published. */
  mergeMemoryBytes: 2 * 1024 * 1024,
  /** Texts are sorted by date and sealed into blocks when they have so many bytes. */
  blockSortBytes: 8 * 1024 * 1024,
  /** Rows of staged texts that one statement deletes after publishing; most have less than 64 KiB. */
  clearStagedRows: 50,
  /** The cost of the fingerprints of account numbers and pending amounts, for new accounts (Argon2id). */
  slowFingerprintMemoryMib: 19,
  slowFingerprintPasses: 2,
  /** How many days the date may move when a pending transaction is posted. */
  pendingWindowDays: 14,
  /** A refresh fetches this many days before the last one again, because banks back-date transactions. */
  overlapDays: 14,
  /** A member's session expires after this idle time, and after this total time. */
  memberSessionIdleHours: 12,
  memberSessionHours: 7 * 24,
  /** Wrong passwords for an email from one address per window; the window begins with the first one. */
  signInAttemptsMinutes: 15,
  signInAttemptsMax: 10,
  /** If an email has so many per window, over all addresses, an address's next window for it is longer. */
  signInAttemptsPerEmail: 100,
  signInAttemptsSlowedMinutes: 60,
  invitationHours: 7 * 24,
  resetLinkMinutes: 60,
  /** The newest events of a connection that are kept. */
  connectionEventsMax: 100,
  /** How often a process writes its metrics, and how long metrics are kept. */
  metricsFlushSeconds: 10,
  metricsRetentionDays: 31,
  /** A file of transactions that a member uploads: its bytes after unpacking, and its rows. */
  sandboxUploadBytesMax: 32 * 1024 * 1024,
  sandboxUploadRowsMax: 100_000,
  /** The same of a file that the operator loads from the command line. */
  sandboxFileBytesMax: 1024 * 1024 * 1024,
  sandboxFileRowsMax: 5_000_000,
  /** The newest logged requests of an application that are kept, and for how long. */
  requestLogSuccessesMax: 1000,
  requestLogFailuresMax: 10_000,
  requestLogDays: 7,
  dashboardRequestsPerMinute: 1200,
  requestBodyBytesMax: 64 * 1024,
  /** How often a process writes its rate limit counts and reads those of all processes. */
  rateLimitFlushMs: 1000,
  apiRequestsPerMinute: 6000,
  /** Requests with invalid credentials from one client address. */
  authFailuresPerMinute: 60,
  widgetRequestsPerMinute: 600,
  /** Sign-ins at institutions by link sessions, per minute: from one client address, and of one application. */
  linkSignInsPerAddress: 30,
  linkSignInsPerApplication: 600,
  /** Those of one login at an institution that have not succeeded, and in which time. */
  linkSignInsPerLogin: 10,
  linkSignInsPerLoginMinutes: 15,
  /** Codes sent again, and other ways chosen, in one sign-in of a link session. */
  linkChallengeActionsMax: 5,
  /** So many rejected credentials and answers end a link session. */
  linkRejectionsMax: 5,
  /** Webhook endpoints of one application. */
  webhookEndpointsMax: 10,
  /** How often a worker looks for webhooks to deliver, how many it sends at a time, and to one endpoint. */
  webhookPollMs: 1000,
  webhookConcurrency: 16,
  webhookConcurrencyPerEndpoint: 4,
  /** How long an endpoint may take to answer. */
  webhookTimeoutSeconds: 15,
  /** The longest `Retry-After` of an endpoint that is obeyed. */
  webhookRetryAfterHoursMax: 12,
  /** An endpoint without a success for this long is disabled. */
  webhookFailingDays: 5,
  /** How long a replaced signing secret still signs, beside the new one. */
  webhookReplacedSecretHours: 24,
  webhookRetentionDays: 30,
  /** How long a setup token of SimpleFIN can be claimed. */
  simplefinClaimMinutes: 30,
  /** Reads of one access per day (SIMPLEFIN_READS_PER_DAY); days begin at midnight UTC. */
  simplefinReadsPerDay: 24,
  /** The transactions that come where an application does not say from when. */
  simplefinDays: 90,
  /** Accesses of one end user. */
  simplefinAccessesMax: 100,
  /** How long a stopped `webhooks listen` still gets events. */
  webhookListenerSeconds: 30,
  /** How long a stopping process waits for requests and jobs in progress. */
  shutdownTimeoutSeconds: 10,
} as const;

/**
 * What a refresh has stored is deleted when it is so old (in milliseconds) and was not published. A refresh is aborted
 * after its timeout; twice that time also covers one that is being published.
 */
export const unpublishedMilliseconds = ({ refreshTimeoutSeconds, leaseSeconds }: Limits): number =>
  1000 * (2 * refreshTimeoutSeconds + leaseSeconds);

/** Processes last seen before this time (ISO 8601) have ended. */
export const processExpiry = (now: Date, { processExpirySeconds }: Limits): string =>
  addMilliseconds(now, -seconds(processExpirySeconds)).toISOString();

type EnvironmentVariables = Record<string, string | undefined>;

/** Reads the settings. Throws OperatorError for an invalid one, with its name and what was expected. */
export const readConfig = (env: EnvironmentVariables, overrides: Partial<Limits> = {}): Config => {
  const port = readPort(env.PORT);
  const host = env.HOST || '127.0.0.1';
  const baseUrl = readBaseUrl(env.BASE_URL, port);
  const dataDir = resolve(env.DATA_DIR || './data');
  const processes = readCount('WEB_CONCURRENCY', env.WEB_CONCURRENCY, { standard: 1, max: processesMax });
  return Object.freeze({
    port,
    host,
    baseUrl,
    dataDir,
    secretsDir: env.SECRETS_DIR ? resolve(env.SECRETS_DIR) : join(dataDir, 'secrets'),
    databaseUrl: readDatabaseUrl(env.DATABASE_URL, dataDir),
    logLevel: readChoice('LOG_LEVEL', env.LOG_LEVEL || 'info', logLevels),
    trustedProxies: readTrustedProxies(env.TRUSTED_PROXIES),
    processes,
    demo: readDemo(env.DEMO, { host, baseUrl, processes }),
    checkResponses: env.NODE_ENV !== 'production',
    connectors: (env.CONNECTORS ?? '').split(',').filter((path) => path.trim() !== ''),
    fints: readFintsSettings(env),
    oidc: readOidcSettings(env),
    operator: readOperator(env),
    allowedNetworks: readAllowedNetworks(env.ALLOWED_NETWORKS),
    limits: Object.freeze({
      ...limits,
      leaseSeconds: readCount('LEASE_SECONDS', env.LEASE_SECONDS, {
        standard: limits.leaseSeconds,
        max: leaseSecondsMax,
      }),
      simplefinReadsPerDay: readCount('SIMPLEFIN_READS_PER_DAY', env.SIMPLEFIN_READS_PER_DAY, {
        standard: limits.simplefinReadsPerDay,
        max: simplefinReadsMax,
      }),
      ...overrides,
    }),
  });
};

/** Whether a host name or address is reachable from this machine only. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host.startsWith('127.');

const proxyNames = ['loopback', 'linklocal', 'uniquelocal'];

const readTrustedProxies = (text: string | undefined): readonly string[] => {
  const proxies = (text ?? 'loopback').split(',').map((part) => part.trim());
  const known = proxies.filter((part) => part !== '' && part !== 'none');
  const wrong = known.find((part) => !proxyNames.includes(part) && !isAddressBlock(part));
  if (wrong === undefined) return known;
  throw new OperatorError(
    `TRUSTED_PROXIES must list IP addresses, CIDR blocks or the names ${proxyNames.join(', ')}, with commas between them, or be none; ${wrong} is none of these.`,
  );
};

const readAllowedNetworks = (text = ''): readonly string[] => {
  const networks = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const wrong = networks.find((part) => !isAddressBlock(part));
  if (wrong === undefined) return networks;
  throw new OperatorError(
    `ALLOWED_NETWORKS must list IP addresses or CIDR blocks, with commas between them; ${wrong} is neither.`,
  );
};

const isAddressBlock = (text: string): boolean => {
  const [address, bits, ...rest] = text.split('/') as [string, ...string[]];
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
};

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

// One process uses one core; a larger number is a typing mistake.
const processesMax = 256;

// Another process waits for the end of the lease of a dead one, so that hours would be a mistake.
const leaseSecondsMax = 600;

const simplefinReadsMax = 10_000;

/** A whole number from 1 to `max`; `standard` without a text. */
const readCount = (
  name: string,
  text: string | undefined,
  { standard, max }: { standard: number; max: number },
): number => {
  const count = Number(text || standard);
  if (Number.isInteger(count) && count >= 1 && count <= max) return count;
  throw new OperatorError(`${name} must be a whole number from 1 to ${max}, not "${text}".`);
};

// The demo keeps its visitors' tokens in memory, so that it works in one process only. It has no sign-in, and an https
// BASE_URL means that others reach the service, even if HOST is loopback because of a TLS proxy on the same machine.
const readDemo = (
  text: string | undefined,
  { host, baseUrl, processes }: Pick<Config, 'host' | 'baseUrl' | 'processes'>,
): boolean => {
  const isPublic = baseUrl.startsWith('https:');
  if (!text) return isLoopback(host) && !isPublic && processes === 1;
  const on = readChoice('DEMO', text, ['on', 'off']) === 'on';
  if (on && processes > 1) throw new OperatorError('DEMO=on needs one process: leave WEB_CONCURRENCY out.');
  if (on && isPublic) {
    throw new OperatorError(
      'DEMO=on needs an http BASE_URL: the demo has no sign-in, so it is not served at a public https address.',
    );
  }
  return on;
};

const productIdPattern = /^[A-Za-z0-9]{1,25}$/;

const readFintsSettings = ({
  FINTS_PRODUCT_ID: productId,
  FINTS_BANKS: banks,
}: EnvironmentVariables): FintsSettings | undefined => {
  if (!productId && !banks) return undefined;
  if (!productId || !banks) {
    const missing = productId ? 'FINTS_BANKS' : 'FINTS_PRODUCT_ID';
    throw new OperatorError(`${missing} is missing: FINTS_PRODUCT_ID and FINTS_BANKS go together.`);
  }
  if (productIdPattern.test(productId)) return { productId, banks: resolve(banks) };
  throw new OperatorError('FINTS_PRODUCT_ID must be the 1 to 25 letters and digits of the registration.');
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

const readOperator = (env: EnvironmentVariables): Company | undefined => {
  const name = (env.OPERATOR_NAME ?? '').trim();
  const privacyUrl = readPolicyUrl(env, 'OPERATOR_PRIVACY_URL');
  const termsUrl = readPolicyUrl(env, 'OPERATOR_TERMS_URL');
  if (!name && !privacyUrl && !termsUrl) return undefined;
  if (!name) {
    const address = privacyUrl ? 'OPERATOR_PRIVACY_URL' : 'OPERATOR_TERMS_URL';
    throw new OperatorError(`OPERATOR_NAME is missing: ${address} needs it, because the consent names it.`);
  }
  if (name.length > companyNameLengthMax)
    throw new OperatorError(`OPERATOR_NAME must have at most ${companyNameLengthMax} characters.`);
  return { name, ...(privacyUrl && { privacyUrl }), ...(termsUrl && { termsUrl }) };
};

const readPolicyUrl = (
  env: EnvironmentVariables,
  name: 'OPERATOR_PRIVACY_URL' | 'OPERATOR_TERMS_URL',
): string | undefined => {
  const url = env[name];
  if (!url || isPolicyUrl(url)) return url || undefined;
  throw new OperatorError(`${name} must be an https address, not "${url}".`);
};
