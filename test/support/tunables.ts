// Tunables for commands in this process or in their own process, passed in a variable that src/ does not read.
import { runCommand } from '../../src/interfaces/commands/program.ts';
import type { Tunables } from '../../src/platform/settings/tunables.ts';

/** Adds replaced tunables to the settings of a command. */
export const withTunables = (tunables: Partial<Tunables>): { TEST_TUNABLES: string } => ({
  TEST_TUNABLES: JSON.stringify(tunables),
});

/** `runCommand` with the tunables of `withTunables`. */
export const runWithTunables: typeof runCommand = (argv, terminal) =>
  runCommand(argv, terminal, { tunables: JSON.parse(terminal.env.TEST_TUNABLES ?? '{}') });
