// Where an OpenID provider sends its people back to: signs them in, and leads on to the page. It is an address for
// browsers, not one of the contract's.
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { OidcSignInRefused } from '../../members/oidc.ts';
import type { Service } from '../../service.ts';
import { makeCookieContext, oidcFlowCookie, readCookie } from './cookieContext.ts';

/** Nothing where the operator has set no provider. */
export const oidcCallback = (service: Service): RequestHandler => {
  const router = Router();
  const { oidc, members, log } = service;
  if (!oidc) return router;
  router.get('/dashboard/oidc/callback', async (request: Request, response: Response) => {
    // The address holds the code: it is told to nobody, and the page that follows has another.
    response.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' });
    const cookies = makeCookieContext(service, request);
    const flowId = readCookie(request, oidcFlowCookie);
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
