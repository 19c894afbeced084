// Everything that happens to a request, in order, on one screen.
import { fileURLToPath } from 'node:url';
import express, { type Express, type RequestHandler, type Response } from 'express';
import { NotFound } from '../errors.ts';
import { randomBytes } from '../random.ts';
import type { Service } from '../service.ts';
import { type ApplicationPrincipal, makeCredentials } from './api/authenticate.ts';
import { operations } from './api/operations.ts';
import { referenceRouter } from './api/reference.ts';
import { contractFile, readContract } from './contract.ts';
import { dashboardRouter } from './dashboard/dashboardRouter.ts';
import { mountContract } from './contractRouter.ts';
import { problemHandler } from './problems.ts';
import { health } from './health.ts';
import { makeRateLimit } from './rateLimit.ts';
import { type LinkSessionPrincipal, authenticateWidget } from './widget/authenticate.ts';
import { operations as widgetOperations } from './widget/operations.ts';
import { widgetPages } from './widget/page.ts';

const widgetDirectory = fileURLToPath(new URL('../../dist/widget', import.meta.url));
const dashboardDirectory = fileURLToPath(new URL('../../dist/dashboard', import.meta.url));

/** What else is served, by its path: the demo. */
export type ExtraRoutes = Record<string, RequestHandler>;

/** The whole service as an Express application. */
export const makeApp = (service: Service, mounted: ExtraRoutes = {}): Express => {
  const { config } = service;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  // A proxy on this machine may say whom it speaks for; nobody else may.
  app.set('trust proxy', 'loopback');
  app.use(setRequestId);
  app.use(logRequest(service));
  // First, because it is asked the most.
  app.use(['/connections', '/accounts'], publicHeaders);
  app.use(publicRouter(service));
  app.get('/health', health(service));
  app.use(referenceRouter({ baseUrl: config.baseUrl, contractFile: contractFile('openapi.yaml') }));
  app.use(widgetPages(service, widgetDirectory));
  for (const [path, router] of Object.entries(mounted)) app.use(path, router);
  app.use('/connect/api', express.json({ limit: config.limits.requestBodyBytesMax }), noStore);
  app.use(widgetRouter(service));
  app.use(dashboardRouter(service, dashboardDirectory));
  app.use(notFound);
  app.use(problemHandler((error, response) => logError(service, error, response)));
  return app;
};

const publicRouter = (service: Service): RequestHandler => {
  const credentials = makeCredentials(service);
  const limit = makeRateLimit(service, { name: 'api', limit: service.config.limits.apiRequestsPerMinute });
  return mountContract(
    {
      contract: readContract('openapi.yaml'),
      handlers: operations,
      security: credentials.security,
      refusal: credentials.refusal,
      authenticate: credentials.caller,
      rateLimit: (caller) => limit((caller as ApplicationPrincipal).application.id),
    },
    service,
  );
};

const widgetRouter = (service: Service): RequestHandler => {
  const limit = makeRateLimit(service, {
    name: 'linking',
    limit: service.config.limits.widgetRequestsPerMinute,
  });
  return mountContract(
    {
      contract: readContract('widget/openapi.yaml'),
      handlers: widgetOperations,
      authenticate: (request, operationId) => authenticateWidget(service, request, operationId),
      rateLimit: (caller, { ip }) =>
        limit((caller as Partial<LinkSessionPrincipal>).session?.row.id ?? ip ?? ''),
    },
    service,
  );
};

const setRequestId: RequestHandler = (_request, response, next) => {
  response.setHeader('Request-Id', randomBytes(16).toString('hex'));
  response.setHeader('X-Content-Type-Options', 'nosniff');
  next();
};

const publicApiHeaders = { 'API-Version': '2024-01-01', 'Cache-Control': 'no-store' };

// The validator wants the header to be there before it asks us; an empty token is then refused like any other.
const publicHeaders: RequestHandler = (request, response, next) => {
  response.set(publicApiHeaders);
  request.headers['x-scoped-token'] ||= 'none';
  next();
};

const noStore: RequestHandler = (_request, response, next) => {
  response.set('Cache-Control', 'no-store');
  next();
};

const notFound: RequestHandler = (_request, response) => {
  response.set(publicApiHeaders);
  throw new NotFound('page');
};

// Never the address: it may carry ids, a cursor or a filter.
const logRequest =
  ({ log, metrics }: Service): RequestHandler =>
  (request, response, next) => {
    const started = performance.now();
    response.once('close', () => {
      const { operation, caller } = response.locals;
      const milliseconds = performance.now() - started;
      recordMetrics(metrics, response, milliseconds);
      log.info(
        {
          requestId: response.get('Request-Id'),
          operation,
          method: request.method,
          application: (caller as Partial<ApplicationPrincipal> | undefined)?.application?.id,
          status: response.statusCode,
          complete: response.writableFinished,
          milliseconds: Math.round(milliseconds),
        },
        'request',
      );
    });
    next();
  };

// Only what an API key asked for: the other doors are used by the service's own pages.
const recordMetrics = (counter: Service['metrics'], response: Response, milliseconds: number): void => {
  const { operation, caller } = response.locals;
  const { application, keyId } = (caller ?? {}) as Partial<ApplicationPrincipal>;
  if (!operation || !application || !keyId) return;
  const { statusCode: status } = response;
  const outcome = status >= 500 ? 'failed' : status >= 400 ? 'refused' : 'succeeded';
  const happening = { applicationId: application.id, outcome, milliseconds } as const;
  counter.observe({ ...happening, kind: 'operation', subject: operation });
  counter.observe({ ...happening, kind: 'key', subject: keyId });
};

const logError = ({ log }: Service, err: unknown, response: Response): void => {
  log.error(
    { err, requestId: response.get('Request-Id'), operation: response.locals.operation },
    'request failed',
  );
};
