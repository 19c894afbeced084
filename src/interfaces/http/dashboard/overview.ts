// The overview of an application, and the institutions that it can connect to.
import type { Application } from '../../../domain/applications/application.ts';
import { findListedApiKeys, type ListedApiKey } from '../../../domain/applications/store.ts';
import { toVisibility } from '../../../domain/connections/listConnections.ts';
import { countByState } from '../../../domain/connections/listStore.ts';
import { metricsBySubject, metricsOverTime, periodOfRange } from '../../../domain/requestLog/reports.ts';
import { countUnhealthyEndpoints } from '../../../domain/webhooks/store.ts';
import { refreshHealth } from '../../../operations/signals/refreshHealth.ts';
import type { DashboardNeeds } from '../needs.ts';
import type { Operation } from './authenticate.ts';

const keysMax = 20;
const institutionsMax = 10;

export const listInstitutions: Operation<'listInstitutions'> = async ({ application }, { registry }) => {
  const institutions = registry.institutions(application.environment);
  const listed = institutions.map(({ id, name }) => ({ id, name }));
  return { institutions: listed.sort((left, right) => left.name.localeCompare(right.name)) };
};

export const getOverview: Operation<'getOverview'> = async ({ application, query, retention }, service) => {
  const { db, clock, config } = service;
  const period = periodOfRange(query.range ?? 'day', clock.real());
  const scope = { applicationId: application.id, period };
  const states = await countByState(db.read, toVisibility(retention));
  const refreshes = await metricsOverTime(db.read, { ...scope, kind: 'institution' });
  const requests = await metricsOverTime(db.read, { ...scope, kind: 'operation' });
  const keys = await findListedApiKeys(db.read, application.id);
  return {
    from: period.from.toISOString(),
    until: period.until.toISOString(),
    bucketSeconds: period.bucketSeconds,
    ...(await refreshHealth({ db, clock, limits: config.limits }, application)),
    refreshLoad: await refreshLoadOf(service, application),
    signInsOverLimit: await signInsOverLimit(service, application),
    ignoredProxy: service.ignoredProxy.ip,
    webhooks: await countUnhealthyEndpoints(db.read, application.id),
    firstSteps: firstStepsOf(application, keys, clock.real()),
    connections: {
      pending: states.pending,
      active: states.active,
      needsReconnect: states.needs_reconnect,
      revoked: states.revoked,
    },
    refreshes: refreshes.map(({ at, total, refused, failed }) => ({
      at,
      succeeded: total - refused - failed,
      refused,
      failed,
    })),
    requests: requests.map((bucket) => ({ at: bucket.at, ...toRequestCounts(bucket) })),
    operations: await operationsOf(service, scope),
    apiKeys: await keysOf(service, scope, keys),
    institutions: await institutionsOf(service, application, scope),
  };
};

const refreshLoadOf = async ({ registry, readLoads }: DashboardNeeds, { environment }: Application) => {
  const [fullest] = (await readLoads())
    .map(({ institutionId, connections, capacity }) => ({
      institution: registry.find(environment, institutionId)?.institution.name,
      percent: Math.round((100 * connections) / Math.max(1, capacity)),
    }))
    .filter((load): load is { institution: string; percent: number } => load.institution !== undefined)
    .sort((left, right) => right.percent - left.percent);
  return fullest;
};

const firstStepsOf = ({ firstLinkSessionAt }: Application, keys: ListedApiKey[], now: Date) => ({
  hasApiKey: keys.some(
    ({ revokedAt, expiresAt }) => !revokedAt && (!expiresAt || Date.parse(expiresAt) > now.getTime()),
  ),
  widgetOpened: firstLinkSessionAt !== null,
  requestSent: keys.some(({ lastUsedAt }) => lastUsedAt !== null),
});

/** The counts for the last hour, whatever range the page shows. */
const signInsOverLimit = async ({ db, clock }: DashboardNeeds, { id: applicationId }: Application) => {
  const period = periodOfRange('hour', clock.real());
  const [row] = await metricsBySubject(db.read, { applicationId, kind: 'sign_in_over_limit', period });
  const { total = 0, refused = 0 } = row ?? {};
  return { allowed: total - refused, refused };
};

type OverviewScope = { applicationId: string; period: ReturnType<typeof periodOfRange> };
type Row = Awaited<ReturnType<typeof metricsBySubject>>[number];

const toRequestCounts = ({ total, refused, failed }: Pick<Row, 'total' | 'refused' | 'failed'>) => ({
  requests: total,
  clientErrors: refused,
  serverErrors: failed,
});

const mostUsedFirst = (left: Row, right: Row): number => right.total - left.total;

const operationsOf = async ({ db }: DashboardNeeds, scope: OverviewScope) => {
  const rows = await metricsBySubject(db.read, { ...scope, kind: 'operation' });
  return rows.sort(mostUsedFirst).map((row) => ({
    operationId: row.subject,
    ...toRequestCounts(row),
    averageMs: row.averageMs,
    slowestMs: row.maxMs,
  }));
};

const keysOf = async ({ db }: DashboardNeeds, scope: OverviewScope, keys: ListedApiKey[]) => {
  const rows = await metricsBySubject(db.read, { ...scope, kind: 'key' });
  const names = new Map(keys.map(({ id, name }) => [id, name]));
  return rows
    .sort(mostUsedFirst)
    .slice(0, keysMax)
    .map((row) => ({
      keyId: row.subject,
      name: names.get(row.subject) ?? row.subject,
      ...toRequestCounts(row),
    }));
};

const institutionsOf = async (
  { db, registry }: DashboardNeeds,
  application: Application,
  scope: OverviewScope,
) => {
  const rows = await metricsBySubject(db.read, { ...scope, kind: 'institution' });
  // An institution that is no longer configured still has metrics.
  const nameOf = (id: string): string => registry.find(application.environment, id)?.institution.name ?? id;
  return rows
    .sort((left, right) => right.averageMs - left.averageMs)
    .slice(0, institutionsMax)
    .map((row) => ({
      institution: { id: row.subject, name: nameOf(row.subject) },
      refreshes: row.total,
      failures: row.refused + row.failed,
      averageMs: row.averageMs,
      slowestMs: row.maxMs,
    }));
};
