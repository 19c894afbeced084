// Finds institutions and their connectors. Sandbox applications have the sandbox connector only; Production
// applications have the connectors of the setting CONNECTORS, which is empty by default.
import type { BankLimits, Connector, Institution } from '../../../connectors/kit/contract.ts';
import type { ConnectorModule } from '../../../connectors/kit/defineConnector.ts';
import { type Logo, logoPath, parseLogo } from '../../../connectors/kit/logo.ts';
import { isInSpan } from '../../platform/telemetry/tracing.ts';
import type { Environment } from '../../platform/values/clock.ts';
import { OperatorError } from '../../platform/values/errors.ts';
import type { BankPauses } from './bankPauses.ts';
import { type InstitutionQuery, type InstitutionSearch, makeInstitutionSearch } from './search.ts';
import { withSpans } from './spans.ts';

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
  limits: Required<BankLimits>;
};

const defaultLimits = { unattendedReadsPerDay: 4, restSeconds: 0, historyWindowSeconds: 0 };

/** A connector with its name in the setting CONNECTORS. */
export type NamedModule = ConnectorModule & { name: string };

export type Registry = {
  /** All institutions of an environment, in the order of the connectors. */
  institutions(environment: Environment): Institution[];
  /** Undefined where this environment has no such institution. */
  find(environment: Environment, institutionId: string): RegisteredInstitution | undefined;
  /** How often an institution may be asked; the default where this environment has no such institution. */
  limitsOf(environment: Environment, institutionId: string): Required<BankLimits>;
  /** Whether the connector of an institution gives consents back. */
  givesBack(environment: Environment, institutionId: string): boolean;
  /** The institutions of an environment that match, best first. */
  search(environment: Environment, query: InstitutionQuery): InstitutionProfile[];
  /** The logo of an institution by its hash. */
  findLogo(hash: string): Logo | undefined;
};

/** Throws OperatorError where two institutions of one environment have the same id. */
export const makeRegistry = (
  modules: { sandbox: NamedModule; production: NamedModule[] },
  pauses: BankPauses,
): Registry => {
  const logos: Logos = new Map();
  const byEnvironment: Record<Environment, InstitutionIndex> = {
    sandbox: indexInstitutions('sandbox', [modules.sandbox], { logos, pauses }),
    production: indexInstitutions('production', modules.production, { logos, pauses }),
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
    limitsOf: (environment, institutionId) =>
      byEnvironment[environment].get(institutionId)?.limits ?? defaultLimits,
    givesBack: (environment, institutionId) =>
      byEnvironment[environment].get(institutionId)?.connector.revoke !== undefined,
    findLogo: (hash) => logos.get(hash),
  };
};

/** An institution whose calls have spans, where the caller has one. */
const traced = (found: RegisteredInstitution | undefined): RegisteredInstitution | undefined =>
  found && isInSpan() ? { ...found, connector: withSpans(found.connector, found.institution.id) } : found;

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

const indexInstitutions = (
  environment: Environment,
  modules: NamedModule[],
  { logos, pauses }: { logos: Logos; pauses: BankPauses },
): InstitutionIndex => {
  const index: InstitutionIndex = new Map();
  for (const { institutions, connector, name: connectorName, limits } of modules) {
    for (const institution of institutions) {
      if (index.has(institution.id)) {
        throw new OperatorError(`Two connectors have the institution ${institution.id}: remove one.`);
      }
      const logo = institution.logo && parseLogo(institution.logo);
      if (logo) logos.set(logo.hash, logo);
      const profile = toProfile(institution, logo);
      index.set(institution.id, {
        ...{ institution, profile },
        connector: pauses.wrap(connector, { environment, institutionId: institution.id, connectorName }),
        limits: { ...defaultLimits, ...limits, ...institution.limits },
      });
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
