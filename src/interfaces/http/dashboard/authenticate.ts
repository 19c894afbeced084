// Authenticates and authorizes requests of the dashboard: the session by its cookie, the role by the organization of the
// path. Requests that change something must also come from the dashboard's own page. The principal of a handler follows from the required
// role and the path of its operation.
import type { Request } from 'express';
import type { operations as Contract } from '../../../../generated/management.ts';
import type { Application } from '../../../domain/applications/application.ts';
import { findApplication } from '../../../domain/applications/store.ts';
import type { ActorAt, AuditContext } from '../../../domain/audit/by.ts';
import type { RetentionContext } from '../../../domain/connections/connection.ts';
import { hasRole } from '../../../domain/members/member.ts';
import { byMember } from '../../../domain/members/memberAudit.ts';
import { requirePasskey } from '../../../domain/members/passkeys.ts';
import { type AuthenticatedMember, authenticateMemberSession } from '../../../domain/members/sessions.ts';
import { findRole } from '../../../domain/members/store.ts';
import { Forbidden, NotFound, NotSignedIn, WrongOrigin } from '../../../platform/values/errors.ts';
import { isId } from '../../../platform/values/ids.ts';
import type { AuthenticationRequest } from '../contractRouter.ts';
import type { Handler } from '../handler.ts';
import { isFromOwnOrigin } from '../limits.ts';
import type { DashboardNeeds } from '../needs.ts';
import { type CookieContext, makeCookieContext, readCookie } from './cookieContext.ts';
import { requiredRole } from './requiredRole.ts';

export type AnonymousPrincipal = { cookies: CookieContext; signedIn?: AuthenticatedMember };
export type MemberPrincipal = { cookies: CookieContext; signedIn: AuthenticatedMember; by: ActorAt };
export type OrganizationPrincipal = MemberPrincipal & { organizationId: string; by: AuditContext };
export type ApplicationPrincipal = OrganizationPrincipal & {
  application: Application;
  retention: RetentionContext;
};

/** Throws Forbidden, WrongOrigin, PasskeyRequired, NotSignedIn, and NotFound for what belongs to another organization. */
export const authenticateDashboard = async (
  service: DashboardNeeds,
  { request, operation, path }: AuthenticationRequest,
): Promise<AnonymousPrincipal | MemberPrincipal | OrganizationPrincipal | ApplicationPrincipal> => {
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
  return application
    ? { ...principal, application, retention: retentionOf(service, application) }
    : principal;
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

// Three guards, each of which would suffice: the cookie is SameSite=Strict, a page of another origin cannot send this
// header without a CORS preflight, and browsers send the origin of a request.
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

/** A handler of the dashboard's private API. */
export type Operation<Id extends keyof Contract> = Handler<
  Contract[Id],
  PrincipalByOperation[Id],
  DashboardNeeds
>;
