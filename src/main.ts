// Entry point of the command line: runs one command with the environment and streams of this process.
import { runCommand } from './commands/program.ts';

// Standard input is opened by the commands that read it.
const { env, stdout: out, stderr: err } = process;
const terminal = {
  ...{ env, out, err, exitCode: 0 },
  get in() {
    return process.stdin;
  },
};
await runCommand(process.argv, terminal);
process.exitCode = terminal.exitCode;
