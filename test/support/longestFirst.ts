// The order of the test files: one project after another, each with its longest files first, so that no process is left
// alone with a long file at the end. Skips the browser project on machines without a browser.
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { hasBrowser } from './chromium.ts';

/** The project with the most short files comes last. */
const projects = ['unit', 'alone', 'browser', 'integration'];

/** The files that take several seconds, longest first in each project. */
const longest = [
  ...['client/linkSandbox', 'http/api/listTransactions.stream', 'fuzz/contracts'],
  ...['dashboard/pages', 'widget-native/native', 'demo/page', 'dashboard/lists', 'widget/everyFailure'],
  ...['widget/everyScreen', 'reference', 'widget-react/react', 'dashboard/applications', 'widget/resume'],
  ...['scripts/dev', 'widget/events', 'widget/loader', 'dashboard/webhooks', 'widgetExamples'],
  ...['secrets/rotation', 'faults/database', 'signals/traces', 'faults/processes', 'scaling/processes'],
  ...['faults/streams', 'crash/kills', 'retention/sweep', 'crash/crash', 'scaling/distribution'],
  ...['commands/operating', 'tampering/everyColumn', 'commands/longRunning', 'refresh/worker'],
  ...['refresh/syncGuarantee', 'canary/canary', 'packages/packages', 'linking/reconnect'],
];

const rankIn = (order: readonly string[], name: string): number =>
  order.includes(name) ? order.indexOf(name) : order.length;

const fileName = ({ moduleId }: TestSpecification): string =>
  /\/test\/(.+)\.test\.tsx?$/.exec(moduleId)?.[1] ?? moduleId;

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    // A pattern that matches no name: the tests are counted as skipped, and their hooks do not run.
    if (!hasBrowser)
      for (const file of sorted) if (file.project.name === 'browser') file.testNamePattern = /(?!)/;
    return sorted.toSorted(
      (left, right) =>
        rankIn(projects, left.project.name) - rankIn(projects, right.project.name) ||
        rankIn(longest, fileName(left)) - rankIn(longest, fileName(right)),
    );
  }
}
