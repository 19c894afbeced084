// The operator's door: one command, with this process's settings and streams.
import { runCommand } from './commands/program.ts';

const { env, stdout: out, stderr: err } = process;
const terminal = { env, out, err, exitCode: 0 };
await runCommand(process.argv, terminal);
process.exitCode = terminal.exitCode;
