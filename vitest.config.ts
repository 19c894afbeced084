// How the suite runs: its files one after another in a few processes, all on the databases of test/support/databases.ts, and
// a file that leaves something open fails (test/support/setupFile.ts).
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    globalSetup: ['test/support/globalSetup.ts', 'test/support/buildPages.ts'],
    setupFiles: ['test/support/setupFile.ts'],
    // Processes, not threads: native modules, signals and the environment then behave as in the service.
    pool: 'forks',
    // Loading the service anew for every file would take a third of the time of a run.
    isolate: false,
    // More than there are cores, because many tests wait: for a bank, a retry, a page.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // Generous, because a browser on a busy machine is slow; what must be fast asserts its own time.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 30_000,
    expect: { poll: { timeout: 30_000 } },
    allowOnly: false,
    reporters: [['default', { summary: false }], './test/support/summaryReporter.ts'],
    env: { NODE_ENV: 'test' },
  },
});
