// Which bank answers for which institution. Sandbox applications see the sandbox and nothing else; Production
// applications see the connectors that the operator configured, of which there are none at first.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Environment } from '../clock.ts';
import { OperatorError } from '../errors.ts';
import type { Connector, Institution } from './connector.ts';

/** A bank and the institutions that it answers for. */
export type ConnectorModule = { institutions: Institution[]; connector: Connector };

export type Registry = {
  /** All that an application of this environment can offer, in the connectors' order. */
  institutions(environment: Environment): Institution[];
  /** Undefined where this environment has no such institution. */
  find(
    environment: Environment,
    institutionId: string,
  ): { institution: Institution; bank: Connector } | undefined;
};

/** Throws OperatorError where two institutions of one environment have the same id. */
export const makeRegistry = (connectors: {
  sandbox: ConnectorModule;
  production: ConnectorModule[];
}): Registry => {
  const known: Record<Environment, InstitutionIndex> = {
    sandbox: indexInstitutions([connectors.sandbox]),
    production: indexInstitutions(connectors.production),
  };
  return {
    institutions: (environment) => [...known[environment].values()].map(({ institution }) => institution),
    find: (environment, institutionId) => known[environment].get(institutionId),
  };
};

type InstitutionIndex = Map<string, { institution: Institution; bank: Connector }>;

const indexInstitutions = (connectors: ConnectorModule[]): InstitutionIndex => {
  const entries: InstitutionIndex = new Map();
  for (const { institutions, connector } of connectors) {
    for (const institution of institutions) {
      if (entries.has(institution.id)) {
        throw new OperatorError(
          `Two connectors answer for the institution ${institution.id}: leave one out.`,
        );
      }
      entries.set(institution.id, { institution, bank: connector });
    }
  }
  return entries;
};

/** Loads the modules that the setting CONNECTORS names; each exports a Connector by the name of `connector`. */
export const loadConnectorModules = async (paths: readonly string[]): Promise<ConnectorModule[]> => {
  const connectors: ConnectorModule[] = [];
  for (const path of paths) connectors.push(await loadConnectorModule(path.trim()));
  return connectors;
};

const loadConnectorModule = async (path: string): Promise<ConnectorModule> => {
  let module: Record<string, unknown>;
  try {
    module = await import(pathToFileURL(resolve(path)).href);
  } catch (cause) {
    throw new OperatorError(
      `CONNECTORS names ${path}, which could not be loaded: ${(cause as Error).message}`,
      {
        cause,
      },
    );
  }
  const problem = findModuleProblem(module.connector);
  if (problem) throw new OperatorError(`CONNECTORS names ${path}, whose export \`connector\` ${problem}.`);
  return module.connector as ConnectorModule;
};

const institutionIdPattern = /^[a-z0-9][a-z0-9-]{0,62}$/;
const connectorMethods = ['signIn', 'answer', 'accounts', 'history'] as const satisfies (keyof Connector)[];

/** What a module's export lacks to be a connector; the sentence goes on after its name. */
const findModuleProblem = (given: unknown): string | undefined => {
  if (!isObject(given)) return 'is missing';
  const { bank, institutions } = given;
  const missing = connectorMethods.find((method) => !isObject(bank) || typeof bank[method] !== 'function');
  if (missing) return `has no function bank.${missing}`;
  if (!Array.isArray(institutions) || institutions.length === 0) return 'names no institutions';
  for (const institution of institutions) {
    if (!isObject(institution) || !institutionIdPattern.test(String(institution.id))) {
      return `has an institution whose id is not 1 to 63 of a-z, 0-9 and "-"`;
    }
    if (!isNonEmptyString(institution.name)) return `gives the institution ${institution.id} no name`;
    if (
      !Array.isArray(institution.fields) ||
      !institution.fields.every(isCredentialField) ||
      institution.fields.length === 0
    ) {
      return `gives the institution ${institution.id} no proper fields (name, label, secret)`;
    }
  }
  return undefined;
};

const isCredentialField = (given: unknown): boolean =>
  isObject(given) &&
  isNonEmptyString(given.name) &&
  isNonEmptyString(given.label) &&
  typeof given.secret === 'boolean';

const isObject = (given: unknown): given is Record<string, unknown> =>
  typeof given === 'object' && given !== null;

const isNonEmptyString = (given: unknown): boolean => typeof given === 'string' && given !== '';
