// What the page knows of whoever is signed in.
import type { components } from '../../../generated/dashboard.ts';
import type { SignedIn } from '../../members/sessions.ts';
import { findOwnOrganizations } from '../../members/store.ts';
import type { Service } from '../../service.ts';

/** A session as the page sees it. */
export const showSession = async (
  { db, config }: Service,
  { session, member }: SignedIn,
): Promise<components['schemas']['Session']> => ({
  session: { id: session.id, expiresAt: session.expiresAt },
  member: {
    id: member.id,
    email: member.email,
    name: member.name,
    hasPassword: member.passwordHash !== null,
  },
  organizations: await findOwnOrganizations(db.read, member.id),
  baseUrl: config.baseUrl,
});
