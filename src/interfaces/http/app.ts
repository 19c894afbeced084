// The whole service as an Express application: all request handlers, in order.

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import express, { type Express, type RequestHandler, type Response } from 'express';
import { strictTransportSecurity } from 'helmet';
import { pause } from '../../platform/loops/loop.ts';
import type { Log } from '../../platform/telemetry/log.ts';
import { noteErrorClass, traceRequest } from '../../platform/telemetry/tracing.ts';
import { seconds } from '../../platform/values/clock.ts';
import { Busy, NotFound } from '../../platform/values/errors.ts';
import { toIpKey } from '../../platform/values/ipKey.ts';
import { type ApplicationPrincipal, authenticateApi } from './api/authenticate.ts';
import { operations } from './api/operations.ts';
import { referenceRouter } from './api/reference.ts';
import { findOperations, readContract } from './contract.ts';
import { mountContract } from './contractRouter.ts';
import { dashboardRouter } from './dashboard/operations.ts';
import { health } from './health.ts';
import { makeRateLimit, type RateLimitHeaders } from './limits.ts';
import { serveLogo } from './logos.ts';
import { type ApiNeeds, type HttpNeeds, makeNeeds, type ServerNeeds, type WidgetNeeds } from './needs.ts';
import { homePage, missingPage } from './pages.ts';
import { type LoggedProblem, MalformedRequest, problemHandler } from './problems.ts';
import { sandboxBankPage } from './sandboxBank/sandboxBank.ts';
import {
  authenticateSimplefin,
  type SimplefinAccessPrincipal,
  operations as simplefinOperations,
} from './simplefin/operations.ts';
import {
  authenticateWidget,
  type LinkSessionPrincipal,
  operations as widgetOperations,
} from './widget/operations.ts';
import { widgetPages } from './widget/page.ts';

const dist = join(import.meta.dirname, '../../../dist');

/** Additional handlers by path: the demo. */
export type ExtraRoutes = Record<string, RequestHandler>;

export const makeApp = (service: HttpNeeds, extraRoutes: ExtraRoutes = {}): Express => {
  const { api, widget, dashboard, server } = makeNeeds(service);
  const { baseUrl, trustedProxies } = server.config;
  const app = makeEmptyApp(baseUrl);
  app.set('trust proxy', trustedProxies);
  app.use(logRequest(server));
  app.use(requireHost);
  app.use(watchForwarding(server));
  const limitApplication = makeApplicationLimit(api);
  // First, because it gets the most requests.
  app.use(publicApi(api, limitApplication));
  app.use(health(server));
  app.get('/logos/:hash', serveLogo(server));
  app.use(homePage({ hasDemo: '/demo' in extraRoutes }));
  app.use(referenceRouter({ baseUrl, directory: join(dist, 'reference') }));
  app.use(simplefinServer(api, limitApplication));
  app.use(widgetApi(widget));
  app.use(widgetPages(widget, join(dist, 'widget')));
  app.use(sandboxBankPage({ baseUrl }));
  for (const [path, handler] of Object.entries(extraRoutes)) app.use(path, handler);
  app.use(dashboardRouter(dashboard, join(dist, 'dashboard')));
  app.use(missingPage);
  app.use(notFound);
  app.use(noteErrorClass);
  app.use(problemHandler(baseUrl, server.log));
  return app;
};

/** Responds with 503, except at `/health/live`, until the service is ready. */
export const makeStartingApp = (baseUrl: string, log: Log): Express => {
  const app = makeEmptyApp(baseUrl);
  app.use(health());
  app.use(() => {
    throw new Busy();
  });
  app.use(problemHandler(baseUrl, log));
  return app;
};

const makeEmptyApp = (baseUrl: string): Express => {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(traceRequest);
  app.use(setRequestId);
  if (baseUrl.startsWith('https:')) app.use(strictTransportSecurity({ maxAge: strictTransportSeconds }));
  return app;
};

export const strictTransportSeconds = 365 * 24 * 3600;

const publicApiHeaders = { 'API-Version': '2024-01-01', 'Cache-Control': 'no-store' };

type ApplicationLimit = (principal: ApplicationPrincipal) => RateLimitHeaders;

const makeApplicationLimit = (service: ApiNeeds): ApplicationLimit => {
  const { apiRequestsPerMinute: max } = service.config.limits;
  const limit = makeRateLimit(service, 'api', max);
  return ({ application }) => limit(application.id, Math.min(application.requestsPerMinute ?? max, max));
};

const publicApi = (service: ApiNeeds, limitApplication: ApplicationLimit): RequestHandler =>
  mountContract(service, {
    contract: readContract('openapi.yaml'),
    handlers: operations,
    headers: publicApiHeaders,
    authenticate: (request) => authenticateApi(service, request),
    rateLimit: (principal) => limitApplication(principal as ApplicationPrincipal),
  });

