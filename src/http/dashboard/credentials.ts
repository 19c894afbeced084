// Who asks at the dashboard's door, and whether they may: the session by its cookie, the role in the organization that
// is asked about. What changes something must come from the dashboard's own page, besides.
import type { Request } from 'express';
import type { operations as Contract } from '../../../generated/dashboard.ts';
import type { Application } from '../../applications/application.ts';
import { findApplication } from '../../applications/store.ts';
import type { RetentionContext } from '../../connections/access.ts';
import { Forbidden, NotFound, NotSignedIn } from '../../errors.ts';
import type { Actor } from '../../members/memberTokens.ts';
import { hasRole, type Role } from '../../members/member.ts';
import { authenticateMemberSession, type AuthenticatedMember } from '../../members/sessions.ts';
import { findRole } from '../../members/store.ts';
import type { Service } from '../../service.ts';
import { leastRole } from './roles.ts';
import { readCookie, sessionCookie, type Visit, visitOf } from './visit.ts';

export type Visitor = { visit: Visit; signedIn?: AuthenticatedMember };
export type MemberCaller = { visit: Visit; signedIn: AuthenticatedMember };
export type OrganizationCaller = MemberCaller & {
  organizationId: string;
  role: Role;
  /** Who it was, for the log. */
  actor: Actor & { memberId: string };
};
export type ApplicationCaller = OrganizationCaller & { application: Application; lifetime: RetentionContext };

/** The caller of an operation. Throws Forbidden, NotSignedIn, and NotFound for what is in others' organizations. */
export const dashboardCaller = async (
  service: Service,
  request: Request,
  operationId: string,
): Promise<Visitor | MemberCaller | OrganizationCaller | ApplicationCaller> => {
  if (request.method !== 'GET') checkOwnPage(service, request);
  const visit = visitOf(service, request);
  const least = leastRole[operationId as keyof Contract];
  const secret = readCookie(request, sessionCookie);
  if (least === 'anyone')
    return { visit, signedIn: secret && (await knownSession(service, secret)) } as Visitor;
  if (!secret) throw new NotSignedIn();
  const signedIn = await authenticateMemberSession(service.members, secret);
  if (least === 'member') return { visit, signedIn };
  const { application, organizationId } = await subjectOf(service, request);
  const role = await findRole(service.db.read, organizationId, signedIn.member.id);
  if (!role) throw new NotFound(application ? 'application' : 'organization');
  if (!hasRole(role, least)) throw new Forbidden();
  const { id: memberId, email } = signedIn.member;
  const actor = { memberId, email, address: visit.clientInfo.address };
  const caller = { visit, signedIn, organizationId, role, actor };
  return application ? { ...caller, application, lifetime: lifetimeOf(service, application) } : caller;
};

const knownSession = async (service: Service, secret: string): Promise<AuthenticatedMember | undefined> => {
  try {
    return await authenticateMemberSession(service.members, secret);
  } catch (error) {
    if (error instanceof NotSignedIn) return undefined;
    throw error;
  }
};

const subjectOf = async (
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
const checkOwnPage = ({ config }: Service, request: Request): void => {
  const site = request.get('Sec-Fetch-Site');
  const origin = request.get('Origin');
  const isOurs =
    origin !== undefined &&
    URL.canParse(origin) &&
    (origin === config.baseUrl || new URL(origin).host === request.get('Host'));
  const comesFromUs = site === undefined ? isOurs : site === 'same-origin' && (isOurs || !origin);
  if (request.get('Dashboard-Request') !== '1' || !comesFromUs) throw new Forbidden();
};
