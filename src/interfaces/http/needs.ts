// Gives each router only the parts of the service that it needs: its handlers cannot reach more, either by their types or in
// memory. Nothing here opens data that is sealed to the worker.
import type { ApiKeySigner } from '../../domain/applications/apiKeys.ts';
import type { Registry } from '../../domain/institutions/registry.ts';
import type { SandboxKeyset } from '../../domain/institutions/sandbox/rowEncryption.ts';
import type { MemberDeps } from '../../domain/members/member.ts';
import type { OidcClient } from '../../domain/members/oidc.ts';
import type { MetricsRecorder, RequestLog } from '../../domain/requestLog/recorder.ts';
import type { EndpointDeps } from '../../domain/webhooks/endpoints.ts';
import type { LinkingDeps } from '../../flows/link/linkSession.ts';
import { makeReadLoads, type ReadLoads, type ReadState } from '../../operations/signals/operationalState.ts';
import type { Signals } from '../../operations/signals/prometheus.ts';
import type { YieldTurn } from '../../platform/loops/fairScheduler.ts';
import type { Config } from '../../platform/settings/config.ts';
import type { Log } from '../../platform/telemetry/log.ts';
import type { Clock } from '../../platform/values/clock.ts';
import type { PublicKey } from '../../platform/vault/keys.ts';
import type { Keyset } from '../../platform/vault/keyset.ts';
import type { RouterNeeds } from './contractRouter.ts';

type SharedNeeds = RouterNeeds & {
  config: Config;
  clock: Clock;
  db: LinkingDeps['db'];
  registry: Registry;
};

/** The first proxy seen by this process whose X-Forwarded-For is ignored. */
type IgnoredProxy = { ip?: string };

/** For the public API and SimpleFIN. */
export type ApiNeeds = SharedNeeds & {
  apiKeySigner: ApiKeySigner;
  secrets: { cursors: Keyset<Buffer> };
  yieldTurn: YieldTurn;
};

export type WidgetNeeds = SharedNeeds & { linking: LinkingDeps };

export type DashboardNeeds = SharedNeeds & {
  log: Log;
  apiKeySigner: ApiKeySigner;
  secrets: {
    identity: Keyset<Buffer>;
    sandbox: SandboxKeyset;
    signingPublicKeys: Keyset<PublicKey>;
    workerPublicKeys: Keyset<PublicKey>;
  };
  linking: LinkingDeps;
  members: MemberDeps;
  oidc: OidcClient | undefined;
  webhookEndpoints: EndpointDeps;
  readLoads: ReadLoads;
  ignoredProxy: IgnoredProxy;
};

/** For the handlers of every request. */
export type ServerNeeds = SharedNeeds & {
  log: Log;
  metrics: MetricsRecorder;
  requestLog: RequestLog;
  signals: Signals | undefined;
  readState: ReadState;
  ignoredProxy: IgnoredProxy;
};

/** The argument of `listen`; the service has all of it. */
export type HttpNeeds = ApiNeeds & WidgetNeeds & Omit<DashboardNeeds, 'readLoads'> & ServerNeeds;

/** The needs of each router. Requests wait only seconds for the database. */
export const makeNeeds = (service: HttpNeeds) => {
  const { config, clock, registry, rateLimiter, makeRequestSlot } = service;
  const db = service.db.within(config.limits.databaseRequestMs);
  const shared: SharedNeeds = { config, clock, db, registry, rateLimiter, makeRequestSlot };
  const { apiKeySigner, yieldTurn, log, oidc, metrics, requestLog, signals, readState, ignoredProxy } =
    service;
  const { cursors, identity, sandbox, signingPublicKeys, workerPublicKeys } = service.secrets;
  const linking = { ...service.linking, db };
  const api: ApiNeeds = { ...shared, apiKeySigner, secrets: { cursors }, yieldTurn };
  const widget: WidgetNeeds = { ...shared, linking };
  const dashboard: DashboardNeeds = {
    ...{ ...shared, log, apiKeySigner, linking, oidc, ignoredProxy },
    readLoads: makeReadLoads({ db, clock, limits: config.limits }),
    secrets: { identity, sandbox, signingPublicKeys, workerPublicKeys },
    members: { ...service.members, db },
    webhookEndpoints: { ...service.webhookEndpoints, db },
  };
  const server: ServerNeeds = { ...shared, log, metrics, requestLog, signals, readState, ignoredProxy };
  return { api, widget, dashboard, server };
};
