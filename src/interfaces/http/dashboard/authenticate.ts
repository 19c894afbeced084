// Authenticates and authorizes requests of the management API: a session by its cookie, or an organization token; the role by the
// organization in the path, and a token's scope by the contract. Session requests that change something must also come from the
// dashboard's own page. The principal of a handler follows from the required role and the path of its operation.
import type { Request } from 'express';
import type { operations as Contract } from '../../../../generated/management.ts';
import type { Application } from '../../../domain/applications/application.ts';
import { findApplication } from '../../../domain/applications/store.ts';
import type { ActorAt, AuditContext } from '../../../domain/audit/by.ts';
import type { RetentionContext } from '../../../domain/connections/connection.ts';
import { hasRole, type Role } from '../../../domain/members/member.ts';
import { byMember } from '../../../domain/members/memberAudit.ts';
import { authenticateOrganizationToken } from '../../../domain/members/organizationTokens.ts';
import { requirePasskey } from '../../../domain/members/passkeys.ts';
import { type AuthenticatedMember, authenticateMemberSession } from '../../../domain/members/sessions.ts';
import { findRole } from '../../../domain/members/store.ts';
import {
  Forbidden,
  NotFound,
  NotSignedIn,
  TokenForbidden,
  WrongOrigin,
} from '../../../platform/values/errors.ts';
import { isId } from '../../../platform/values/ids.ts';
import type { AuthenticationRequest } from '../contractRouter.ts';
import type { Handler } from '../handler.ts';
import { isFromOwnOrigin } from '../limits.ts';
import type { DashboardNeeds } from '../needs.ts';
import { type CookieContext, makeCookieContext, readCookie } from './cookieContext.ts';
import { requiredRole } from './requiredRole.ts';

export type AnonymousPrincipal = { cookies: CookieContext; signedIn?: AuthenticatedMember };
export type MemberPrincipal = { cookies: CookieContext; signedIn: AuthenticatedMember; by: ActorAt };
/** A member or an organization token; a token has no `signedIn`. */
export type OrganizationPrincipal = AnonymousPrincipal & {
  tokenId?: string;
  organizationId: string;
  by: AuditContext;
};
export type ApplicationPrincipal = OrganizationPrincipal & {
  application: Application;
  retention: RetentionContext;
};

/**
 * Throws Forbidden, TokenForbidden, WrongOrigin, PasskeyRequired, NotSignedIn, InvalidOrganizationToken, and NotFound for a
 * resource of another organization. A request with a bearer token acts for the token only: its cookie is not read.
 */
export const authenticateDashboard = async (
  service: DashboardNeeds,
  matched: AuthenticationRequest,
): Promise<AnonymousPrincipal | MemberPrincipal | OrganizationPrincipal | ApplicationPrincipal> => {
  const { request, operation, path } = matched;
  const [, bearer] = /^Bearer\b *(.*)$/i.exec(request.get('Authorization') ?? '') ?? [];
  if (bearer !== undefined) return authenticateToken(service, matched, bearer);
  if (request.method !== 'GET') requireSameOrigin(service, request);
  const cookies = makeCookieContext(service, request);
  const required = requiredRole[operation.operationId as keyof Contract];
  const secret = readCookie(service, request, 'session');
  if (required === 'anyone')
    return { cookies, signedIn: secret && (await findActiveSession(service, secret)) } as AnonymousPrincipal;
  if (!secret) throw new NotSignedIn();
  const signedIn = await authenticateMemberSession(service.members, secret);
  const by = byMember(signedIn.member, cookies.clientInfo, service.clock.real());
  if (required === 'any_session') return { cookies, signedIn, by };
  await requirePasskey(service.db.read, signedIn);
  if (required === 'member') return { cookies, signedIn, by };
  const { application, organizationId } = await resolveOrganization(service, path);
  const role = await findRole(service.db.read, organizationId, signedIn.member.id);
  if (!role) throw new NotFound(application ? 'application' : 'organization');
  if (!hasRole(role, required)) throw new Forbidden();
  const principal = { cookies, signedIn, organizationId, by: { ...by, organizationId } };
  return withApplication(service, principal, application);
};

