// The health of an application in the overview.
import { expect, test } from 'vitest';
import type { Overview } from '../../dashboard/api/applications.ts';
import { healthOf } from '../../dashboard/pages/overview/health.ts';

const none = { count: 0, longestSeconds: 0 };
const at = '2026-01-05T09:00:00.000Z';
const fine: Overview = {
  ...{ from: at, until: at, bucketSeconds: 60 },
  ...{ workers: 1, overdueRefreshes: none, overdueImports: none, webhooks: { failing: 0, disabled: 0 } },
  signInsOverLimit: { allowed: 0, refused: 0 },
  firstSteps: { hasApiKey: true, widgetOpened: true, requestSent: true },
  connections: { pending: 0, active: 3, needsReconnect: 0, revoked: 0 },
  refreshes: [{ at, succeeded: 90, refused: 0, failed: 10 }],
  requests: [{ at, requests: 100, clientErrors: 50, serverErrors: 1 }],
  ...{ operations: [], apiKeys: [], institutions: [] },
};
const titlesOf = (overview: Partial<Overview>) =>
  healthOf({ ...fine, ...overview }).map(({ tone, title }) => `${tone}: ${title}`);

test('without a problem, one sentence says that everything works', () => {
  expect(titlesOf({})).toEqual(['good: Everything works']);
});

test('the share of the refresh capacity is reported, and a warning above 80 percent', () => {
  const refreshLoad = { institution: 'North Bank', percent: 80 };
  const [{ detail } = { detail: '' }] = healthOf({ ...fine, refreshLoad });
  expect(detail).toBe('Refreshes and API requests are healthy. North Bank uses 80% of its refresh capacity.');
  expect(titlesOf({ refreshLoad: { ...refreshLoad, percent: 81 } })).toEqual([
    'warn: North Bank uses 81% of its refresh capacity',
  ]);
});

test('an application that nobody uses has no activity', () => {
  const connections = { pending: 0, active: 0, needsReconnect: 0, revoked: 2 };
  expect(titlesOf({ connections, refreshes: [], requests: [] })).toEqual(['plain: No activity yet']);
});

test('before the first connection only problems are reported', () => {
  const connections = { pending: 0, active: 0, needsReconnect: 0, revoked: 0 };
  expect(titlesOf({ connections })).toEqual([]);
  expect(titlesOf({ connections, workers: 0 })).toEqual(['bad: No worker is running']);
});

test('every problem is reported, the most severe first', () => {
  const problems = titlesOf({
    workers: 0,
    overdueImports: { count: 1, longestSeconds: 61 },
    signInsOverLimit: { allowed: 0, refused: 1 },
    ignoredProxy: '10.0.0.7',
    overdueRefreshes: { count: 1234, longestSeconds: 7300 },
    webhooks: { failing: 1, disabled: 1 },
    connections: { pending: 0, active: 8, needsReconnect: 1, revoked: 0 },
    refreshes: [{ at, succeeded: 89, refused: 0, failed: 10 }],
    requests: [{ at, requests: 100, clientErrors: 0, serverErrors: 2 }],
  });
  expect(problems).toEqual([
    'bad: No worker is running',
    'bad: Some requests are failing',
    'bad: 1 user is waiting in the widget',
    'warn: Too many sign-ins at banks',
    'warn: All users count as one client',
    'warn: 1,234 refreshes are overdue',
    'warn: Many refreshes are failing',
    'warn: 2 webhook endpoints are not working',
    'warn: 1 connection needs attention',
  ]);
});

test('sign-ins over the limit are reported even if none was refused', () => {
  const [{ detail } = { detail: '' }] = healthOf({
    ...fine,
    signInsOverLimit: { allowed: 1200, refused: 0 },
  });
  expect(detail).toMatch(/^1,200 sign-ins in the last hour exceeded the per-minute limit\. 0 from /);
});

test('waiting times of users are shown in minutes', () => {
  const [{ title, detail } = { title: '', detail: '' }] = healthOf({
    ...fine,
    overdueImports: { count: 2, longestSeconds: 150 },
  });
  expect(title).toBe('2 users are waiting in the widget');
  expect(detail).toBe('Their imports have been waiting for a worker for up to 2 minutes. Run more workers.');
});
