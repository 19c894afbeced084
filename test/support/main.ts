// Entry point of the command line for tests that replace tunables: like src/main.ts, but reads tunables from
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
