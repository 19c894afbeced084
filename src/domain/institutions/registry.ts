// Finds institutions and their connectors. Sandbox applications have only the sandbox connector; Production applications have
// the connectors listed in CONNECTORS, which is empty by default.
import type { BankLimits, Connector, InstitutionRef } from '../../../connectors/kit/contract.ts';
import type { ConnectorModule } from '../../../connectors/kit/defineConnector.ts';
import { type Logo, logoPath, parseLogo } from '../../../connectors/kit/logo.ts';
import { isInSpan } from '../../platform/telemetry/tracing.ts';
import type { Environment } from '../../platform/values/clock.ts';
import { OperatorError } from '../../platform/values/errors.ts';
import type { BankPauses } from './bankPauses.ts';
import type { ListedInstitution } from './listing.ts';
import { type InstitutionQuery, type InstitutionSearch, makeInstitutionSearch } from './search.ts';
import { withSpans } from './spans.ts';

/** An institution as the widget shows it. `logo` is a path on this service. */
export type InstitutionProfile = {
  id: string;
  name: string;
  logo?: string;
  color?: string;
  country?: string;
  businessOnly?: true;
  beta?: true;
};

type RegisteredInstitution = {
  institution: ListedInstitution;
  /** The connector's identifier for it. */
  ref: InstitutionRef;
  profile: InstitutionProfile;
  connector: Connector;
  limits: Required<BankLimits>;
};

const defaultLimits = { unattendedReadsPerDay: 4, restSeconds: 0, historyWindowSeconds: 0 };

/** A connector with its name in CONNECTORS. */
export type NamedModule = ConnectorModule & { name: string };

/** Opens a list. Called lazily, so that startup does not wait: opening takes 20 ms with 10,000 institutions. */
export type OpenListing = () => readonly ListedInstitution[];

export type Registry = {
  /** All listed institutions of an environment, in the order of the connectors. */
  institutions(environment: Environment): ListedInstitution[];
  /**
   * Also finds institutions that their directory no longer lists; a former id finds the replacement. Undefined if this
   * environment has no such institution.
   */
  find(environment: Environment, institutionId: string): RegisteredInstitution | undefined;
  /** The limits for polling an institution; the defaults if this environment has no such institution. */
  limitsOf(environment: Environment, institutionId: string): Required<BankLimits>;
  /** True if an institution's connector can revoke consents. */
  canRevoke(environment: Environment, institutionId: string): boolean;
  /** The matching institutions of an environment, best first. */
  search(environment: Environment, query: InstitutionQuery): Promise<InstitutionProfile[]>;
  /** The logo of an institution in a fixed list, by hash. */
  findLogo(hash: string): Logo | undefined;
  /** Replaces the list of a Production connector's directory. `open` is called when an institution is needed. */
  setDirectory(connectorName: string, open: OpenListing): void;
  /** The name of a Production institution's connector. */
  ownerOf(institutionId: string): string | undefined;
};

/** Throws OperatorError if two fixed institutions of one environment have the same id. */
export const makeRegistry = (
  modules: { sandbox: NamedModule; production: NamedModule[] },
  pauses: BankPauses,
): Registry => {
  const logos: Logos = new Map();
  const sandbox = indexFixed([modules.sandbox], logos);
  const fixed = indexFixed(modules.production, logos);
  const directories = new Map<string, OpenListing>();
  let production: InstitutionIndex | undefined;
  const indexOf = (environment: Environment): InstitutionIndex => {
    if (environment === 'sandbox') return sandbox;
    production ??= withDirectories(fixed, modules.production, directories);
    return production;
  };
  const institutions = (environment: Environment): ListedInstitution[] =>
    [...indexOf(environment)].flatMap(([id, { institution }]) =>
      institution.id === id && institution.missingSince === undefined ? [institution] : [],
    );
  const searches: Partial<Record<Environment, Promise<InstitutionSearch>>> = {};
  let rebuilding: Promise<InstitutionSearch> | undefined;
  // The previous search is used until the new index is ready.
  const rebuildSearch = async (): Promise<void> => {
    const rebuilt = makeInstitutionSearch(institutions('production'));
    rebuilding = rebuilt;
    await rebuilt;
    if (rebuilding === rebuilt) searches.production = rebuilt;
  };
  const registered = new WeakMap<Entry, RegisteredInstitution>();
  const register = (environment: Environment, entry: Entry): RegisteredInstitution => {
    const { institution, module } = entry;
    const { id: institutionId, ref } = institution;
    const bank = { environment, institutionId, connectorName: module.name };
    const known = registered.get(entry) ?? {
      ...{ institution, ref: { id: institutionId, ref }, profile: toProfile(institution) },
      connector: pauses.wrap(module.connector, bank),
      limits: limitsOf(entry),
    };
    registered.set(entry, known);
    return known;
  };
  return {
    institutions,
    // The first search builds the index; the server searches at startup. Most operator commands do not need it.
    search: async (environment, query) => {
      searches[environment] ??= makeInstitutionSearch(institutions(environment));
      return (await searches[environment])(query).map(toProfile);
    },
    find: (environment, institutionId) => {
      const entry = indexOf(environment).get(institutionId);
      return traced(entry && register(environment, entry));
    },
    limitsOf: (environment, institutionId) => limitsOf(indexOf(environment).get(institutionId)),
    canRevoke: (environment, institutionId) =>
      indexOf(environment).get(institutionId)?.module.connector.revoke !== undefined,
    findLogo: (hash) => logos.get(hash),
    setDirectory: (connectorName, open) => {
      directories.set(connectorName, open);
      production = undefined;
      if (searches.production) void rebuildSearch();
    },
    ownerOf: (institutionId) => indexOf('production').get(institutionId)?.module.name,
  };
};

