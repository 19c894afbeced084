// The last line of every run, alone and plain, so that people and machines find the count: "812 passed, 0 failed".
// What went wrong outside of a test (a file that does not load, something left open) counts as failed too.
import type { Reporter, SerializedError, TestModule } from 'vitest/node';

export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    let passed = 0;
    let failed = unhandled.length;
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed') passed += 1;
        else if (state !== 'skipped') failed += 1;
      }
      const outside = [module, ...module.children.allSuites()].filter((place) => place.errors().length > 0);
      failed += outside.length;
    }
    process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  }
}
