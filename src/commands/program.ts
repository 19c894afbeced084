// The operator's commands, each in a file of its own, with their words and options.
import { Command } from 'commander';
import { readConfig } from '../config.ts';
import { serve } from './serve.ts';

type Environment = Record<string, string | undefined>;

/** Runs the command of an argument list. Throws OperatorError where the operator can mend what is wrong. */
export const runCommand = async (argv: readonly string[], env: Environment): Promise<void> => {
  const program = new Command('bank-connection')
    .description('Runs and looks after the Bank Connection Data Service. Settings come from the environment.')
    .showHelpAfterError();
  program
    .command('serve')
    .description('serve the interface, the widget and the reference')
    .option('--no-worker', 'leave imports and refreshes to other processes')
    .action((options: { worker: boolean }) => serve(readConfig(env), options));
  await program.parseAsync(argv);
};
