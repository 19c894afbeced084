// The demo at /demo: a page where a Sandbox operator connects a bank and reads it back. Behind it stands what
// every consumer has, a small backend that keeps the API key and the scoped tokens and asks the service through
// the published client. That is why this room, and no other of src, may import client/.
import { join } from 'node:path';
import express, {
  type NextFunction,
  type Request,
  type Response,
  Router,
  static as staticFiles,
} from 'express';
import { type ClientOptions, createClient } from '../../client/index.ts';
import { DemoError, demoErrorHandler } from './errors.ts';
import {
  addConnection,
  listConnections,
  listTransactions,
  revokeConnection,
  scopedTokenOf,
} from './connections.ts';
import { makeVisitorStore, type Visitor } from './visitors.ts';

export type DemoOptions = {
  /** The address that browsers know the service by; the page works only there. */
  baseUrl: string;
  /** Where this process reaches the service; the same where nothing is said. */
  serviceUrl?: string;
  applicationId: string;
  apiKey: string;
  fetch?: ClientOptions['fetch'];
  /** Takes what went wrong unexpectedly. */
  log?: (error: unknown) => void;
};

const pageDirectory = join(import.meta.dirname, 'page');

/** What belongs under /demo: the page, and the few questions that it asks. */
export const demoRouter = (options: DemoOptions): Router => {
  const { origin } = new URL(options.baseUrl);
  const pages = Router();
  pages.use(pageHeaders(origin));
  pages.get('/', (_request, response) => response.sendFile('demo.html', { root: pageDirectory }));
  pages.use(staticFiles(pageDirectory, { index: false, redirect: false, cacheControl: false }));
  pages.use('/api', requireSameOrigin(origin), express.json({ limit: '4kb' }), apiRouter(options));
  pages.use(demoErrorHandler(options.log ?? (() => {})));
  return pages;
};

const requireSameOrigin = (origin: string) => (request: Request, _response: Response, next: NextFunction) => {
  if (request.method !== 'GET' && request.headers.origin !== origin) {
    throw new DemoError(403, 'Only the demo page itself may ask for this.');
  }
  next();
};

const apiRouter = ({ baseUrl, serviceUrl = baseUrl, applicationId, apiKey, fetch }: DemoOptions): Router => {
  const service = createClient({ baseUrl: serviceUrl, apiKey, fetch, exactAmounts: true });
  const { visitorOf, welcome } = visitorCookies(baseUrl);
  const router = Router();
  router.get('/setup', (request, response) => {
    const { externalUserId } = welcome(request, response);
    response.json({ baseUrl, applicationId, externalUserId });
  });
  router.get('/connections', async (request, response) => {
    response.json({ connections: await listConnections(service, visitorOf(request)) });
  });
  router.post('/connections', async (request, response) => {
    await addConnection(service, visitorOf(request), request.body ?? {});
    response.status(201).json({});
  });
  router.delete('/connections/:connectionId', async (request, response) => {
    await revokeConnection(service, visitorOf(request), request.params.connectionId);
    response.json({});
  });
  // For the commands that the page shows: the token is this visitor's own, and asked for by a click.
  router.post('/connections/:connectionId/scoped-token', (request, response) => {
    response.json({ scopedToken: scopedTokenOf(visitorOf(request), request.params.connectionId) });
  });
  router.get('/connections/:connectionId/accounts/:accountId/transactions', async (request, response) => {
    const { connectionId, accountId } = request.params;
    const cursor = typeof request.query.cursor === 'string' ? request.query.cursor : undefined;
    response.json(await listTransactions(service, visitorOf(request), { connectionId, accountId, cursor }));
  });
  router.use(() => {
    throw new DemoError(404, 'The demo has no such answer.');
  });
  return router;
};

// Who is asking, by a cookie that no script can read and no other site can send.
const visitorCookies = (baseUrl: string) => {
  const { protocol, port } = new URL(baseUrl);
  const visitors = makeVisitorStore();
  // Browsers share cookies between the ports of one host, and services must not share visitors.
  const cookieName = `demo_visitor_${port}`;
  const cookieForm = new RegExp(`(?:^|;\\s*)${cookieName}=([\\w-]+)`);
  const find = (request: Request) => visitors.find(cookieForm.exec(request.headers.cookie ?? '')?.[1]);
  return {
    visitorOf: (request: Request): Visitor => {
      const visitor = find(request);
      if (visitor) return visitor;
      throw new DemoError(404, 'This page is no longer known here. Reload it and connect again.');
    },
    welcome: (request: Request, response: Response): Visitor => {
      const known = find(request);
      if (known) return known;
      const { id, visitor } = visitors.add();
      const secure = protocol === 'https:';
      response.cookie(cookieName, id, { httpOnly: true, sameSite: 'strict', secure, path: '/demo' });
      return visitor;
    },
  };
};

// The page runs no script but its own and the widget's, and sends nothing anywhere else.
const pageHeaders = (origin: string) => {
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${origin}`,
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    `frame-src ${origin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  return (_request: Request, response: Response, next: NextFunction) => {
    response.set({
      'Content-Security-Policy': policy,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'same-origin',
      'Cache-Control': 'no-store',
    });
    next();
  };
};
