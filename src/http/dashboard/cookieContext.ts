// What a request brings besides its contract: where it comes from, its cookies, and an upload. Cookies are for the
// dashboard's own pages only; the one that opens it is never sent along from another site.
import type { Readable } from 'node:stream';
import type { CookieOptions, Request } from 'express';
import { seconds } from '../../clock.ts';
import type { ClientInfo } from '../../members/member.ts';
import type { NewMemberSession } from '../../members/sessions.ts';
import type { Service } from '../../service.ts';

export const sessionCookie = 'dashboard_session';

/** Holds a sign-in at an OpenID provider together; it must come back from there, so it is lax. */
export const oidcFlowCookie = 'dashboard_oidc';

export type CookieContext = {
  clientInfo: ClientInfo;
  /** The body as it arrives. */
  upload: Readable;
  setSession(fresh: NewMemberSession): void;
  clearSession(): void;
  setOidcFlow(journey: string): void;
  clearOidcFlow(): void;
};

const oidcFlowMinutes = 10;

const cookiePath = '/dashboard';

const cookieOptions = ({ config }: Service, sameSite: 'strict' | 'lax'): CookieOptions => ({
  httpOnly: true,
  sameSite,
  secure: config.baseUrl.startsWith('https:'),
  path: cookiePath,
});

export const makeCookieContext = (service: Service, request: Request): CookieContext => {
  const response = request.res!;
  const strict = cookieOptions(service, 'strict');
  const lax = cookieOptions(service, 'lax');
  return {
    clientInfo: { address: request.ip ?? '', browser: request.get('User-Agent') ?? '' },
    upload: request,
    setSession: ({ secret, session }) => {
      response.cookie(sessionCookie, secret, { ...strict, expires: new Date(session.expiresAt) });
    },
    clearSession: () => {
      response.clearCookie(sessionCookie, strict);
    },
    setOidcFlow: (journey) => {
      response.cookie(oidcFlowCookie, journey, { ...lax, maxAge: seconds(oidcFlowMinutes * 60) });
    },
    clearOidcFlow: () => {
      response.clearCookie(oidcFlowCookie, lax);
    },
  };
};

/** A cookie of ours: its value is always base64url. */
export const readCookie = (request: Request, name: string): string | undefined => {
  const cookies = (request.get('Cookie') ?? '').split(/; */);
  const value = cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1);
  return value && /^[A-Za-z0-9_-]+$/.test(value) ? value : undefined;
};
