// The dashboard's page: one document for every path under /dashboard. It loads nothing from other hosts and cannot be framed.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { OidcSignInRefused } from '../../../domain/members/oidc.ts';
import { OperatorError } from '../../../platform/values/errors.ts';
import type { DashboardNeeds } from '../needs.ts';
import { pageHeaders, staticDocument, staticFiles } from '../pages.ts';
import { makeCookieContext, readCookie } from './cookieContext.ts';

/** Serves `directory`, which `npm run build` fills. Throws OperatorError if it was not built. */
export const dashboardPage = (directory: string): Router => {
  const router = Router();
  const file = join(directory, 'index.html');
  if (!existsSync(file)) throw new OperatorError('The dashboard was not built: run "npm run build" first.');
  router.use('/dashboard/assets', staticFiles(join(directory, 'assets'), { immutable: true, maxAge: '1y' }));
  router.use('/dashboard/assets', (_request, _response, next) => next('router'));
  const icons = staticFiles(directory, { maxAge: '5m' });
  router.use('/dashboard', (request, response, next) =>
    /^\/[\w-]+\.(svg|png|ico|webmanifest)$/.test(request.path) ? icons(request, response, next) : next(),
  );
  router.get(
    ['/dashboard', '/dashboard/{*path}'],
    pageHeaders({
      referrerPolicy: 'same-origin',
      directives: {
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        // Menus and charts are positioned with style attributes; style elements are not allowed.
        styleSrcAttr: ["'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        // The preview of the widget.
        frameSrc: ["'self'"],
      },
    }),
    staticDocument('text/html', () => readFileSync(file, 'utf8')),
  );
  return router;
};

/**
 * The callback of the OpenID provider: signs the member in and redirects to the dashboard. Browsers open it, so it is not part of the
 * contract. An empty router if no provider is configured.
 */
export const oidcCallback = (service: DashboardNeeds): RequestHandler => {
  const router = Router();
  const { oidc, members, log } = service;
  if (!oidc) return router;
  router.get('/dashboard/oidc/callback', async (request: Request, response: Response) => {
    // The URL contains the authorization code, so it is neither cached nor sent as a referrer.
    response.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' });
    const cookies = makeCookieContext(service, request);
    const flowId = readCookie(service, request, 'oidcFlow');
    cookies.clearOidcFlow();
    try {
      const url = new URL(request.originalUrl, 'http://callback.invalid');
      cookies.setSession(await oidc.finish(members, { url, flowId, clientInfo: cookies.clientInfo }));
      response.redirect(303, '/dashboard');
    } catch (error) {
      if (!(error instanceof OidcSignInRefused)) throw error;
      log.info({ problem: error.problem, err: error.cause }, 'OpenID sign-in refused');
      response.redirect(303, `/dashboard/sign-in?error=${error.problem}`);
    }
  });
  return router;
};
