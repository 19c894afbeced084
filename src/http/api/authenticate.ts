// Authenticates requests of the public API: the API key identifies the application, the scoped token gives a Reader.
import type { Request } from 'express';
import { authenticateApiKey } from '../../applications/apiKeys.ts';
import type { Application } from '../../applications/application.ts';
import { type Access, openAccess, type RetentionContext } from '../../connections/connection.ts';
import { InvalidScopedToken, MissingCredentials, Unauthenticated } from '../../errors.ts';
import type { Service } from '../../service.ts';
import { findEndUser } from '../../users/store.ts';
import { makeReader, parseScopedToken } from '../../vault/scopedToken.ts';
import type { AuthenticationRequest } from '../contractRouter.ts';

export type ApplicationPrincipal = { application: Application; keyId: string; retention: RetentionContext };
export type ReaderPrincipal = ApplicationPrincipal & { access: Access };

/** Throws Unauthenticated for the API key, then Forbidden for the scoped token where the operation needs one. */
export const authenticateApi = async (
  service: Service,
  { request, operation, identified }: AuthenticationRequest,
): Promise<ApplicationPrincipal | ReaderPrincipal> => {
  const principal = await authenticateApplication(service, request);
  if (!operation.security.includes('ScopedToken')) return principal;
  identified(principal);
  return { ...principal, access: await authenticateScopedToken(service, request, principal) };
};

const authenticateApplication = async (service: Service, request: Request): Promise<ApplicationPrincipal> => {
  const header = request.get('Authorization');
  if (header === undefined) throw new MissingCredentials('Authorization');
  const [, apiKey] = /^Bearer +(\S+)$/i.exec(header) ?? [];
  if (!apiKey) throw new Unauthenticated();
  const { db, apiKeySigner, clock, config } = service;
  const { application, keyId } = await authenticateApiKey(db, apiKeySigner, apiKey, clock.real());
  const retention = { clock, application, retentionDays: config.limits.retentionDays };
  return { application, keyId, retention };
};

// One response for a malformed token, an unknown user, another application's user, a wrong secret, and a user whose
// data is deleted.
const authenticateScopedToken = async (
  { db }: Service,
  request: Request,
  { application, retention }: ApplicationPrincipal,
): Promise<Access> => {
  const header = request.get('X-Scoped-Token');
  if (header === undefined) throw new MissingCredentials('X-Scoped-Token');
  const token = parseScopedToken(header);
  const user = token && (await findEndUser(db.read, token.endUserId));
  if (!token || user?.applicationId !== application.id) throw new InvalidScopedToken();
  const reader = makeReader(user, token.secret);
  if (!reader) throw new InvalidScopedToken();
  return openAccess(db, reader, retention);
};
