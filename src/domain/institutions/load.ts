// Loads the connectors listed in the CONNECTORS setting: packages from this repository, other packages, and files.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type ConnectorDefinition,
  type ConnectorModule,
  findDefinitionProblem,
  findModuleProblem,
  type Host,
} from '../../../connectors/kit/defineConnector.ts';
import { makeGuardedSender, type SendGuarded } from '../../../connectors/kit/guardedRequest.ts';
import { makeIpFilter } from '../../../connectors/kit/ipFilter.ts';
import type { Config } from '../../platform/settings/config.ts';
import { seconds } from '../../platform/values/clock.ts';
import { OperatorError } from '../../platform/values/errors.ts';
import type { NamedModule } from './registry.ts';
import { type Shared, throttled } from './throttle.ts';

/** This repository's connectors, by their short names in CONNECTORS. */
const packages: ReadonlyMap<string, string> = new Map(
  ['enable-banking', 'fints', 'simplefin'].map((name) => [
    name,
    new URL(`../../../connectors/${name}/index.ts`, import.meta.url).href,
  ]),
);

type LoadConfig = Pick<Config, 'connectors' | 'connectorSetting' | 'allowedNetworks' | 'limits'>;

/** Imports and creates the connectors in the order of CONNECTORS. Throws OperatorError for an unusable one. */
export const loadConnectorModules = async (config: LoadConfig, shared?: Shared): Promise<NamedModule[]> => {
  const modules: NamedModule[] = [];
  for (const name of config.connectors) {
    modules.push({ ...(await loadConnectorModule(name, config, shared)), name });
  }
  return modules;
};

const loadConnectorModule = async (
  name: string,
  config: LoadConfig,
  shared: Shared | undefined,
): Promise<ConnectorModule> => {
  const definition = await importDefinition(name);
  let module: ConnectorModule | undefined;
  const requestsPerMinute = () => module?.limits?.requestsPerMinute;
  const throttle = (send: SendGuarded) => throttled(send, `connector ${name}`, requestsPerMinute, shared);
  try {
    module = await definition.make(makeHost(definition, config, throttle));
  } catch (cause) {
    throw new OperatorError(`CONNECTORS names ${name}: ${(cause as Error).message}`, { cause });
  }
  const problem = findModuleProblem(module);
  if (problem) throw new OperatorError(`CONNECTORS names ${name}, ${problem}.`);
  return module;
};

const importDefinition = async (name: string): Promise<ConnectorDefinition> => {
  const isFile = /^[./]|\.[cm]?[jt]s$/.test(name);
  let exports: { default?: unknown };
  try {
    exports = await import(isFile ? pathToFileURL(resolve(name)).href : (packages.get(name) ?? name));
  } catch (cause) {
    const { message } = cause as Error;
    throw new OperatorError(`CONNECTORS names ${name}, which could not be loaded: ${message}`, { cause });
  }
  const problem = findDefinitionProblem(exports.default);
  if (problem) throw new OperatorError(`CONNECTORS names ${name}, ${problem}.`);
  return exports.default as ConnectorDefinition;
};

/** The settings declared by this repository's connectors, with their descriptions. */
export const findBuiltInSettings = async (): Promise<Record<string, string>> => {
  const definitions = await Promise.all([...packages.keys()].map(importDefinition));
  return Object.assign({}, ...definitions.map(({ settings }) => settings));
};

const makeHost = (
  { settings = {} }: ConnectorDefinition,
  { connectorSetting, allowedNetworks, limits }: LoadConfig,
  throttle: (send: SendGuarded) => SendGuarded,
): Host => {
  const isAllowed = makeIpFilter(allowedNetworks);
  return {
    setting: (name) => {
      if (!Object.hasOwn(settings, name)) throw new Error(`The connector declares no setting ${name}.`);
      return connectorSetting(name);
    },
    send: throttle(makeGuardedSender(isAllowed)),
    sendAnywhere: throttle(makeGuardedSender(() => true)),
    isAllowed,
    answerBytesMax: limits.connectorAnswerBytesMax,
    timeoutMs: seconds(limits.connectorTimeoutSeconds),
  };
};
