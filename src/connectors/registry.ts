// Finds institutions and their connectors. Sandbox applications have the sandbox connector only; Production
// applications have the connectors of the setting CONNECTORS, which is empty by default.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Environment } from '../clock.ts';
import { OperatorError } from '../errors.ts';
import { type Logo, logoPath, logoRule, parseLogo } from '../logos/logo.ts';
import { parseUrl } from '../text.ts';
import { isTracing } from '../tracing.ts';
import { type Connector, type Institution, labelKeys } from './connector.ts';
import { type InstitutionQuery, type InstitutionSearch, makeInstitutionSearch } from './institutionSearch.ts';
import { withSpans } from './withSpans.ts';

/** What a connector's module exports: the connector and its institutions. */
export type ConnectorModule = { institutions: Institution[]; connector: Connector };

/** An institution and what the widget shows of it. `logo` is a path of this service. */
export type InstitutionProfile = {
  id: string;
  name: string;
  logo?: string;
  color?: string;
  country?: string;
};

type RegisteredInstitution = {
  institution: Institution;
  profile: InstitutionProfile;
  connector: Connector;
};

export type Registry = {
  /** All institutions of an environment, in the order of the connectors. */
  institutions(environment: Environment): Institution[];
  /** Undefined where this environment has no such institution. */
  find(environment: Environment, institutionId: string): RegisteredInstitution | undefined;
  /** The institutions of an environment that match, best first. */
  search(environment: Environment, query: InstitutionQuery): InstitutionProfile[];
  /** The logo of an institution by its hash. */
  findLogo(hash: string): Logo | undefined;
};

/** Throws OperatorError where two institutions of one environment have the same id. */
export const makeRegistry = (modules: {
  sandbox: ConnectorModule;
  production: ConnectorModule[];
}): Registry => {
  const logos: Logos = new Map();
  const byEnvironment: Record<Environment, InstitutionIndex> = {
    sandbox: indexInstitutions([modules.sandbox], logos),
    production: indexInstitutions(modules.production, logos),
  };
  const institutions = (environment: Environment): Institution[] =>
    [...byEnvironment[environment].values()].map(({ institution }) => institution);
  const searches: Partial<Record<Environment, InstitutionSearch>> = {};
  return {
    institutions,
    // The index is made by the first search, which the server does at its start: most commands of the operator need none.
    search: (environment, query) => {
      searches[environment] ??= makeInstitutionSearch(institutions(environment));
      return searches[environment](query).map(({ id }) => byEnvironment[environment].get(id)!.profile);
    },
    find: (environment, institutionId) => traced(byEnvironment[environment].get(institutionId)),
    findLogo: (hash) => logos.get(hash),
  };
};

/** An institution whose calls have spans, where this process traces. */
const traced = (found: RegisteredInstitution | undefined): RegisteredInstitution | undefined =>
  found && isTracing() ? { ...found, connector: withSpans(found.connector, found.institution.id) } : found;

/** A stored institution with its connector's name; with the stored name while no connector has the institution. */
export const institutionOf = (
  registry: Registry,
  environment: Environment,
  stored: { institutionId: string; institutionName: string },
): { id: string; name: string } => ({
  id: stored.institutionId,
  name: registry.find(environment, stored.institutionId)?.institution.name ?? stored.institutionName,
});

/** The domain of an institution's help page; empty where its connector has none, and while no connector has it. */
export const domainOf = (
  registry: Registry,
  environment: Environment,
  { institutionId }: { institutionId: string },
): string => {
  const helpUrl = registry.find(environment, institutionId)?.institution.helpUrl;
  return helpUrl === undefined ? '' : new URL(helpUrl).hostname;
};

/** By institution id. */
type InstitutionIndex = Map<string, RegisteredInstitution>;
/** By hash. */
type Logos = Map<string, Logo>;

const indexInstitutions = (modules: ConnectorModule[], logos: Logos): InstitutionIndex => {
  const index: InstitutionIndex = new Map();
  for (const { institutions, connector } of modules) {
    for (const institution of institutions) {
      if (index.has(institution.id)) {
        throw new OperatorError(`Two connectors have the institution ${institution.id}: remove one.`);
      }
      const logo = institution.logo && parseLogo(institution.logo);
      if (logo) logos.set(logo.hash, logo);
      index.set(institution.id, { institution, profile: toProfile(institution, logo), connector });
    }
  }
  return index;
};

const toProfile = (
  { id, name, color, country }: Institution,
  logo: Logo | undefined,
): InstitutionProfile => ({
  ...{ id, name },
  ...(logo && { logo: logoPath(logo.hash) }),
  ...(color && { color: color.toLowerCase() }),
  ...(country && { country }),
});

