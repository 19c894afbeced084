// Prints, at the end of every run, how long each project took, what this machine could not run and why, what is left to
// other commands, and as the last line "812 passed, 0 failed". Errors outside of tests, such as a file that does not load or
// an open handle, count as failed.
import type { Reporter, SerializedError, TestModule } from 'vitest/node';
import { hasBrowser, noBrowser } from './chromium.ts';

/** When the first file of a project started and its last one ended, in milliseconds. */
type Span = { files: number; startedAt: number; endedAt: number };

export default class SummaryReporter implements Reporter {
  readonly #spans = new Map<string, Span>();

  onTestModuleStart({ project }: TestModule): void {
    const now = performance.now();
    const { files, startedAt } = this.#spans.get(project.name) ?? { files: 0, startedAt: now };
    this.#spans.set(project.name, { files: files + 1, startedAt, endedAt: now });
  }

  onTestModuleEnd({ project }: TestModule): void {
    this.#spans.get(project.name)!.endedAt = performance.now();
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    let passed = 0;
    let failed = unhandled.length;
    const skipped = new Map<string, number>();
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const result = test.result();
        if (result.state === 'passed') passed += 1;
        else if (result.state !== 'skipped') failed += 1;
        else {
          const reason = !hasBrowser && module.project.name === 'browser' ? noBrowser : result.note;
          if (reason) skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
        }
      }
      const withErrors = [module, ...module.children.allSuites()].filter(
        (suite) => suite.errors().length > 0,
      );
      failed += withErrors.length;
    }
    const projects = [...this.#spans].map(
      ([name, { files, startedAt, endedAt }]) =>
        `${name}: ${files} ${files === 1 ? 'file' : 'files'} in ${((endedAt - startedAt) / 1000).toFixed(0)} s`,
    );
    const lines = [
      projects.join(', '),
      ...[...skipped].map(([reason, count]) => `Skipped on this machine: ${count} tests, ${reason}.`),
      ...(process.env.TEST_ALL
        ? []
        : [
            'Left out: every test on every database and in every variant ("npm run test:all"), and the hours of tampering, kills and fuzzing ("npm run test:nightly").',
          ]),
      `${passed} passed, ${failed} failed`,
    ];
    process.stdout.write(`\n${lines.join('\n')}\n`);
  }
}
