// Finds institutions and their connectors. Sandbox applications have the sandbox connector only; Production
// applications have the connectors of the setting CONNECTORS, which is empty by default.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import Fuse from 'fuse.js';
import type { Environment } from '../clock.ts';
import { OperatorError } from '../errors.ts';
import { type Connector, type Institution, labelKeys } from './connector.ts';

/** What a connector's module exports: the connector and its institutions. */
export type ConnectorModule = { institutions: Institution[]; connector: Connector };

type RegisteredInstitution = { institution: Institution; connector: Connector };

export type Registry = {
  /** All institutions of an environment, in the order of the connectors. */
  institutions(environment: Environment): Institution[];
  /** Undefined where this environment has no such institution. */
  find(environment: Environment, institutionId: string): RegisteredInstitution | undefined;
};

/** Throws OperatorError where two institutions of one environment have the same id. */
export const makeRegistry = (modules: {
  sandbox: ConnectorModule;
  production: ConnectorModule[];
}): Registry => {
  const byEnvironment: Record<Environment, InstitutionIndex> = {
    sandbox: indexInstitutions([modules.sandbox]),
    production: indexInstitutions(modules.production),
  };
  return {
    institutions: (environment) =>
      [...byEnvironment[environment].values()].map(({ institution }) => institution),
    find: (environment, institutionId) => byEnvironment[environment].get(institutionId),
  };
};

/** A stored institution with its connector's name; with the stored name while no connector has the institution. */
export const institutionOf = (
  registry: Registry,
  environment: Environment,
  stored: { institutionId: string; institutionName: string },
): { id: string; name: string } => ({
  id: stored.institutionId,
  name: registry.find(environment, stored.institutionId)?.institution.name ?? stored.institutionName,
});

/** By institution id. */
type InstitutionIndex = Map<string, RegisteredInstitution>;

const indexInstitutions = (modules: ConnectorModule[]): InstitutionIndex => {
  const index: InstitutionIndex = new Map();
  for (const { institutions, connector } of modules) {
    for (const institution of institutions) {
      if (index.has(institution.id)) {
        throw new OperatorError(`Two connectors have the institution ${institution.id}: remove one.`);
      }
      index.set(institution.id, { institution, connector });
    }
  }
  return index;
};

/** Imports the modules that the setting CONNECTORS names. Throws OperatorError for one that is not usable. */
export const loadConnectorModules = async (paths: readonly string[]): Promise<ConnectorModule[]> => {
  const modules: ConnectorModule[] = [];
  for (const path of paths) modules.push(await loadConnectorModule(path.trim()));
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
const findModuleProblem = ({ institutions, connector }: Record<string, unknown>): string | undefined => {
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
      return `whose institution ${institution.id} has no valid fields (name, label, secret; labelKey optional)`;
    }
  }
  return undefined;
};

const isCredentialField = (value: unknown): boolean =>
  isObject(value) &&
  isNonEmptyString(value.name) &&
  isNonEmptyString(value.label) &&
  typeof value.secret === 'boolean' &&
  (value.labelKey === undefined || labelKeys.some((key) => key === value.labelKey));

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const isNonEmptyString = (value: unknown): boolean => typeof value === 'string' && value !== '';

const normalize = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();

/** The institutions that match, best first; without a search text, all by name. */
export const searchInstitutions = (
  institutions: readonly Institution[],
  { search = '', limit = 50 }: { search?: string; limit?: number },
): { id: string; name: string }[] => {
  const byName = institutions
    .map(({ id, name }) => ({ id, name }))
    .sort((left, right) => left.name.localeCompare(right.name, 'en'));
  const query = normalize(search);
  if (query === '') return byName.slice(0, limit);
  const fuse = new Fuse(
    byName.map((institution) => ({ institution, normalizedName: normalize(institution.name) })),
    { keys: ['normalizedName'], threshold: 0.4, ignoreLocation: true },
  );
  return fuse.search(query, { limit }).map(({ item }) => item.institution);
};