const authenticateToken = async (
  service: DashboardNeeds,
  { request, operation, path, identified }: AuthenticationRequest,
  text: string,
): Promise<OrganizationPrincipal | ApplicationPrincipal> => {
  const now = service.clock.real();
  const deps = { db: service.db, keys: service.apiKeySigner.tokenKeys };
  const token = await authenticateOrganizationToken(deps, text, now);
  const tokenId = token.id;
  identified({ tokenId });
  const { operationId, tokenScope: scope } = operation;
  if (scope === undefined)
    throw new TokenForbidden('Only a person who is signed in to the dashboard can do this.');
  if (!token.scopes.split(' ').includes(scope))
    throw new TokenForbidden(`The token lacks the scope ${scope}.`);
  const { application, organizationId } = await resolveOrganization(service, path);
  if (organizationId !== token.organizationId)
    throw new NotFound(application ? 'application' : 'organization');
  const required = requiredRole[operationId as keyof Contract] as Role;
  if (!hasRole(token.role, required)) throw new TokenForbidden(`The token needs the role ${required}.`);
  const cookies = makeCookieContext(service, request);
  const actor = { memberId: null, tokenId, email: null, address: cookies.clientInfo.clientIp };
  return withApplication(
    service,
    { cookies, tokenId, organizationId, by: { actor, now, organizationId } },
    application,
  );
};

const withApplication = (
  service: DashboardNeeds,
  principal: OrganizationPrincipal,
  application: Application | undefined,
): OrganizationPrincipal | ApplicationPrincipal =>
  application ? { ...principal, application, retention: retentionOf(service, application) } : principal;

/** The member who sent a request that is not open to tokens. Throws Forbidden. */
export const memberOf = ({ signedIn }: Pick<OrganizationPrincipal, 'signedIn'>): AuthenticatedMember => {
  if (!signedIn) throw new Forbidden();
  return signedIn;
};

const findActiveSession = async (
  service: DashboardNeeds,
  secret: string,
): Promise<AuthenticatedMember | undefined> => {
  try {
    return await authenticateMemberSession(service.members, secret);
  } catch (error) {
    if (error instanceof NotSignedIn) return undefined;
    throw error;
  }
};

const resolveOrganization = async (
  { db }: DashboardNeeds,
  { organizationId, applicationId }: Record<string, string>,
): Promise<{ organizationId: string; application?: Application }> => {
  if (applicationId === undefined) {
    if (!isId('org', organizationId!)) throw new NotFound('organization');
    return { organizationId: organizationId! };
  }
  const application = isId('app', applicationId) ? await findApplication(db.read, applicationId) : undefined;
  if (!application) throw new NotFound('application');
  return { organizationId: application.organizationId, application };
};

export const retentionOf = (
  { clock, config }: DashboardNeeds,
  application: Application,
): RetentionContext => ({
  clock,
  application,
  limits: config.limits,
});

// Three guards, each sufficient on its own: the cookie is SameSite=Strict, a page from another origin cannot send this header
// without a CORS preflight, and browsers send the origin of a request.
const requireSameOrigin = ({ config }: DashboardNeeds, request: Request): void => {
  const { headers } = request;
  const saysOrigin = headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;
  if (headers['dashboard-request'] !== '1' || !saysOrigin) throw new Forbidden();
  if (!isFromOwnOrigin(config.baseUrl, request)) throw new WrongOrigin(config.baseUrl);
};

type PathOf<Id extends keyof Contract> = Contract[Id]['parameters']['path'];

type PrincipalOf<Id extends keyof Contract> = (typeof requiredRole)[Id] extends 'anyone'
  ? AnonymousPrincipal
  : (typeof requiredRole)[Id] extends 'any_session' | 'member'
    ? MemberPrincipal
    : PathOf<Id> extends { applicationId: string }
      ? ApplicationPrincipal
      : OrganizationPrincipal;

export type PrincipalByOperation = { [Id in keyof Contract]: PrincipalOf<Id> };

/** A handler of the management API. */
export type Operation<Id extends keyof Contract> = Handler<
  Contract[Id],
  PrincipalByOperation[Id],
  DashboardNeeds
>;
