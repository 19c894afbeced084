// What the page knows of whoever is signed in.
import type { components } from '../../../generated/dashboard.ts';
import type { AuthenticatedMember } from '../../members/sessions.ts';
import { findMemberOrganizations } from '../../members/store.ts';
import type { Service } from '../../service.ts';

/** A session as the page sees it. */
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
