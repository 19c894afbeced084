// The callback of the OpenID provider: signs the member in and redirects to the dashboard. Browsers open it, so it is not
// part of the contract.
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { OidcSignInRefused } from '../../members/oidc.ts';
import type { Service } from '../../service.ts';
import { makeCookieContext, readCookie } from './cookieContext.ts';

/** An empty router where no provider is configured. */
export const oidcCallback = (service: Service): RequestHandler => {
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
