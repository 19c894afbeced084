// Entry point of the command line: runs one command with the environment and streams of this process.
import { runCommand } from './interfaces/commands/program.ts';

// Standard input is opened by the commands that read it.
const { env, stdout: out, stderr: err } = process;
const terminal = {
  ...{ env, out, err, exitCode: 0 },
  get in() {
    return process.stdin;
  },
};
// npx runs a command in a shell. A signal to npx ends that shell, which does not forward it.
const { pid, ppid } = process;
const watching = setInterval(() => {
  if (!env.npm_command || process.ppid === ppid) return;
  clearInterval(watching);
  process.kill(pid, 'SIGTERM');
}, 500).unref();
await runCommand(process.argv, terminal);
process.exitCode = terminal.exitCode;
