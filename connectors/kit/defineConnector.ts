// Defines a connector and the dependencies that the service passes to it, and checks the result.
import {
  type BankLimits,
  type CallContext,
  type Connector,
  type Institution,
  labelKeys,
} from './contract.ts';
import type { SendGuarded } from './guardedRequest.ts';
import type { IpFilter } from './ipFilter.ts';
import { logoRule, parseLogo } from './logo.ts';
import { parseUrl, toPlainText } from './text.ts';

/**
 * A connector and its institutions. `requestsPerMinute` limits the connector's requests through its host, across all processes
 * together.
 */
export type ConnectorModule = {
  /** A fixed list; may be empty if there is a directory. */
  institutions: Institution[];
  connector: Connector;
  limits?: BankLimits & { requestsPerMinute?: number };
  probe?: Probe;
  check?: Check;
  directory?: Directory;
};

/**
 * Lists institutions that change, in addition to the fixed ones. Called once a day; each call returns all of them. An empty
 * response or an error changes nothing; a single invalid institution is dropped.
 */
export type Directory = (context: Pick<CallContext, 'signal' | 'now'>) => Promise<Institution[]>;

/** Queries an institution's capabilities without an end user, and explains them. An error ends the command with its message. */
export type Probe = (
  institutionId: string,
  context: Pick<CallContext, 'signal' | 'now'>,
) => Promise<ProbeRow[]>;
export type ProbeRow = { parameter: string; value: string; meaning: string };

/**
 * Finds problems with the connector, such as a key that its provider does not know. Each problem is a sentence with the remedy. An
 * error ends the command with its message.
 */
export type Check = (context: Pick<CallContext, 'signal' | 'now'>) => Promise<string[]>;

/** The services available to a connector. */
export type Host = {
  /** The value of an environment variable declared in `settings`; undefined if it is not set. */
  setting(name: string): string | undefined;
  /** Sends a request to a URL from an untrusted source, if its address is allowed. Does not follow redirects. */
  send: SendGuarded;
  /** Sends a request to any address, for URLs that only the operator can choose. */
  sendAnywhere: SendGuarded;
  /** True if requests to an IP address from an untrusted source are allowed. */
  isAllowed: IpFilter;
  /** The maximum size of an institution's response. */
  answerBytesMax: number;
  /** The time limit for one request. */
  timeoutMs: number;
};

/**
 * `settings` explains each environment variable, by name; docs/settings.md includes those of this repository. If `make` throws,
 * startup ends with its message.
 */
export type ConnectorDefinition = {
  settings?: Record<string, string>;
  make(host: Host): ConnectorModule | Promise<ConnectorModule>;
};

/** The default export of a connector's package or file. */
export const defineConnector = (definition: ConnectorDefinition): ConnectorDefinition => definition;

/** The problem with a module's default export, to follow the module's name in a sentence. */
export const findDefinitionProblem = (definition: unknown): string | undefined =>
  isObject(definition) && typeof definition.make === 'function'
    ? undefined
    : 'which has no default export created by defineConnector';

const institutionIdPattern = /^[a-z0-9][a-z0-9-]{0,62}$/;
const connectorMethods = ['signIn', 'answer', 'accounts', 'read'] as const satisfies (keyof Connector)[];

/** The problem with the result of `make`, to follow the module's name in a sentence. */
export const findModuleProblem = ({
  institutions,
  connector,
  limits,
  probe,
  check,
  directory,
}: Record<string, unknown>): string | undefined => {
  if (!isObject(connector)) return 'whose `make` returns no `connector`';
  const missing = connectorMethods.find((method) => typeof connector[method] !== 'function');
  if (missing) return `whose connector has no function ${missing}`;
  if (limits !== undefined && !isLimits(limits)) return `whose \`limits\` is not ${limitsRule}`;
  if (probe !== undefined && typeof probe !== 'function') return 'whose `probe` is not a function';
  if (check !== undefined && typeof check !== 'function') return 'whose `check` is not a function';
  if (directory !== undefined && typeof directory !== 'function')
    return 'whose `directory` is not a function';
  if (!Array.isArray(institutions) || (institutions.length === 0 && !directory)) {
    return 'whose `institutions` is not an array of institutions';
  }
  for (const institution of institutions) {
    const problem = findInstitutionProblem(institution);
    if (!hasId(institution)) return `which has an institution whose ${problem}`;
    if (problem) return `whose institution ${institution.id} has ${problem}`;
  }
  return undefined;
};

