// The settings from the environment. No other file reads environment variables.
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { addMilliseconds, seconds } from './clock.ts';
import { type Company, companyNameLengthMax, isPolicyUrl } from './company.ts';
import { OperatorError } from './errors.ts';
import { type Limits, readLimits } from './limits.ts';
import { parseUrl } from './text.ts';

export type Config = Readonly<{
  port: number;
  host: string;
  baseUrl: string;
  dataDir: string;
  secretsDir: string;
  databaseUrl: string;
  /** Whether statements are prepared under names, which poolers in transaction mode lose. */
  databasePrepared: boolean;
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
  /** A variable that a connector declares as its setting; undefined where it is not set. */
  connectorSetting(name: string): string | undefined;
  /** The OpenID provider at which members may sign in, if one is configured. */
  oidc: OidcSettings | undefined;
  /** The company that runs the service, which the consent names, if it is set. */
  operator: Company | undefined;
  /** Addresses and CIDR blocks that webhooks and connectors may connect to although they are not public. */
  allowedNetworks: readonly string[];
  /** Where metrics are served; without a port, nowhere. */
  metricsHost: string;
  metricsPort: number | undefined;
  /** Whether a collector of traces is set, to which only a preloaded tracer sends (deploy/telemetry.mjs). */
  hasCollector: boolean;
  limits: Limits;
  /** The environment variables that are set, of which one may be a setting. */
  variables: ReadonlySet<string>;
}>;

/** `banks` is the path of the list of banks. */

export type OidcSettings = { issuer: string; clientId: string; clientSecret: string };

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

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
  const port = readPort('PORT', env.PORT || '3000');
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
    databasePrepared: readChoice('DATABASE_PREPARED', env.DATABASE_PREPARED || 'on', ['on', 'off']) === 'on',
    logLevel: readChoice('LOG_LEVEL', env.LOG_LEVEL || 'info', logLevels),
    trustedProxies: readTrustedProxies(env.TRUSTED_PROXIES),
    processes,
    demo: readDemo(env.DEMO, { host, baseUrl, processes }),
    checkResponses: env.NODE_ENV !== 'production',
    connectors: (env.CONNECTORS ?? '').split(',').filter((path) => path.trim() !== ''),
    connectorSetting: (name: string) => env[name] || undefined,
    oidc: readOidcSettings(env),
    operator: readOperator(env),
    allowedNetworks: readAllowedNetworks(env.ALLOWED_NETWORKS),
    metricsHost: env.METRICS_HOST || '127.0.0.1',
    metricsPort: env.METRICS_PORT ? readPort('METRICS_PORT', env.METRICS_PORT) : undefined,
    hasCollector: Boolean(env.OTEL_EXPORTER_OTLP_ENDPOINT || env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT),
    limits: Object.freeze({ ...readLimits(env), ...overrides }),
    variables: new Set(Object.keys(env).filter((name) => env[name])),
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

const readPort = (name: string, text: string): number => {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new OperatorError(`${name} must be a number from 0 to 65535, not "${text}".`);
};

const readBaseUrl = (text: string | undefined, port: number): string => {
  if (!text) return `http://localhost:${port}`;
  const url = parseUrl(text);
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

const oidcSettings = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const;

const readOidcSettings = (env: EnvironmentVariables): OidcSettings | undefined => {
  const [issuer, clientId, clientSecret] = oidcSettings.map((name) => env[name]);
  if (!issuer && !clientId && !clientSecret) return undefined;
  const missing = oidcSettings.find((name) => !env[name]);
  if (missing) throw new OperatorError(`${missing} is missing: ${oidcSettings.join(', ')} go together.`);
  const url = parseUrl(issuer!);
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
