// Door 3: the dashboard's interface, its page, and the way back from an OpenID provider.
import express, { type RequestHandler } from 'express';
import type { Service } from '../../service.ts';
import { readContract } from '../contract.ts';
import { mountContract } from '../contractRouter.ts';
import { makeRateLimit } from '../rateLimit.ts';
import { type AnonymousPrincipal, authenticateDashboard } from './authenticate.ts';
import { oidcCallback } from './oidcCallback.ts';
import { operations } from './operations.ts';
import { dashboardPage } from './page.ts';

/** Everything under /dashboard; `directory` is where its page was built. */
export const dashboardRouter = (service: Service, directory: string): RequestHandler[] => {
  const { limits } = service.config;
  const limit = makeRateLimit(service, { name: 'dashboard', limit: limits.dashboardRequestsPerMinute });
  const open = () =>
    mountContract(
      {
        contract: readContract('dashboard/openapi.yaml'),
        handlers: operations,
        authenticate: (request, operationId) => authenticateDashboard(service, request, operationId),
        rateLimit: (caller, { ip }) => limit((caller as AnonymousPrincipal).signedIn?.session.id ?? ip ?? ''),
      },
      service,
    );
  return [
    onlyBelow('/dashboard/api', noStore),
    onlyBelow('/dashboard/api', express.json({ limit: limits.requestBodyBytesMax })),
    markUploadBody,
    onlyBelow('/dashboard/api', lazily(open)),
    oidcCallback(service),
    dashboardPage(directory),
  ];
};

// Its contract is the longest: a process starts sooner without it, and many are never asked for a dashboard.
const lazily = (open: () => RequestHandler): RequestHandler => {
  let opened: RequestHandler | undefined;
  return (request, response, next) => {
    opened ??= open();
    return opened(request, response, next);
  };
};

const onlyBelow =
  (path: string, handler: RequestHandler): RequestHandler =>
  (request, response, next) =>
    request.path.startsWith(`${path}/`) ? handler(request, response, next) : next();

const noStore: RequestHandler = (_request, response, next) => {
  response.set('Cache-Control', 'no-store');
  next();
};

// The validator looks for a body; an upload is read by its handler, as it arrives.
const markUploadBody: RequestHandler = (request, _response, next) => {
  if (request.is('application/octet-stream') && request.path.startsWith('/dashboard/api/')) {
    request.body = 'read as it arrives';
  }
  next();
};
