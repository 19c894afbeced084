// Readers of settings: each takes the text of a variable, and throws OperatorError with its name and the expected value.
import { isIP } from 'node:net';
import { type Company, companyNameLengthMax, isPolicyUrl } from '../values/company.ts';
import { OperatorError } from '../values/errors.ts';
import { parseUrl } from '../values/text.ts';

/** True if a host name or address is reachable only from this machine. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host.startsWith('127.');

export const optional = (text: string): string | undefined => text || undefined;

export const companyName = (text: string, variable: string): string | undefined => {
  const name = text.trim();
  if (name.length <= companyNameLengthMax) return name || undefined;
  throw new OperatorError(`${variable} must have at most ${companyNameLengthMax} characters.`);
};

export const list = (text: string): readonly string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

const proxyNames = ['loopback', 'linklocal', 'uniquelocal'];

export const proxies = (text: string, variable: string): readonly string[] => {
  const known = list(text).filter((part) => part !== 'none');
  const wrong = known.find((part) => !proxyNames.includes(part) && !isIpBlock(part));
  if (wrong === undefined) return known;
  throw new OperatorError(
    `${variable} must list IP addresses, CIDR blocks or the names ${proxyNames.join(', ')}, with commas between them, or be none; ${wrong} is none of these.`,
  );
};

export const ipBlocks = (text: string, variable: string): readonly string[] => {
  const blocks = list(text);
  const wrong = blocks.find((part) => !isIpBlock(part));
  if (wrong === undefined) return blocks;
  throw new OperatorError(
    `${variable} must list IP addresses or CIDR blocks, with commas between them; ${wrong} is neither.`,
  );
};

const isIpBlock = (text: string): boolean => {
  const [ip, bits, ...rest] = text.split('/') as [string, ...string[]];
  const version = isIP(ip);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
};

export const port = (text: string, variable: string): number => {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 0 && number <= 65_535) return number;
  throw new OperatorError(`${variable} must be a number from 0 to 65535, not "${text}".`);
};

export const optionalPort = (text: string, variable: string): number | undefined =>
  text ? port(text, variable) : undefined;

export const origin = (text: string, variable: string): string => {
  const url = parseUrl(text);
  if (url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash)
    return url.origin;
  throw new OperatorError(`${variable} must be an http or https address without a path, not "${text}".`);
};

export const choice = <Choice extends string>(
  text: string,
  variable: string,
  choices: readonly Choice[],
): Choice => {
  const chosen = choices.find((one) => one === text);
  if (chosen) return chosen;
  throw new OperatorError(`${variable} must be one of ${choices.join(', ')}, not "${text}".`);
};

/** A whole number within bounds. */
export const count = (text: string, variable: string, { min, max }: { min: number; max: number }): number => {
  const number = Number(text);
  if (Number.isInteger(number) && number >= min && number <= max) return number;
  throw new OperatorError(`${variable} must be a whole number from ${min} to ${max}, not "${text}".`);
};

// One process uses one core; a larger number is a typing mistake.
const processesMax = 256;

/** The number of serving processes. A port that the system chooses belongs to the process that opened it. */
export const processes = (text: string, variable: string, earlier: { port: number }): number => {
  const processes = count(text, variable, { min: 1, max: processesMax });
  if (processes === 1 || earlier.port !== 0) return processes;
  throw new OperatorError(`${variable}=${text} needs a PORT other than 0.`);
};

// The demo keeps its visitors' tokens in memory, so it works in only one process. It has no sign-in, and an https BASE_URL means
// that others can reach the service, even if HOST is loopback because a TLS proxy runs on the same machine.
export const demo = (
  text: string,
  variable: string,
  { host, baseUrl, processes }: { host: string; baseUrl: string; processes: number },
): boolean => {
  const isPublic = baseUrl.startsWith('https:');
  if (!text) return isLoopback(host) && !isPublic && processes === 1;
  const on = choice(text, variable, ['on', 'off']) === 'on';
  if (on && processes > 1) throw new OperatorError('DEMO=on needs a single process: unset WEB_CONCURRENCY.');
  if (on && isPublic) {
    throw new OperatorError(
      'DEMO=on needs an http BASE_URL: the demo has no sign-in, so it is not served at a public https address.',
    );
  }
  return on;
};

export const policyUrl = (text: string, variable: string): string | undefined => {
  if (!text || isPolicyUrl(text)) return text || undefined;
  throw new OperatorError(`${variable} must be an https address, not "${text}".`);
};

export type OidcSettings = { issuer: string; clientId: string; clientSecret: string };

type OidcValues = Record<'oidcIssuer' | 'oidcClientId' | 'oidcClientSecret', string | undefined>;

/** The OpenID provider; undefined if none of its settings is set. */
export const checkOidc = (values: OidcValues): OidcSettings | undefined => {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret } = values;
  const variables = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret };
  if (!issuer && !clientId && !clientSecret) return undefined;
  const missing = Object.entries(variables).find(([, value]) => !value);
  if (missing)
    throw new OperatorError(`${missing[0]} is missing: ${Object.keys(variables).join(', ')} go together.`);
  const url = parseUrl(issuer!);
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname)))
    return { issuer: issuer!, clientId: clientId!, clientSecret: clientSecret! };
  throw new OperatorError(`OIDC_ISSUER must be an https address, not "${issuer}".`);
};

type OperatorValues = Record<'operatorName' | 'operatorPrivacyUrl' | 'operatorTermsUrl', string | undefined>;

/** The company that runs the service; undefined if none of its settings is set. */
export const checkOperator = (values: OperatorValues): Company | undefined => {
  const { operatorName: name, operatorPrivacyUrl: privacyUrl, operatorTermsUrl: termsUrl } = values;
  if (name) return { name, ...(privacyUrl && { privacyUrl }), ...(termsUrl && { termsUrl }) };
  if (!privacyUrl && !termsUrl) return undefined;
  const address = privacyUrl ? 'OPERATOR_PRIVACY_URL' : 'OPERATOR_TERMS_URL';
  throw new OperatorError(`OPERATOR_NAME is missing: ${address} needs it for the consent.`);
};
