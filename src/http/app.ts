// Everything that happens to a request, in order, on one screen.
import { fileURLToPath } from 'node:url';
import express, { type Express, type RequestHandler, type Response } from 'express';
import { NotFound } from '../errors.ts';
import { randomBytes } from '../random.ts';
import type { Service } from '../service.ts';
import { type ApplicationCaller, makeCredentials } from './api/credentials.ts';
import { operations } from './api/operations.ts';
import { referenceRouter } from './api/reference.ts';
import { contractFile, readContract } from './contract.ts';
import { dashboard } from './dashboard/door.ts';
import { openDoor } from './door.ts';
import { answerFailure } from './failures.ts';
import { health } from './health.ts';
import { makeLimit } from './limits.ts';
import { type SessionCaller, sessionCaller } from './widget/credentials.ts';
import { operations as widgetOperations } from './widget/operations.ts';
import { widgetPages } from './widget/page.ts';

const widgetDirectory = fileURLToPath(new URL('../../dist/widget', import.meta.url));
const dashboardDirectory = fileURLToPath(new URL('../../dist/dashboard', import.meta.url));

/** What else is served, by its path: the demo. */
export type Mounted = Record<string, RequestHandler>;

/** The whole service as an Express application. */
export const makeApp = (service: Service, mounted: Mounted = {}): Express => {
  const { config } = service;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  // A proxy on this machine may say whom it speaks for; nobody else may.
  app.set('trust proxy', 'loopback');
  app.use(nameRequest);
  app.use(logRequest(service));
  // First, because it is asked the most.
  app.use(['/connections', '/accounts'], publicHeaders);
  app.use(publicDoor(service));
  app.get('/health', health(service));
  app.use(referenceRouter({ baseUrl: config.baseUrl, contractFile: contractFile('openapi.yaml') }));
  app.use(widgetPages(service, widgetDirectory));
  for (const [path, router] of Object.entries(mounted)) app.use(path, router);
  app.use('/connect/api', express.json({ limit: config.limits.requestBodyBytesMax }), noStore);
  app.use(widgetDoor(service));
  app.use(dashboard(service, dashboardDirectory));
  app.use(nothingHere);
  app.use(answerFailure((error, response) => report(service, error, response)));
  return app;
};

const publicDoor = (service: Service): RequestHandler => {
  const credentials = makeCredentials(service);
  const limit = makeLimit(service, { name: 'api', limit: service.config.limits.apiRequestsPerMinute });
  return openDoor(
    {
      contract: readContract('openapi.yaml'),
      handlers: operations,
      security: credentials.security,
      refusal: credentials.refusal,
      caller: credentials.caller,
      limit: (caller) => limit((caller as ApplicationCaller).application.id),
    },
    service,
  );
};

const widgetDoor = (service: Service): RequestHandler => {
  const limit = makeLimit(service, {
    name: 'linking',
    limit: service.config.limits.widgetRequestsPerMinute,
  });
  return openDoor(
    {
      contract: readContract('widget/openapi.yaml'),
      handlers: widgetOperations,
      caller: (request, operationId) => sessionCaller(service, request, operationId),
      limit: (caller, { ip }) => limit((caller as Partial<SessionCaller>).session?.row.id ?? ip ?? ''),
    },
    service,
  );
};

const nameRequest: RequestHandler = (_request, response, next) => {
  response.setHeader('Request-Id', randomBytes(16).toString('hex'));
  response.setHeader('X-Content-Type-Options', 'nosniff');
  next();
};

const publicAnswer = { 'API-Version': '2024-01-01', 'Cache-Control': 'no-store' };

// The validator wants the header to be there before it asks us; an empty token is then refused like any other.
const publicHeaders: RequestHandler = (request, response, next) => {
  response.set(publicAnswer);
  request.headers['x-scoped-token'] ||= 'none';
  next();
};

const noStore: RequestHandler = (_request, response, next) => {
  response.set('Cache-Control', 'no-store');
  next();
};

const nothingHere: RequestHandler = (_request, response) => {
  response.set(publicAnswer);
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
      count(metrics, response, milliseconds);
      log.info(
        {
          requestId: response.get('Request-Id'),
          operation,
          method: request.method,
          application: (caller as Partial<ApplicationCaller> | undefined)?.application?.id,
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
const count = (counter: Service['metrics'], response: Response, milliseconds: number): void => {
  const { operation, caller } = response.locals;
  const { application, keyId } = (caller ?? {}) as Partial<ApplicationCaller>;
  if (!operation || !application || !keyId) return;
  const { statusCode: status } = response;
  const outcome = status >= 500 ? 'failed' : status >= 400 ? 'refused' : 'succeeded';
  const happening = { applicationId: application.id, outcome, milliseconds } as const;
  counter.observe({ ...happening, kind: 'operation', subject: operation });
  counter.observe({ ...happening, kind: 'key', subject: keyId });
};

const report = ({ log }: Service, err: unknown, response: Response): void => {
  log.error(
    { err, requestId: response.get('Request-Id'), operation: response.locals.operation },
    'request failed',
  );
};
