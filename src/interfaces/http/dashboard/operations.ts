// Everything under /dashboard: the management API (operationId -> handler; the compiler checks that none is missing), its page, and the
// callback of the OpenID provider.
import { Router } from 'express';
import type { operations as Contract } from '../../../../generated/management.ts';
import { NotFound } from '../../../platform/values/errors.ts';
import { toIpKey } from '../../../platform/values/ipKey.ts';
import { readContract } from '../contract.ts';
import { mountContract } from '../contractRouter.ts';
import type { Handlers } from '../handler.ts';
import { makeRateLimit } from '../limits.ts';
import type { DashboardNeeds } from '../needs.ts';
import * as account from './account.ts';
import * as applications from './applications.ts';
import { type AnonymousPrincipal, authenticateDashboard, type PrincipalByOperation } from './authenticate.ts';
import * as connections from './connections.ts';
import * as lists from './lists.ts';
import * as organizations from './organizations.ts';
import * as organizationTokens from './organizationTokens.ts';
import * as overview from './overview.ts';
import { dashboardPage, oidcCallback } from './page.ts';
import * as sandbox from './sandbox.ts';
import * as search from './search.ts';
import * as webhooks from './webhooks.ts';

export const operations = {
  ...account,
  ...organizations,
  ...organizationTokens,
  ...applications,
  ...connections,
  ...overview,
  ...search,
  ...webhooks,
  ...sandbox,
  ...lists,
} satisfies Handlers<Contract, PrincipalByOperation, DashboardNeeds>;

/** `directory` contains the built page. */
export const dashboardRouter = (service: DashboardNeeds, directory: string): Router => {
  const router = Router();
  // Its contract is the longest: reading it on the first request makes startup faster.
  let api: Router | undefined;
  router.use((request, response, next) => {
    if (!request.path.startsWith('/management/')) return next();
    api ??= dashboardApi(service);
    return api(request, response, (error?: unknown) => next(error ?? new NotFound('page')));
  });
  router.use(oidcCallback(service));
  router.use(dashboardPage(directory));
  return router;
};

const dashboardApi = (service: DashboardNeeds): Router => {
  const limit = makeRateLimit(service, 'dashboard', service.config.limits.dashboardRequestsPerMinute);
  const contract = readContract('management/openapi.yaml');
  return mountContract(service, {
    contract,
    handlers: operations,
    headers: { 'API-Version': contract.info.version },
    authenticate: (request) => authenticateDashboard(service, request),
    rateLimit: (principal, { ip }) => {
      const { tokenId, signedIn } = principal as AnonymousPrincipal & { tokenId?: string };
      return limit(tokenId ?? signedIn?.session.id ?? toIpKey(ip));
    },
  });
};
