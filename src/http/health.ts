// Whether this process runs and can answer, for supervisors and load balancers; and in words, what operators should look at. It
// reveals nothing about the stored data.
import { type RequestHandler, Router } from 'express';
import type { Service } from '../service.ts';
import { type Warning, warningsOf } from '../signals/operationalState.ts';

/** Less than what supervisors wait for. */
const readyMs = 1000;

/** `/health/live` asks nobody; `/health/ready`, and `/health`, ask the database. */
export const health = (service: Service): Router => {
  const router = Router();
  router.use(['/health'], (_request, response, next) => {
    response.set('Cache-Control', 'no-store');
    next();
  });
  router.get('/health/live', (_request, response) => {
    response.json({ status: 'ok' });
  });
  router.get(['/health', '/health/ready'], ready(service));
  return router;
};

const ready =
  ({ db, readState }: Service): RequestHandler =>
  async ({ app }, response) => {
    if (app.locals.isStopping) {
      response.status(503).json({ status: 'stopping' });
      return;
    }
    try {
      const ask = () => Promise.all([readWarnings(readState), db.read.raw('select 1')]);
      const [warnings] = await db.withMaxWait(readyMs, ask);
      response.json({ status: 'ok', warnings });
    } catch {
      response.status(503).set('Retry-After', '5').json({ status: 'unavailable' });
    }
  };

// On a cluster, a node that is down keeps the work of all nodes from being counted, and only its own users from being served.
const readWarnings = (readState: Service['readState']): Promise<Warning[]> =>
  readState().then(warningsOf, () => ['unknown']);
