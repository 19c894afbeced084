// The registry of both environments: the sandbox bank, and the institutions of the connectors in CONNECTORS.
import type { ConnectorModule } from '../../../../connectors/kit/defineConnector.ts';
import { makeGuardedSender } from '../../../../connectors/kit/guardedRequest.ts';
import { makeIpFilter } from '../../../../connectors/kit/ipFilter.ts';
import { callWithTimeout, withTimeout } from '../../../../connectors/kit/withTimeout.ts';
import { withValidation } from '../../../../connectors/kit/withValidation.ts';
import { sandboxInstitutions } from '../../../../connectors/sandbox/institutions.ts';
import { makeSandboxConnector } from '../../../../connectors/sandbox/sandboxConnector.ts';
import type { Config } from '../../../platform/settings/config.ts';
import { seconds } from '../../../platform/values/clock.ts';
import { makeBankPauses } from '../bankPauses.ts';
import { type DirectoryDeps, makeReadDirectories } from '../directories.ts';
import { loadConnectorModules } from '../load.ts';
import { makeRegistry, type Registry } from '../registry.ts';
import { makeDatabaseStorage } from './databaseStorage.ts';
import type { SandboxKeyset } from './rowEncryption.ts';

export type RegistryOptions = {
  /** Connectors for Production applications, in addition to those in CONNECTORS. */
  connectors?: ConnectorModule[];
  /** The duration of each step of the sandbox user `slow`. */
  slowStepMs?: number;
};

type BuildDeps = Pick<DirectoryDeps, 'db' | 'clock' | 'log' | 'signingPublicKeys'> & {
  config: Config;
  keys: SandboxKeyset;
};

/** Builds the registry, including the directories' lists. Throws OperatorError for an unusable connector. */
export const buildRegistry = async (
  { config, keys, ...deps }: BuildDeps,
  { connectors = [], slowStepMs }: RegistryOptions,
): Promise<{ registry: Registry; directories: DirectoryDeps }> => {
  const { db, clock } = deps;
  const limitMs = seconds(config.limits.connectorTimeoutSeconds);
  const guard = <Module extends ConnectorModule>(module: Module): Module => {
    const { connector, check, directory } = module;
    return {
      ...module,
      connector: withValidation(withTimeout(connector, limitMs)),
      ...(check && { check: (context) => callWithTimeout(context, limitMs, check) }),
      ...(directory && { directory: (context) => callWithTimeout(context, limitMs, directory) }),
    };
  };
  const storageOf = (organizationId: string) => makeDatabaseStorage(db, keys, organizationId);
  const sandbox = makeSandboxConnector({ storageOf, realNow: clock.real, slowStepMs });
  const named = await loadConnectorModules(config, { db, clock });
  const given = connectors.map((module, index) => ({ ...module, name: `connector ${index + 1}` }));
  const modules = {
    sandbox: guard({
      ...{ institutions: sandboxInstitutions, connector: sandbox, name: 'sandbox' },
      // Unlimited, because tests advance its clock.
      limits: { unattendedReadsPerDay: Number.POSITIVE_INFINITY },
    }),
    production: [...given, ...named].map(guard),
  };
  const registry = makeRegistry(modules, makeBankPauses({ db, clock }));
  const { limits, allowedNetworks } = config;
  const send = makeGuardedSender(makeIpFilter(allowedNetworks));
  const directories = { ...deps, limits, send, registry, connectors: modules.production };
  const read = makeReadDirectories(directories);
  await read();
  return { registry, directories: { ...directories, read } };
};
