// Which bank answers for which institution. Sandbox applications see the sandbox and nothing else; Production
// applications see the connectors that the operator configured, of which there are none at first.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Environment } from '../clock.ts';
import { OperatorError } from '../errors.ts';
import type { Bank, Institution } from './bank.ts';

/** A bank and the institutions that it answers for. */
export type Connector = { institutions: Institution[]; bank: Bank };

export type Registry = {
  /** All that an application of this environment can offer, in the connectors' order. */
  institutions(environment: Environment): Institution[];
  /** Undefined where this environment has no such institution. */
  find(environment: Environment, institutionId: string): { institution: Institution; bank: Bank } | undefined;
};

/** Throws OperatorError where two institutions of one environment have the same id. */
export const makeRegistry = (connectors: { sandbox: Connector; production: Connector[] }): Registry => {
  const known: Record<Environment, Entries> = {
    sandbox: entriesOf([connectors.sandbox]),
    production: entriesOf(connectors.production),
  };
  return {
    institutions: (environment) => [...known[environment].values()].map(({ institution }) => institution),
    find: (environment, institutionId) => known[environment].get(institutionId),
  };
};

type Entries = Map<string, { institution: Institution; bank: Bank }>;

const entriesOf = (connectors: Connector[]): Entries => {
  const entries: Entries = new Map();
  for (const { institutions, bank } of connectors) {
    for (const institution of institutions) {
      if (entries.has(institution.id)) {
        throw new OperatorError(
          `Two connectors answer for the institution ${institution.id}: leave one out.`,
        );
      }
      entries.set(institution.id, { institution, bank });
    }
  }
  return entries;
};

/** Loads the modules that the setting CONNECTORS names; each exports a Connector by the name of `connector`. */
export const loadConnectors = async (paths: readonly string[]): Promise<Connector[]> => {
  const connectors: Connector[] = [];
  for (const path of paths) connectors.push(await loadConnector(path.trim()));
  return connectors;
};

const loadConnector = async (path: string): Promise<Connector> => {
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
  const problem = problemOf(module.connector);
  if (problem) throw new OperatorError(`CONNECTORS names ${path}, whose export \`connector\` ${problem}.`);
  return module.connector as Connector;
};

const institutionIdForm = /^[a-z0-9][a-z0-9-]{0,62}$/;
const methods = ['signIn', 'answer', 'accounts', 'history'] as const satisfies (keyof Bank)[];

/** What a module's export lacks to be a connector; the sentence goes on after its name. */
const problemOf = (given: unknown): string | undefined => {
  if (!isObject(given)) return 'is missing';
  const { bank, institutions } = given;
  const missing = methods.find((method) => !isObject(bank) || typeof bank[method] !== 'function');
  if (missing) return `has no function bank.${missing}`;
  if (!Array.isArray(institutions) || institutions.length === 0) return 'names no institutions';
  for (const institution of institutions) {
    if (!isObject(institution) || !institutionIdForm.test(String(institution.id))) {
      return `has an institution whose id is not 1 to 63 of a-z, 0-9 and "-"`;
    }
    if (!isText(institution.name)) return `gives the institution ${institution.id} no name`;
    if (
      !Array.isArray(institution.fields) ||
      !institution.fields.every(isField) ||
      institution.fields.length === 0
    ) {
      return `gives the institution ${institution.id} no proper fields (name, label, secret)`;
    }
  }
  return undefined;
};

const isField = (given: unknown): boolean =>
  isObject(given) && isText(given.name) && isText(given.label) && typeof given.secret === 'boolean';

const isObject = (given: unknown): given is Record<string, unknown> =>
  typeof given === 'object' && given !== null;

const isText = (given: unknown): boolean => typeof given === 'string' && given !== '';
