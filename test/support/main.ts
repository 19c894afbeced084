// Entry point of the command line for tests that replace tunables. It is src/main.ts, except that it reads them from
// TEST_TUNABLES.
import { runWithTunables } from './tunables.ts';

const { env, stdout: out, stderr: err } = process;
const terminal = {
  ...{ env, out, err, exitCode: 0 },
  get in() {
    return process.stdin;
  },
};
await runWithTunables(process.argv, terminal);
process.exitCode = terminal.exitCode;