/** Backends share the limit of the public API, each access has its own, and other requests have one per address. */
const simplefinServer = (service: ApiNeeds, limitApplication: ApplicationLimit): RequestHandler => {
  const { simplefinReadsPerDay, widgetRequestsPerMinute } = service.config.limits;
  const limitReads = makeRateLimit(service, 'simplefin reads', simplefinReadsPerDay, 24 * 60);
  const limitIp = makeRateLimit(service, 'simplefin', widgetRequestsPerMinute);
  return mountContract(service, {
    contract: readContract('src/interfaces/http/simplefin/openapi.yaml'),
    handlers: simplefinOperations,
    authenticate: (request) => authenticateSimplefin(service, request),
    rateLimit: (principal, { ip }) => {
      if ('opened' in principal) return limitReads((principal as SimplefinAccessPrincipal).opened.row.id);
      if ('application' in principal) return limitApplication(principal as ApplicationPrincipal);
      return limitIp(toIpKey(ip));
    },
  });
};

const widgetApi = (service: WidgetNeeds): RequestHandler => {
  const { limits } = service.config;
  void pause(seconds(limits.afterStartSeconds)).then(() => {
    // Builds the indexes before the first search.
    for (const environment of ['sandbox', 'production'] as const)
      void service.registry.search(environment, {});
  });
  const limit = makeRateLimit(service, 'widget', limits.widgetRequestsPerMinute);
  return mountContract(service, {
    contract: readContract('widget/openapi.yaml'),
    handlers: widgetOperations,
    authenticate: (request) => authenticateWidget(service, request),
    rateLimit: (principal, { ip }) =>
      limit((principal as Partial<LinkSessionPrincipal>).session?.row.id ?? toIpKey(ip)),
  });
};

const setRequestId: RequestHandler = (_request, response, next) => {
  response.setHeader('Request-Id', newRequestId());
  response.setHeader('X-Content-Type-Options', 'nosniff');
  next();
};

// Node.js generates the random bytes of many UUIDs at once.
export const newRequestId = (): string => randomUUID().replaceAll('-', '');

// RFC 9112, section 3.2. Node.js itself would refuse the request, but without a problem document.
const requireHost: RequestHandler = (request, _response, next) => {
  if (request.headers.host === undefined && request.httpVersion === '1.1') throw new MalformedRequest();
  next();
};

const notFound: RequestHandler = (_request, response) => {
  response.set(publicApiHeaders);
  throw new NotFound('page');
};

// Never logs the path: it may contain ids, a cursor or a filter.
const logRequest =
  (service: ServerNeeds): RequestHandler =>
  (request, response, next) => {
    const started = performance.now();
    response.once('close', () => {
      const { operation, principal } = response.locals;
      const milliseconds = performance.now() - started;
      recordRequest(service, response, milliseconds);
      service.signals?.request({ operation, status: response.statusCode, milliseconds });
      service.log.info(
        {
          requestId: response.get('Request-Id'),
          operation,
          method: request.method,
          application: (principal as Partial<ApplicationPrincipal> | undefined)?.application?.id,
          token: (principal as { tokenId?: string } | undefined)?.tokenId,
          status: response.statusCode,
          complete: response.writableFinished,
          milliseconds: Math.round(milliseconds),
        },
        'request',
      );
    });
    next();
  };

// Records only requests with an API key, because the log is for an application's backends.
const recordRequest = (
  { metrics, requestLog }: ServerNeeds,
  response: Response,
  milliseconds: number,
): void => {
  const { operation, principal, problem } = response.locals;
  const { application, keyId } = (principal ?? {}) as Partial<ApplicationPrincipal>;
  if (!operation || !application || !keyId) return;
  const { statusCode: status } = response;
  const outcome = status >= 500 ? 'failed' : status >= 400 ? 'refused' : 'succeeded';
  const sample = { applicationId: application.id, outcome, milliseconds } as const;
  metrics.observe({ ...sample, kind: 'operation', subject: operation });
  metrics.observe({ ...sample, kind: 'key', subject: keyId });
  const { code, parameters } = (problem ?? {}) as Partial<LoggedProblem>;
  requestLog.record({
    ...{ ...sample, keyId, operation, status, code },
    requestId: response.get('Request-Id')!,
    // A name that is not in the contract could be any text.
    parameters: parameters?.map((name) => (knownParameters.has(name) ? name : 'unknown')),
  });
};

const knownParameters = new Set(
  ['openapi.yaml', 'src/interfaces/http/simplefin/openapi.yaml']
    .flatMap((name) => findOperations(readContract(name)))
    .flatMap(({ queryParameters }) => queryParameters.map(({ name }) => name)),
);

/**
 * Detects a proxy whose X-Forwarded-For is ignored because TRUSTED_PROXIES does not list it: limits by client address count all
 * its clients as one. Logs a warning on the first such request, and keeps the address of the proxy for the dashboard.
 */
const watchForwarding = ({ config, ignoredProxy, log }: ServerNeeds): RequestHandler => {
  // An empty list means that the operator trusts no proxy.
  const isWatching = config.trustedProxies.length > 0;
  return (request, _response, next) => {
    const { ips, headers, socket } = request;
    if (isWatching && !ignoredProxy.ip && headers['x-forwarded-for'] && ips.length === 0) {
      ignoredProxy.ip = socket.remoteAddress;
      log.warn({ peer: ignoredProxy.ip, setting: 'TRUSTED_PROXIES' }, 'X-Forwarded-For ignored');
    }
    next();
  };
};
