// Whether this process can answer: for load balancers and people. It reveals nothing about the stored data.
import type { RequestHandler } from 'express';
import type { Service } from '../service.ts';

export const health =
  ({ db }: Service): RequestHandler =>
  async (_request, response) => {
    response.set('Cache-Control', 'no-store');
    try {
      await db.read.raw('select 1');
      response.json({ status: 'ok' });
    } catch {
      response.status(503).set('Retry-After', '5').json({ status: 'unavailable' });
    }
  };
