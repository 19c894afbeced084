// The session of the signed-in member, as JSON.
import type { components } from '../../../generated/dashboard.ts';
import { findRequiredStep } from '../../members/passkeyRequirement.ts';
import type { AuthenticatedMember } from '../../members/sessions.ts';
import { findMemberOrganizations } from '../../members/store.ts';
import type { Service } from '../../service.ts';

export const sessionToJson = async (
  { db, config }: Service,
  signedIn: AuthenticatedMember,
): Promise<components['schemas']['Session']> => {
  const { session, member } = signedIn;
  const requiredStep = await findRequiredStep(db.write, signedIn);
  const organizations = await findMemberOrganizations(db.read, member.id);
  return {
    session: { id: session.id, expiresAt: session.expiresAt, ...(requiredStep && { requiredStep }) },
    member: {
      id: member.id,
      email: member.email,
      name: member.name,
      hasPassword: member.passwordHash !== null,
    },
    organizations: organizations.map(({ passkeysRequiredAt, ...organization }) => ({
      ...organization,
      passkeysRequired: passkeysRequiredAt !== null,
    })),
    baseUrl: config.baseUrl,
  };
};