const hasId = (institution: unknown): institution is Record<string, unknown> =>
  isObject(institution) && institutionIdPattern.test(String(institution.id));

export const findInstitutionProblem = (institution: unknown): string | undefined => {
  if (!hasId(institution)) return 'id is not 1 to 63 of a-z, 0-9 and "-"';
  const { name, fields } = institution;
  if (!isShownText(name)) return 'no name, or one with control characters';
  if (!Array.isArray(fields) || !fields.every(isCredentialField))
    return 'no valid fields (name, label, secret; labelKey, hint, inputMode and optional may be left out)';
  const wrong = optionalProperties.find(
    (property) => institution[property.name] !== undefined && !property.isValid(institution[property.name]),
  );
  return wrong && `a wrong ${wrong.name}: it must be ${wrong.expected}`;
};

const isCredentialField = (value: unknown): boolean =>
  isObject(value) &&
  isShownText(value.name) &&
  isShownText(value.label) &&
  typeof value.secret === 'boolean' &&
  (value.labelKey === undefined || labelKeys.some((key) => key === value.labelKey)) &&
  (value.optional === undefined || value.optional === true) &&
  (value.hint === undefined || isShownText(value.hint)) &&
  (value.inputMode === undefined || value.inputMode === 'digits' || value.inputMode === 'text');

const textsMax = 100;
const isListOf = (value: unknown, isValid: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.length <= textsMax && value.every(isValid);

/** ISO 3166-1 alpha-2. Node.js knows the countries, and replaces codes outside the standard, such as UK. */
const isCountry = (value: unknown): boolean =>
  /^[A-Z]{2}$/.test(String(value)) &&
  new Intl.Locale(`und-${value}`).region === value &&
  new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }).of(String(value)) !== undefined;

const isHttpsUrl = (value: unknown): boolean => parseUrl(String(value))?.protocol === 'https:';

const refBytesMax = 1024;

const limitsRule = 'an object with positive numbers';

const isLimits = (value: unknown): boolean =>
  isObject(value) && Object.values(value).every((limit) => typeof limit === 'number' && limit > 0);

const optionalProperties: {
  name: keyof Institution;
  expected: string;
  isValid(value: unknown): boolean;
}[] = [
  {
    name: 'logo',
    expected: logoRule,
    isValid: (value) => value instanceof Uint8Array && parseLogo(value) !== undefined,
  },
  { name: 'color', expected: '#rrggbb', isValid: (value) => /^#[0-9a-f]{6}$/i.test(String(value)) },
  { name: 'country', expected: 'an ISO 3166-1 alpha-2 code, such as DE', isValid: isCountry },
  {
    name: 'aliases',
    expected: `an array of at most ${textsMax} texts that are not empty and have no control characters`,
    isValid: (value) => isListOf(value, isShownText),
  },
  {
    name: 'codes',
    expected: `an array of at most ${textsMax} texts of 2 to 34 letters, digits, spaces and "-"`,
    isValid: (value) => isListOf(value, (code) => /^[0-9a-z][0-9a-z -]{1,33}$/i.test(String(code))),
  },
  { name: 'helpUrl', expected: 'an https address', isValid: isHttpsUrl },
  { name: 'logoUrl', expected: 'an https address', isValid: isHttpsUrl },
  { name: 'popular', expected: 'true or absent', isValid: (value) => value === true },
  { name: 'beta', expected: 'true or absent', isValid: (value) => value === true },
  {
    name: 'ref',
    expected: `a text of at most ${refBytesMax} bytes`,
    isValid: (value) => typeof value === 'string' && Buffer.byteLength(value) <= refBytesMax,
  },
  {
    name: 'group',
    expected: 'a text that is not empty and has no control characters',
    isValid: (value) => isShownText(value),
  },
  {
    name: 'audience',
    expected: 'an array of personal or business',
    isValid: (value) => isListOf(value, (one) => one === 'personal' || one === 'business'),
  },
  {
    name: 'formerIds',
    expected: `an array of at most ${textsMax} ids`,
    isValid: (value) => isListOf(value, (id) => institutionIdPattern.test(String(id))),
  },
  { name: 'limits', expected: limitsRule, isValid: (value) => isLimits(value) },
];

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const isShownText = (value: unknown): boolean =>
  typeof value === 'string' && value !== '' && toPlainText(value) === value;
