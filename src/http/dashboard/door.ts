// Door 3: the dashboard's interface, its page, and the way back from an OpenID provider.
import express, { type RequestHandler } from 'express';
import type { Service } from '../../service.ts';
import { readContract } from '../contract.ts';
import { openDoor } from '../door.ts';
import { makeLimit } from '../limits.ts';
import { dashboardCaller, type Visitor } from './credentials.ts';
import { openIdCallback } from './openIdCallback.ts';
import { operations } from './operations.ts';
import { dashboardPage } from './page.ts';

/** Everything under /dashboard; `directory` is where its page was built. */
export const dashboard = (service: Service, directory: string): RequestHandler[] => {
  const { limits } = service.config;
  const limit = makeLimit(service, { name: 'dashboard', limit: limits.dashboardRequestsPerMinute });
  const open = () =>
    openDoor(
      {
        contract: readContract('dashboard/openapi.yaml'),
        handlers: operations,
        caller: (request, operationId) => dashboardCaller(service, request, operationId),
        limit: (caller, { ip }) => limit((caller as Visitor).signedIn?.session.id ?? ip ?? ''),
      },
      service,
    );
  return [
    onlyBelow('/dashboard/api', noStore),
    onlyBelow('/dashboard/api', express.json({ limit: limits.requestBodyBytesMax })),
    uploadIsRead,
    onlyBelow('/dashboard/api', whenAsked(open)),
    openIdCallback(service),
    dashboardPage(directory),
  ];
};

// Its contract is the longest: a process starts sooner without it, and many are never asked for a dashboard.
const whenAsked = (open: () => RequestHandler): RequestHandler => {
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
const uploadIsRead: RequestHandler = (request, _response, next) => {
  if (request.is('application/octet-stream') && request.path.startsWith('/dashboard/api/')) {
    request.body = 'read as it arrives';
  }
  next();
};
