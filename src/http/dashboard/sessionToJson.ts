// The session of the signed-in member, as JSON.
import type { components } from '../../../generated/dashboard.ts';
import type { AuthenticatedMember } from '../../members/sessions.ts';
import { findMemberOrganizations } from '../../members/store.ts';
import type { Service } from '../../service.ts';

export const sessionToJson = async (
  { db, config }: Service,
  { session, member }: AuthenticatedMember,
): Promise<components['schemas']['Session']> => ({
  session: { id: session.id, expiresAt: session.expiresAt },
  member: {
    id: member.id,
    email: member.email,
    name: member.name,
    hasPassword: member.passwordHash !== null,
  },
  organizations: await findMemberOrganizations(db.read, member.id),
  baseUrl: config.baseUrl,
});