/** Adds spans to an institution's calls if the caller is in a span. */
const traced = (found: RegisteredInstitution | undefined): RegisteredInstitution | undefined =>
  found && isInSpan() ? { ...found, connector: withSpans(found.connector, found.institution.id) } : found;

/** A stored institution with its connector's name for it, or with the stored name if no connector has it. */
export const institutionOf = (
  registry: Registry,
  environment: Environment,
  stored: { institutionId: string; institutionName: string },
): { id: string; name: string } => ({
  id: stored.institutionId,
  name: registry.find(environment, stored.institutionId)?.institution.name ?? stored.institutionName,
});

/** The domain of an institution's help page; empty if it has no help page or no connector has the institution. */
export const domainOf = (
  registry: Registry,
  environment: Environment,
  { institutionId }: { institutionId: string },
): string => {
  const helpUrl = registry.find(environment, institutionId)?.institution.helpUrl;
  return helpUrl === undefined ? '' : new URL(helpUrl).hostname;
};

type Entry = { module: NamedModule; institution: ListedInstitution };
/** Keyed by institution id, including former ids. */
type InstitutionIndex = ReadonlyMap<string, Entry>;
/** Keyed by hash. */
type Logos = Map<string, Logo>;

const indexFixed = (modules: NamedModule[], logos: Logos): InstitutionIndex => {
  const index = new Map<string, Entry>();
  for (const module of modules) {
    for (const { logo: file, ...institution } of module.institutions) {
      if (index.has(institution.id)) {
        throw new OperatorError(`Two connectors have the institution ${institution.id}: remove one.`);
      }
      const logo = file && parseLogo(file);
      if (logo) logos.set(logo.hash, logo);
      index.set(institution.id, { module, institution: { ...institution, logoHash: logo?.hash } });
    }
  }
  return index;
};

/** If several institutions share an id, the first one wins: fixed lists, then directories, then former ids. */
const withDirectories = (
  fixed: InstitutionIndex,
  modules: NamedModule[],
  directories: ReadonlyMap<string, OpenListing>,
): InstitutionIndex => {
  const index = new Map(fixed);
  const entries = modules.flatMap((module) =>
    (directories.get(module.name)?.() ?? []).map((institution) => ({ module, institution })),
  );
  const add = (id: string, entry: Entry): void => {
    if (!index.has(id)) index.set(id, entry);
  };
  for (const entry of entries) add(entry.institution.id, entry);
  for (const entry of entries) for (const id of entry.institution.formerIds ?? []) add(id, entry);
  return index;
};

const limitsOf = (entry: Entry | undefined): Required<BankLimits> => ({
  ...defaultLimits,
  ...entry?.module.limits,
  ...entry?.institution.limits,
});

const toProfile = (institution: ListedInstitution): InstitutionProfile => {
  const { id, name, logoHash, color, country, audience = [], beta } = institution;
  return {
    ...{ id, name },
    ...(logoHash && { logo: logoPath(logoHash) }),
    ...(color && { color: color.toLowerCase() }),
    ...(country && { country }),
    ...(audience.includes('business') && !audience.includes('personal') && { businessOnly: true }),
    ...(beta && { beta }),
  };
};
