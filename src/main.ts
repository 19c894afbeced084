// The operator's door: reads the environment, runs one command, and says in one sentence what is wrong.
import { runCommand } from './commands/program.ts';
import { OperatorError } from './errors.ts';

try {
  await runCommand(process.argv, process.env);
} catch (error) {
  if (error instanceof OperatorError) process.stderr.write(`${error.message}\n`);
  else process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode ??= 1;
}
