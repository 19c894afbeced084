// Who asks at the dashboard's door, and whether they may: the session by its cookie, the role in the organization that
// is asked about. What changes something must come from the dashboard's own page, besides.

import type { Request } from 'express';
import type { operations as Contract } from '../../../generated/dashboard.ts';
import type { Application } from '../../applications/application.ts';
import { findApplication } from '../../applications/store.ts';
import type { Actor } from '../../audit/store.ts';
import type { RetentionContext } from '../../connections/access.ts';
import { Forbidden, NotFound, NotSignedIn } from '../../errors.ts';
import { hasRole, type Role } from '../../members/member.ts';
import { type AuthenticatedMember, authenticateMemberSession } from '../../members/sessions.ts';
import { findRole } from '../../members/store.ts';
import type { Service } from '../../service.ts';
import { type CookieContext, makeCookieContext, readCookie, sessionCookie } from './cookieContext.ts';
import { requiredRole } from './requiredRole.ts';

export type AnonymousPrincipal = { cookies: CookieContext; signedIn?: AuthenticatedMember };
export type MemberPrincipal = { cookies: CookieContext; signedIn: AuthenticatedMember };
export type OrganizationPrincipal = MemberPrincipal & {
  organizationId: string;
  role: Role;
  /** Who it was, for the log. */
  actor: Actor & { memberId: string };
};
export type ApplicationPrincipal = OrganizationPrincipal & {
  application: Application;
  retention: RetentionContext;
};

/** The caller of an operation. Throws Forbidden, NotSignedIn, and NotFound for what is in others' organizations. */
export const authenticateDashboard = async (
  service: Service,
  request: Request,
  operationId: string,
): Promise<AnonymousPrincipal | MemberPrincipal | OrganizationPrincipal | ApplicationPrincipal> => {
  if (request.method !== 'GET') requireSameOrigin(service, request);
  const cookies = makeCookieContext(service, request);
  const least = requiredRole[operationId as keyof Contract];
  const secret = readCookie(request, sessionCookie);
  if (least === 'anyone')
    return { cookies, signedIn: secret && (await findActiveSession(service, secret)) } as AnonymousPrincipal;
  if (!secret) throw new NotSignedIn();
  const signedIn = await authenticateMemberSession(service.members, secret);
  if (least === 'member') return { cookies, signedIn };
  const { application, organizationId } = await resolveOrganization(service, request);
  const role = await findRole(service.db.read, organizationId, signedIn.member.id);
  if (!role) throw new NotFound(application ? 'application' : 'organization');
  if (!hasRole(role, least)) throw new Forbidden();
  const { id: memberId, email } = signedIn.member;
  const actor = { memberId, email, address: cookies.clientInfo.address };
  const caller = { cookies, signedIn, organizationId, role, actor };
  return application ? { ...caller, application, retention: lifetimeOf(service, application) } : caller;
};

const findActiveSession = async (
  service: Service,
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
  { db }: Service,
  { params }: Request,
): Promise<{ organizationId: string; application?: Application }> => {
  if (params.applicationId === undefined) return { organizationId: String(params.organizationId) };
  const application = await findApplication(db.read, String(params.applicationId));
  if (!application) throw new NotFound('application');
  return { organizationId: application.organizationId, application };
};

const lifetimeOf = ({ clock, config }: Service, { environment }: Application): RetentionContext => ({
  clock,
  environment,
  retentionDays: config.limits.retentionDays,
});

// Three guards, each of which would do: the cookie stays at home (SameSite=Strict), another origin's page cannot send
// this header without asking first, and browsers say where a request comes from.
const requireSameOrigin = ({ config }: Service, request: Request): void => {
  const site = request.get('Sec-Fetch-Site');
  const origin = request.get('Origin');
  const isOurs =
    origin !== undefined &&
    URL.canParse(origin) &&
    (origin === config.baseUrl || new URL(origin).host === request.get('Host'));
  const comesFromUs = site === undefined ? isOurs : site === 'same-origin' && (isOurs || !origin);
  if (request.get('Dashboard-Request') !== '1' || !comesFromUs) throw new Forbidden();
};
