// The parts of a dashboard request that its contract does not describe: client address, cookies, upload. Browsers send
// the session cookie only with requests from the dashboard's own pages.
import type { Readable } from 'node:stream';
import { parse as parseCookie } from 'cookie';
import type { CookieOptions, Request } from 'express';
import type { ClientInfo } from '../../../domain/members/member.ts';
import { oidcFlowMinutes } from '../../../domain/members/oidc.ts';
import type { NewMemberSession } from '../../../domain/members/sessions.ts';
import { seconds } from '../../../platform/values/clock.ts';
import type { DashboardNeeds } from '../needs.ts';

const cookieNames = {
  session: 'dashboard_session',
  /** Ties the start of an OpenID sign-in to its callback. The callback comes from another site, so the cookie is lax. */
  oidcFlow: 'dashboard_oidc',
};

const isHttps = ({ config }: DashboardNeeds): boolean => config.baseUrl.startsWith('https:');

// Browsers accept this prefix only from the host itself over https, so that no other subdomain can set the cookie.
const cookieName = (service: DashboardNeeds, kind: keyof typeof cookieNames): string =>
  `${isHttps(service) ? '__Host-' : ''}${cookieNames[kind]}`;

export type CookieContext = {
  clientInfo: ClientInfo;
  /** The body, as a stream. */
  upload: Readable;
  setSession(session: NewMemberSession): void;
  clearSession(): void;
  setOidcFlow(flowId: string): void;
  clearOidcFlow(): void;
};

const cookieOptions = (service: DashboardNeeds, sameSite: 'strict' | 'lax'): CookieOptions => ({
  httpOnly: true,
  sameSite,
  secure: isHttps(service),
  // The prefix requires this path.
  path: '/',
});

export const makeCookieContext = (service: DashboardNeeds, request: Request): CookieContext => {
  const response = request.res!;
  const strict = cookieOptions(service, 'strict');
  const lax = cookieOptions(service, 'lax');
  const sessionCookie = cookieName(service, 'session');
  const oidcFlowCookie = cookieName(service, 'oidcFlow');
  return {
    clientInfo: { clientIp: request.ip ?? '', browser: request.get('User-Agent') ?? '' },
    upload: request,
    setSession: ({ secret, session }) => {
      response.cookie(sessionCookie, secret, { ...strict, expires: new Date(session.expiresAt) });
    },
    clearSession: () => {
      response.clearCookie(sessionCookie, strict);
    },
    setOidcFlow: (flowId) => {
      response.cookie(oidcFlowCookie, flowId, { ...lax, maxAge: seconds(oidcFlowMinutes * 60) });
    },
    clearOidcFlow: () => {
      response.clearCookie(oidcFlowCookie, lax);
    },
  };
};

/** The value of a cookie that this service has set, which is always base64url; undefined for any other value. */
export const readCookie = (
  service: DashboardNeeds,
  request: Request,
  kind: keyof typeof cookieNames,
): string | undefined => {
  const value = parseCookie(request.get('Cookie') ?? '')[cookieName(service, kind)];
  return value && /^[A-Za-z0-9_-]+$/.test(value) ? value : undefined;
};
