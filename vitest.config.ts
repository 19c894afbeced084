// Test settings: files run one after another in a few processes, on the databases of test/support/databases.ts. A file
// that leaves a handle open fails (test/support/setupFile.ts).
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    globalSetup: ['test/support/globalSetup.ts', 'test/support/buildPages.ts'],
    setupFiles: ['test/support/setupFile.ts'],
    // Processes, not threads, so that native modules, signals and the environment behave as in the service.
    pool: 'forks',
    // Loading the service again for each file would take a third of the run.
    isolate: false,
    // More than the cores, because many tests wait for a bank, a retry or a page.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // Long, because a browser on a busy machine is slow. A test of speed asserts its own time.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 30_000,
    expect: { poll: { timeout: 30_000 } },
    allowOnly: false,
    reporters: [['default', { summary: false }], './test/support/summaryReporter.ts'],
    env: { NODE_ENV: 'test' },
  },
});