/** The connectors that the setting CONNECTORS has by a name, without a path; each is made where it is named. */
export type BuiltInConnectors = ReadonlyMap<string, () => ConnectorModule | Promise<ConnectorModule>>;

/**
 * The connectors that the setting CONNECTORS names: built-in ones, and modules, which are imported. Throws OperatorError for
 * one that is not usable.
 */
export const loadConnectorModules = async (
  names: readonly string[],
  builtIn: BuiltInConnectors = new Map(),
): Promise<ConnectorModule[]> => {
  const modules: ConnectorModule[] = [];
  for (const name of names.map((one) => one.trim())) {
    const make = builtIn.get(name);
    modules.push(await (make ? make() : loadConnectorModule(name)));
  }
  return modules;
};

const loadConnectorModule = async (path: string): Promise<ConnectorModule> => {
  let exports: Record<string, unknown>;
  try {
    exports = await import(pathToFileURL(resolve(path)).href);
  } catch (cause) {
    const { message } = cause as Error;
    throw new OperatorError(`CONNECTORS names ${path}, which could not be loaded: ${message}`, { cause });
  }
  const problem = findModuleProblem(exports);
  if (problem) throw new OperatorError(`CONNECTORS names ${path}, ${problem}.`);
  const { institutions, connector } = exports as ConnectorModule;
  return { institutions, connector };
};

const institutionIdPattern = /^[a-z0-9][a-z0-9-]{0,62}$/;
const connectorMethods = ['signIn', 'answer', 'accounts', 'read'] as const satisfies (keyof Connector)[];

/** What is wrong with a module's exports, to follow the module's name in a sentence. */
export const findModuleProblem = ({
  institutions,
  connector,
}: Record<string, unknown>): string | undefined => {
  if (!isObject(connector)) return 'which has no export `connector`';
  const missing = connectorMethods.find((method) => typeof connector[method] !== 'function');
  if (missing) return `whose export \`connector\` has no function ${missing}`;
  if (!Array.isArray(institutions) || institutions.length === 0) {
    return 'whose export `institutions` is no array with institutions';
  }
  for (const institution of institutions) {
    if (!isObject(institution) || !institutionIdPattern.test(String(institution.id))) {
      return 'which has an institution whose id is not 1 to 63 of a-z, 0-9 and "-"';
    }
    if (!isNonEmptyString(institution.name)) return `whose institution ${institution.id} has no name`;
    const { fields } = institution;
    if (!Array.isArray(fields) || !fields.every(isCredentialField)) {
      return `whose institution ${institution.id} has no valid fields (name, label, secret; labelKey, hint and inputMode optional)`;
    }
    const wrong = optionalProperties.find(
      ({ name, isValid }) => institution[name] !== undefined && !isValid(institution[name]),
    );
    if (wrong)
      return `whose institution ${institution.id} has a wrong ${wrong.name}: it must be ${wrong.expected}`;
  }
  return undefined;
};

const isCredentialField = (value: unknown): boolean =>
  isObject(value) &&
  isNonEmptyString(value.name) &&
  isNonEmptyString(value.label) &&
  typeof value.secret === 'boolean' &&
  (value.labelKey === undefined || labelKeys.some((key) => key === value.labelKey)) &&
  (value.hint === undefined || isNonEmptyString(value.hint)) &&
  (value.inputMode === undefined || value.inputMode === 'digits' || value.inputMode === 'text');

const textsMax = 100;
const isListOf = (value: unknown, isValid: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.length <= textsMax && value.every(isValid);

/** ISO 3166-1 alpha-2. Node.js knows the countries, and replaces codes that are not of this standard, such as UK. */
const isCountry = (value: unknown): boolean =>
  /^[A-Z]{2}$/.test(String(value)) &&
  new Intl.Locale(`und-${value}`).region === value &&
  new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }).of(String(value)) !== undefined;

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
    expected: `an array of at most ${textsMax} texts that are not empty`,
    isValid: (value) => isListOf(value, isNonEmptyString),
  },
  {
    name: 'codes',
    expected: `an array of at most ${textsMax} texts of 2 to 34 letters, digits, spaces and "-"`,
    isValid: (value) => isListOf(value, (code) => /^[0-9a-z][0-9a-z -]{1,33}$/i.test(String(code))),
  },
  {
    name: 'helpUrl',
    expected: 'an https address',
    isValid: (value) => parseUrl(String(value))?.protocol === 'https:',
  },
  { name: 'popular', expected: 'true or absent', isValid: (value) => value === true },
];

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const isNonEmptyString = (value: unknown): boolean => typeof value === 'string' && value !== '';
