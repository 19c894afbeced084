// The demo at /demo: a page that connects a bank and reads it, and its backend. As in every consumer, the backend has the API
// key and the scoped tokens and uses the published client. No other folder of src may import client/.
import { join } from 'node:path';
import express, {
  type NextFunction,
  type Request,
  type Response,
  Router,
  static as staticFiles,
} from 'express';
import type { ClientOptions } from '../../../client/index.ts';
import {
  addConnection,
  createSetupToken,
  listConnections,
  listTransactions,
  revokeConnection,
  scopedTokenOf,
} from './connections.ts';
import { DemoError, demoErrorHandler } from './errors.ts';
import { readExamples } from './examples.ts';
import type { DemoInside } from './inside.ts';
import { type Exchange, makeNotingClient } from './requests.ts';
import { type DemoSession, makeSessionStore, noteRequest } from './sessions.ts';

export type DemoOptions = {
  /** The service's public address; the page works only there. */
  baseUrl: string;
  /** The URL of the service for this process, by default `baseUrl`. */
  serviceUrl?: string;
  applicationId: string;
  apiKey: string;
  inside: DemoInside;
  fetch?: ClientOptions['fetch'];
  /** Called with unexpected errors. */
  log?: (error: unknown) => void;
};

const pageDirectory = join(import.meta.dirname, 'page');

/** The router for /demo: the page and its API. */
export const demoRouter = (options: DemoOptions): Router => {
  const { origin } = new URL(options.baseUrl);
  const router = Router();
  router.use(pageHeaders(origin));
  router.get('/', (_request, response) => response.sendFile('demo.html', { root: pageDirectory }));
  router.use(staticFiles(pageDirectory, { index: false, redirect: false, cacheControl: false }));
  router.use('/api', requireSameOrigin(origin), express.json({ limit: '4kb' }), apiRouter(options));
  router.use(demoErrorHandler(options.log ?? (() => {})));
  return router;
};

const requireSameOrigin = (origin: string) => (request: Request, _response: Response, next: NextFunction) => {
  if (request.method !== 'GET' && request.headers.origin !== origin) {
    throw new DemoError(403, `The demo must be opened at ${origin}/demo.`);
  }
  next();
};

const apiRouter = (options: DemoOptions): Router => {
  const { baseUrl, serviceUrl = baseUrl, applicationId, apiKey, inside, fetch } = options;
  const makeClient = makeNotingClient({ baseUrl: serviceUrl, apiKey, fetch });
  const clientOf = (session: DemoSession, note = (_: Exchange): void => {}) =>
    makeClient((exchange) => {
      noteRequest(session, exchange);
      note(exchange);
    });
  const { requireSession, findOrCreateSession } = sessionCookies(baseUrl);
  const router = Router();
  router.get('/setup', async (request, response) => {
    const { externalUserId } = findOrCreateSession(request, response);
    // Collects webhooks from now on, so that the page shows those of its connections.
    await inside.readEvents();
    const examples = await readExamples({ baseUrl, applicationId });
    response.json({ baseUrl, applicationId, externalUserId, examples });
  });
  router.get('/connections', async (request, response) => {
    const session = requireSession(request);
    response.json({ connections: await listConnections(clientOf(session), session, inside) });
  });
  router.post('/connections', async (request, response) => {
    const session = requireSession(request);
    await addConnection(clientOf(session), session, request.body ?? {});
    response.status(201).json({});
  });
  router.delete('/connections/:connectionId', async (request, response) => {
    const session = requireSession(request);
    await revokeConnection(clientOf(session), session, request.params.connectionId);
    response.json({});
  });
  router.post('/connections/:connectionId/setup-token', async (request, response) => {
    const session = requireSession(request);
    response.json(await createSetupToken(clientOf(session), session, request.params.connectionId));
  });
  router.post('/connections/:connectionId/ask-again', async (request, response) => {
    const { connectionId } = request.params;
    scopedTokenOf(requireSession(request), connectionId);
    await inside.makeBankAskAgain(connectionId);
    response.json({});
  });
  router.get('/connections/:connectionId/accounts/:accountId/transactions', async (request, response) => {
    const session = requireSession(request);
    const { cursor, token } = request.query;
    const page = { ...request.params, cursor: typeof cursor === 'string' ? cursor : undefined };
    const clientWith = (note: (exchange: Exchange) => void) => clientOf(session, note);
    response.json(await listTransactions(clientWith, session, page, token !== 'none'));
  });
  router.get('/connections/:connectionId/accounts/:accountId/stored', async (request, response) => {
    scopedTokenOf(requireSession(request), request.params.connectionId);
    response.json({ tables: await inside.readStoredRows(request.params) });
  });
  router.get('/feed', async (request, response) => {
    const { connections, requests } = requireSession(request);
    const events = await inside.readEvents();
    const webhooks = events.filter(({ data }) => connections.has(data.connectionId ?? ''));
    response.json({ requests, webhooks });
  });
  router.use(() => {
    throw new DemoError(404, 'This resource does not exist in the demo.');
  });
  return router;
};

// The cookie is httpOnly and sameSite: scripts cannot read it and other sites cannot send it.
const sessionCookies = (baseUrl: string) => {
  const { protocol, port } = new URL(baseUrl);
  const sessions = makeSessionStore();
  // Browsers share cookies between the ports of a host, and two services must not share sessions.
  const cookieName = `demo_session_${port}`;
  const cookiePattern = new RegExp(`(?:^|;\\s*)${cookieName}=([\\w-]+)`);
  const find = (request: Request) => sessions.find(cookiePattern.exec(request.headers.cookie ?? '')?.[1]);
  return {
    requireSession: (request: Request): DemoSession => {
      const session = find(request);
      if (session) return session;
      throw new DemoError(410, 'This page’s session has expired. Reload the page and connect again.');
    },
    findOrCreateSession: (request: Request, response: Response): DemoSession => {
      const existing = find(request);
      if (existing) return existing;
      const { id, session } = sessions.create();
      const secure = protocol === 'https:';
      response.cookie(cookieName, id, { httpOnly: true, sameSite: 'strict', secure, path: '/demo' });
      return session;
    },
  };
};

// The page may run its own scripts and the widget's, and send requests only to itself.
const pageHeaders = (origin: string) => {
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${origin}`,
    "style-src 'self'",
    "font-src 'self'",
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
