// Reports to supervisors and load balancers whether this process runs and can respond, and warnings to operators. It reveals
// nothing about the stored data.
import { type RequestHandler, Router } from 'express';
import { type Warning, warningsOf } from '../../operations/signals/operationalState.ts';
import type { ServerNeeds } from './needs.ts';
import { unavailable } from './problems.ts';

/** Less than the timeouts of supervisors and load balancers. */
const readyMs = 1000;

/**
 * `/health/live` checks nothing else, `/health/ready` checks that the database responds, and `/health` adds warnings for
 * operators. Without a service, the process is starting.
 */
export const health = (service?: ServerNeeds): Router => {
  const router = Router();
  router.use(['/health'], (_request, response, next) => {
    response.set('Cache-Control', 'no-store');
    next();
  });
  router.get('/health/live', (_request, response) => {
    response.json({ status: 'ok' });
  });
  router.get('/health/ready', whenReady(service));
  router.get('/health', whenReady(service, readWarnings));
  return router;
};

const whenReady =
  (service: ServerNeeds | undefined, readMore?: (service: ServerNeeds) => Promise<object>): RequestHandler =>
  async ({ app }, response) => {
    const refuse = (status: 'starting' | 'stopping' | 'unavailable') =>
      response.status(unavailable.status).set(unavailable.headers).json({ status });
    if (!service) return refuse('starting');
    if (app.locals.isStopping) return refuse('stopping');
    try {
      await service.db.within(readyMs).read.raw('select 1');
      response.json({ status: 'ok', ...(await readMore?.(service)) });
    } catch {
      refuse('unavailable');
    }
  };

/** A lock or a stopped node of a cluster can prevent reading the state, although the users on other nodes are served. */
const readWarnings = async ({ readState }: ServerNeeds): Promise<{ warnings: Warning[] }> => ({
  warnings: await readState().then(warningsOf, () => ['state_unknown'] as const),
});
