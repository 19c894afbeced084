// The defaults that the documents promise in prose. Tests of the effect of a limit set other values.
import { expect, test } from 'vitest';
import { readConfig } from '../src/platform/settings/config.ts';

test('the limits that the documents promise are the defaults', () => {
  expect(readConfig({}).limits).toMatchObject({
    apiRequestsPerMinute: 6000,
    authFailuresPerMinute: 60,
    widgetRequestsPerMinute: 600,
    dashboardRequestsPerMinute: 1200,
    apiRequestsInProgress: 4,
    apiQueueMs: 1000,
    linkSignInsPerAddress: 30,
    linkSignInsPerApplication: 600,
    linkSignInsPerLogin: 10,
    linkSignInsPerLoginMinutes: 15,
    linkRejectionsMax: 5,
    signInAttemptsMax: 10,
    signInAttemptsMinutes: 15,
    signInAttemptsPerEmail: 100,
    signInAttemptsSlowedMinutes: 60,
    requestLogSuccessesMax: 1000,
    requestLogFailuresMax: 10_000,
    requestLogDays: 7,
  });
});
