// The order of the test files: one project after another, and the longest files of each first, so that at the end no
// process is left alone with a long one. Skips the browser project on machines without a browser.
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { hasBrowser } from './chromium.ts';

/** The project with the most short files is last. */
const projects = ['unit', 'alone', 'browser', 'integration'];

/** The files that take more than eight seconds, longest first. */
const longest = [
  ...['architecture/tools', 'read/loadedFile'],
  ...['widgetExamples', 'dashboard/pages', 'widget/everyScreen', 'demo/page', 'widget/everyFailure'],
  ...['widget-react/react', 'widget/hostile', 'scripts/dev', 'examples'],
  ...[
    'secrets/rotation',
    'http/api/listTransactions.stream',
    'packages/packages',
    'commands/operating',
    'retention/sweep',
  ],
  ...['dashboard/webhooks', 'widget/unavailable', 'webhooks/events', 'webhooks/retries', 'widget/events'],
  ...['scaling/processes', 'retention/timeTravel', 'http/api/listTransactions'],
  ...['http/dashboard/statuses', 'commands/longRunning'],
  ...['refresh/worker', 'linking/sandboxUsers', 'scaling/distribution'],
  'tampering/everyColumn',
  ...['linking/reconnect', 'linking/endUsers', 'refresh/syncGuarantee', 'fuzz/contracts'],
];

const rankIn = (order: readonly string[], name: string): number =>
  order.includes(name) ? order.indexOf(name) : order.length;

const fileName = ({ moduleId }: TestSpecification): string =>
  /\/test\/(.+)\.test\.tsx?$/.exec(moduleId)?.[1] ?? moduleId;

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    // A pattern that no name fits: the tests are counted as skipped, and their hooks do not run.
    if (!hasBrowser)
      for (const file of sorted) if (file.project.name === 'browser') file.testNamePattern = /(?!)/;
    return sorted.toSorted(
      (left, right) =>
        rankIn(projects, left.project.name) - rankIn(projects, right.project.name) ||
        rankIn(longest, fileName(left)) - rankIn(longest, fileName(right)),
    );
  }
}
