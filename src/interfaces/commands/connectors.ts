// The commands for connectors: probing an institution without an end user, and checking a connector. They need neither a
// database nor secrets.
import { Argument } from 'commander';
import type { ConnectorModule } from '../../../connectors/kit/defineConnector.ts';
import { toPlainText } from '../../../connectors/kit/text.ts';
import { loadConnectorModules } from '../../domain/institutions/load.ts';
import type { Config } from '../../platform/settings/config.ts';
import { systemClock } from '../../platform/values/clock.ts';
import { OperatorError, UsageError } from '../../platform/values/errors.ts';
import { defineCommand, table } from './command.ts';
import { shutdownSignal } from './service.ts';

type Input = { connector: string; action: 'probe' | 'check'; bank?: string };

export const connectorsCommand = defineCommand({
  summary: 'check a connector, or probe an institution without end-user credentials',
  options: (command) =>
    command
      .argument('<connector>', 'a connector listed in CONNECTORS')
      .addArgument(new Argument('<action>').choices(['probe', 'check']))
      .option('--bank <institution>', 'the id of the institution to probe'),
  run: async ({ config }, input: Input) => {
    const module = await findModule(config, input);
    const context = { signal: shutdownSignal(), now: systemClock(() => new Map()).real() };
    return input.action === 'check' ? check(module, input, context) : probe(module, input, context);
  },
});

const namesOf = (modules: readonly { name: string }[]): string =>
  modules.map(({ name }) => name).join(', ') || 'none';

const findModule = async (config: Config, { connector, action }: Input): Promise<ConnectorModule> => {
  const modules = await loadConnectorModules(config);
  const able = modules.filter((module) => module[action]);
  const found = able.find(({ name }) => name === connector);
  if (found) return found;
  const done = action === 'probe' ? 'probed' : 'checked';
  const named = `CONNECTORS lists ${namesOf(modules)}. "${action}" works with ${namesOf(able)}`;
  throw new UsageError(`${connector} cannot be ${done}. ${named}.`);
};

type Context = { signal: AbortSignal; now: Date };

// A bank's text may contain line breaks, or move the cursor of a terminal.
const toLine = (text: string): string => toPlainText(text).replace(/\s+/g, ' ');

const check = async (module: ConnectorModule, { connector }: Input, context: Context) => {
  const found = await module.check!(context).catch((cause: Error) => {
    throw new OperatorError(`${connector} cannot be checked: ${cause.message}`, { cause });
  });
  const problems = found.map(toLine);
  return {
    json: { problems },
    text: problems.length > 0 ? problems : [`${connector} is ready.`],
    failed: problems.length > 0,
  };
};

const probe = async (module: ConnectorModule, { connector, bank }: Input, context: Context) => {
  if (bank === undefined) throw new UsageError('Set the institution with --bank.');
  if (!module.institutions.some(({ id }) => id === bank))
    throw new UsageError(`${connector} has no institution ${bank}.`);
  const rows = await module.probe!(bank, context).catch((cause: Error) => {
    throw new OperatorError(`${bank} cannot be probed: ${cause.message}`, { cause });
  });
  const lines = rows.map(({ parameter, value, meaning }) => [parameter, value, meaning].map(toLine));
  return {
    json: { parameters: lines.map(([parameter, value, meaning]) => ({ parameter, value, meaning })) },
    text: table(['Parameter', 'Value', 'Meaning'], lines),
  };
};
