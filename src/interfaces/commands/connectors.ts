// The command connectors: what an institution tells without an end user. It needs no database and no secrets.
import { Argument } from 'commander';
import { toPlainText } from '../../../connectors/kit/text.ts';
import { loadConnectorModules } from '../../domain/institutions/load.ts';
import { systemClock } from '../../platform/values/clock.ts';
import { OperatorError, UsageError } from '../../platform/values/errors.ts';
import { defineCommand, table } from './command.ts';
import { shutdownSignal } from './service.ts';

export const connectorsCommand = defineCommand({
  summary: 'show what an institution allows, without credentials of an end user',
  options: (command) =>
    command
      .argument('<connector>', 'one that CONNECTORS names')
      .addArgument(new Argument('<action>').choices(['probe']))
      .requiredOption('--bank <institution>', 'the id of its institution'),
  run: async ({ config }, { connector, bank }: { connector: string; bank: string }) => {
    const { connectors } = config;
    const modules = await loadConnectorModules(config);
    const module = modules[connectors.indexOf(connector)];
    if (!module?.probe) {
      const probed = connectors.filter((_, index) => modules[index]!.probe).join(', ');
      const named = `CONNECTORS names ${connectors.join(', ') || 'none'}, of which ${probed || 'none'} can be`;
      throw new UsageError(`${connector} cannot be probed: ${named}.`);
    }
    if (!module.institutions.some(({ id }) => id === bank))
      throw new UsageError(`${connector} has no institution ${bank}.`);
    const rows = await module
      .probe(bank, { signal: shutdownSignal(), now: systemClock(() => new Map()).real() })
      .catch((cause: Error) => {
        throw new OperatorError(`${bank} cannot be probed: ${cause.message}`, { cause });
      });
    // A bank's text may have line ends, or move the cursor of a terminal.
    const toLine = (text: string): string => toPlainText(text).replace(/\s+/g, ' ');
    const lines = rows.map(({ parameter, value, meaning }) => [parameter, value, meaning].map(toLine));
    return {
      json: { parameters: lines.map(([parameter, value, meaning]) => ({ parameter, value, meaning })) },
      text: table(['Parameter', 'Value', 'Meaning'], lines),
    };
  },
});
