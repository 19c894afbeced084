// Prints the last line of every run: "812 passed, 0 failed". Errors outside of tests, such as a file that does not load
// or an open handle, count as failed. Above it stand the tests that passed only when they were repeated.
import type { Reporter, SerializedError, TestModule } from 'vitest/node';

export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    let passed = 0;
    let failed = unhandled.length;
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (test.diagnostic()?.flaky)
          process.stdout.write(`\nflaky: ${module.relativeModuleId} > ${test.fullName}`);
        if (state === 'passed') passed += 1;
        else if (state !== 'skipped') failed += 1;
      }
      const withErrors = [module, ...module.children.allSuites()].filter(
        (suite) => suite.errors().length > 0,
      );
      failed += withErrors.length;
    }
    process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  }
}
