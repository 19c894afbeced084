// Prints the progress of a run and, at its end, the durations of each project and its slowest files, the tests that this machine
// could not run and why, the tests run by other commands, and as the last line "812 passed, 0 failed". Errors outside tests, such as
// a file that does not load or an open handle, count as failed.
import type { Reporter, SerializedError, TestModule, TestSpecification } from 'vitest/node';
import { hasBrowser, noBrowser } from './chromium.ts';

/** The start and the end of a file, in milliseconds. */
type Run = { name: string; startedAt: number; endedAt: number };

const progressEvery = 20;
const slowestFiles = 10;

const inSeconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;

export default class SummaryReporter implements Reporter {
  readonly #files = new Map<string, Map<string, Run>>();
  #total = 0;
  #ended = 0;

  onTestRunStart(files: readonly TestSpecification[]): void {
    this.#total = files.length;
  }

  onTestModuleStart({ project, moduleId, relativeModuleId: name }: TestModule): void {
    const now = performance.now();
    const files = this.#files.get(project.name) ?? new Map<string, Run>();
    this.#files.set(project.name, files);
    files.set(moduleId, { name, startedAt: now, endedAt: now });
  }

  onTestModuleEnd({ project, moduleId }: TestModule): void {
    this.#files.get(project.name)!.get(moduleId)!.endedAt = performance.now();
    this.#ended += 1;
    if (this.#ended % progressEvery === 0)
      process.stdout.write(`${this.#ended} of ${this.#total} files after ${inSeconds(performance.now())}\n`);
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
    const lines = [
      ...[...this.#files].flatMap(([name, files]) => summaryOf(name, [...files.values()])),
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

/** From the start of the first file of a project to the end of its last one, and its slowest files. */
const summaryOf = (project: string, files: Run[]): string[] => {
  const span =
    Math.max(...files.map(({ endedAt }) => endedAt)) - Math.min(...files.map(({ startedAt }) => startedAt));
  const slowest = files
    .map(({ name, startedAt, endedAt }) => ({ name, took: endedAt - startedAt }))
    .toSorted((left, right) => right.took - left.took)
    .slice(0, slowestFiles);
  return [
    `${project}: ${files.length} ${files.length === 1 ? 'file' : 'files'} in ${inSeconds(span)}`,
    ...slowest.map(({ name, took }) => `${inSeconds(took).padStart(9)}  ${name}`),
  ];
};
