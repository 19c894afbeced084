// Authenticates requests of the SimpleFIN server: applications by the token in a claim's address or by user name and
// password (RFC 7617), consumers' backends as in the public API.
import type { Request } from 'express';
import { InvalidAccess } from '../../errors.ts';
import type { Service } from '../../service.ts';
import { type OpenClaim, type OpenedAccess, openAccessUrl, openClaim } from '../../simplefin/accesses.ts';
import {
  type ApplicationPrincipal,
  authenticateApplication,
  authenticateReader,
  type ReaderPrincipal,
} from '../api/authenticate.ts';
import type { AuthenticationRequest } from '../contractRouter.ts';

export type ClaimPrincipal = { claim: OpenClaim };
/** The application is what the log names. */
export type AccessPrincipal = { opened: OpenedAccess; application: OpenedAccess['application'] };
export type SimplefinPrincipal =
  | Record<never, never>
  | ClaimPrincipal
  | AccessPrincipal
  | ApplicationPrincipal
  | ReaderPrincipal;

/** Throws InvalidAccess or Forbidden for applications; for backends as `authenticateApi`. */
export const authenticateSimplefin = async (
  service: Service,
  matched: AuthenticationRequest,
): Promise<SimplefinPrincipal> => {
  const { security } = matched.operation;
  if (security.includes('ScopedToken')) return authenticateReader(service, matched);
  if (security.includes('ApiKey')) return authenticateApplication(service, matched);
  if (security.includes('Access')) {
    const opened = await openAccessUrl(service, readBasicCredentials(matched.request));
    await matched.slot.take(opened.application.id);
    return { opened, application: opened.application };
  }
  const { claimToken } = matched.path;
  return claimToken === undefined ? {} : { claim: await openClaim(service, claimToken) };
};

const readBasicCredentials = (request: Request): { user: string; password: string } => {
  const [, encoded = ''] = /^Basic +(\S+)$/i.exec(request.get('Authorization') ?? '') ?? [];
  const [user = '', ...password] = Buffer.from(encoded, 'base64').toString().split(':');
  if (user === '') throw new InvalidAccess();
  return { user, password: password.join(':') };
};
