// Test settings: files run one after another in a few processes, on the databases of test/support/databases.ts. A file
// that leaves a handle open fails (test/support/setupFile.ts). `npm run vitest -- --project unit` runs one of four projects.
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { cleanEnvironment } from './test/support/environment.ts';
import { LongestFirst } from './test/support/longestFirst.ts';

/** The files of each project; what is in none of these is an integration test. */
const files = {
  unit: ['architecture', 'client', 'codec', 'merge', 'vault', '*'],
  browser: [
    'dashboard',
    'demo',
    'pictures',
    'scripts',
    'widget',
    'widget-js',
    'widget-native',
    'widget-react',
  ],
};
/** They measure the memory of their process, so each has one of its own. */
const aloneFiles = ['http/api/listTransactions.stream', 'fuzz/contracts', 'connectors/statements/largeCamt'];
const browserFiles = [
  'examples',
  'reference',
  'widgetExamples',
  'support/browser',
  'connectors/fints/widget',
  'packages/newConnector',
];

const inFolders = (folders: string[]): string[] =>
  folders.map((folder) => (folder === '*' ? 'test/*.test.{ts,tsx}' : `test/${folder}/**/*.test.ts`));
const unit = inFolders(files.unit);
const browser = [...inFolders(files.browser), ...browserFiles.map((file) => `test/${file}.test.{ts,tsx}`)];
const alone = aloneFiles.map((file) => `test/${file}.test.ts`);

// Applies to this process, and to all that it starts.
cleanEnvironment();

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: 'unit', include: unit, exclude: browser } },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['test/**/*.test.ts', 'connectors/*/test/**/*.test.ts', 'examples/*/test/*.test.ts'],
          exclude: [...unit, ...browser, ...alone],
        },
      },
      { extends: true, test: { name: 'browser', include: browser } },
      { extends: true, test: { name: 'alone', include: alone, isolate: true } },
    ],
    globalSetup: ['test/support/globalSetup.ts', 'test/support/buildPages.ts'],
    setupFiles: ['test/support/setupFile.ts'],
    // Processes, not threads, so that native modules, signals and the environment behave as in the service.
    pool: 'forks',
    // Loading the service again for each file would take a third of the run.
    isolate: false,
    // More than the cores, because many tests wait for a bank, a retry or a page.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // Concurrent tests mostly open pages of a browser. With more of them, a page on a slow machine takes longer than a test waits.
    maxConcurrency: 2,
    sequence: { sequencer: LongestFirst },
    // Long, because a browser on a busy machine is slow. A test of speed asserts its own time.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 30_000,
    expect: { poll: { timeout: 30_000 } },
    allowOnly: false,
    // Failures whole, everything else counted.
    reporters: ['minimal', './test/support/summaryReporter.ts'],
    env: { NODE_ENV: 'test' },
  },
});
