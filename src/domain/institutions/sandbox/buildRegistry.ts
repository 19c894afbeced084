// The institutions of both environments: the sandbox bank, and those of the connectors that CONNECTORS names.
import type { ConnectorModule } from '../../../../connectors/kit/defineConnector.ts';
import { withTimeout } from '../../../../connectors/kit/withTimeout.ts';
import { withValidation } from '../../../../connectors/kit/withValidation.ts';
import { sandboxInstitutions } from '../../../../connectors/sandbox/institutions.ts';
import { makeSandboxConnector } from '../../../../connectors/sandbox/sandboxConnector.ts';
import type { Database } from '../../../platform/db/open.ts';
import type { Config } from '../../../platform/settings/config.ts';
import { type Clock, seconds } from '../../../platform/values/clock.ts';
import { makeBankPauses } from '../bankPauses.ts';
import { loadConnectorModules } from '../load.ts';
import { makeRegistry, type Registry } from '../registry.ts';
import { makeDatabaseStorage } from './databaseStorage.ts';
import type { SandboxKeyset } from './rowEncryption.ts';

export type RegistryOptions = {
  /** Connectors for Production applications, besides those of the setting CONNECTORS. */
  connectors?: ConnectorModule[];
  /** How long each step of the sandbox user `slow` takes. */
  slowStepMs?: number;
};

/** Throws OperatorError for a connector that is not usable. */
export const buildRegistry = async (
  { db, clock, config, keys }: { db: Database; clock: Clock; config: Config; keys: SandboxKeyset },
  { connectors = [], slowStepMs }: RegistryOptions,
): Promise<Registry> => {
  const guard = <Module extends ConnectorModule>(module: Module): Module => ({
    ...module,
    connector: withValidation(withTimeout(module.connector, seconds(config.limits.connectorTimeoutSeconds))),
  });
  const storageOf = (organizationId: string) => makeDatabaseStorage(db, keys, organizationId);
  const sandbox = makeSandboxConnector({ storageOf, realNow: clock.real, slowStepMs });
  const named = await loadConnectorModules(config, { db, clock });
  const given = connectors.map((module, index) => ({ ...module, name: `connector ${index + 1}` }));
  const modules = {
    sandbox: guard({
      ...{ institutions: sandboxInstitutions, connector: sandbox, name: 'sandbox' },
      // Tests move its clock.
      limits: { unattendedReadsPerDay: Number.POSITIVE_INFINITY },
    }),
    production: [...given, ...named].map(guard),
  };
  return makeRegistry(modules, makeBankPauses({ db, clock }));
};
