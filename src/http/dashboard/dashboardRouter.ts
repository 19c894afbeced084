// Everything under /dashboard: its private API, its page, and the callback of the OpenID provider.
import { Router } from 'express';
import { toAddressKey } from '../../addressKey.ts';
import { NotFound } from '../../errors.ts';
import type { Service } from '../../service.ts';
import { readContract } from '../contract.ts';
import { mountContract } from '../contractRouter.ts';
import { makeRateLimit } from '../rateLimit.ts';
import { type AnonymousPrincipal, authenticateDashboard } from './authenticate.ts';
import { oidcCallback } from './oidcCallback.ts';
import { operations } from './operations.ts';
import { dashboardPage } from './page.ts';

/** `directory` is where the page was built. */
export const dashboardRouter = (service: Service, directory: string): Router => {
  const router = Router();
  // Its contract is the longest: a process starts sooner if it reads it with the first request.
  let api: Router | undefined;
  router.use((request, response, next) => {
    if (!request.path.startsWith('/dashboard/api/')) return next();
    api ??= dashboardApi(service);
    return api(request, response, (error?: unknown) => next(error ?? new NotFound('page')));
  });
  router.use(oidcCallback(service));
  router.use(dashboardPage(directory));
  return router;
};

const dashboardApi = (service: Service): Router => {
  const limit = makeRateLimit(service, {
    name: 'dashboard',
    limit: service.config.limits.dashboardRequestsPerMinute,
  });
  return mountContract(
    {
      contract: readContract('dashboard/openapi.yaml'),
      handlers: operations,
      headers: { 'Cache-Control': 'no-store' },
      authenticate: (request) => authenticateDashboard(service, request),
      rateLimit: (principal, { ip }) =>
        limit((principal as AnonymousPrincipal).signedIn?.session.id ?? toAddressKey(ip)),
    },
    service,
  );
};
