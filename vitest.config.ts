// Test settings: files run one after another in a few processes, on the databases of test/support/databases.ts. A file
// that leaves a handle open fails (test/support/setupFile.ts). `npm test -- --project unit` runs one of four projects.
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longestFirst.ts';
import { temporaryRoot } from './test/support/temporaryRoot.ts';

/** The files of each project; what is in none of these is an integration test. */
const files = {
  unit: ['architecture', 'client', 'transactions', 'vault', '*'],
  browser: ['dashboard', 'demo', 'scripts', 'widget', 'widget-js', 'widget-native', 'widget-react'],
  crash: ['crash'],
};
const browserFiles = [
  'examples',
  'reference',
  'widgetExamples',
  'support/browser',
  'connectors/fints/widget',
];

const inFolders = (folders: string[]): string[] =>
  folders.map((folder) => (folder === '*' ? 'test/*.test.{ts,tsx}' : `test/${folder}/**/*.test.ts`));
const unit = inFolders(files.unit);
const browser = [...inFolders(files.browser), ...browserFiles.map((file) => `test/${file}.test.{ts,tsx}`)];
const crash = inFolders(files.crash);

// In CI alone, a test that failed for want of time may run again; the summary then names it as flaky.
const retry = process.env.CI ? 1 : 0;

// Of this process, and of all that it starts.
process.env.TMPDIR = temporaryRoot();

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: 'unit', include: unit, exclude: browser } },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['test/**/*.test.ts'],
          exclude: [...unit, ...browser, ...crash],
        },
      },
      { extends: true, test: { name: 'browser', include: browser, retry } },
      { extends: true, test: { name: 'crash', include: crash, retry } },
    ],
    globalSetup: ['test/support/globalSetup.ts', 'test/support/buildPages.ts'],
    setupFiles: ['test/support/setupFile.ts'],
    // Processes, not threads, so that native modules, signals and the environment behave as in the service.
    pool: 'forks',
    // Loading the service again for each file would take a third of the run.
    isolate: false,
    // More than the cores, because many tests wait for a bank, a retry or a page.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    sequence: { sequencer: LongestFirst },
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
