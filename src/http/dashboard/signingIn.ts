// From nobody to a session.
import { findOrganizations } from '../../applications/store.ts';
import { NotFound } from '../../errors.ts';
import { acceptInvitation as accept, getInvitation as view } from '../../members/invitations.ts';
import {
  signInWithPasskey as passkeySignIn,
  startPasskeySignIn as startPasskey,
} from '../../members/passkeys.ts';
import { signInWithPassword } from '../../members/passwords.ts';
import { resetPassword as reset } from '../../members/passwordResets.ts';
import { deleteMemberSessions } from '../../members/sessionStore.ts';
import type { NewMemberSession } from '../../members/sessions.ts';
import { hasAnyMember } from '../../members/store.ts';
import type { Service } from '../../service.ts';
import type { Visitor } from './credentials.ts';
import type { Operation } from './operation.ts';
import { showSession } from './showSession.ts';

export const getSignIn: Operation<'getSignIn'> = async (_input, { db, oidc }) => ({
  hasMembers: await hasAnyMember(db.read),
  openId: oidc !== undefined,
});

export const signIn: Operation<'signIn'> = async ({ body, ...visitor }, service) =>
  enter(service, visitor, await signInWithPassword(service.members, body, visitor.visit.clientInfo));

export const startPasskeySignIn: Operation<'startPasskeySignIn'> = async ({ visit }, { members }) => {
  const { challengeId, options } = await startPasskey(members, visit.clientInfo);
  return { challengeId, options: { ...options } };
};

export const signInWithPasskey: Operation<'signInWithPasskey'> = async ({ body, ...visitor }, service) =>
  enter(service, visitor, await passkeySignIn(service.members, body, visitor.visit.clientInfo));

export const startOpenIdSignIn: Operation<'startOpenIdSignIn'> = async ({ visit }, { oidc, members }) => {
  if (!oidc) throw new NotFound('page');
  const { url, journey } = await oidc.start(members);
  visit.keepJourney(journey);
  return { url };
};

export const viewInvitation: Operation<'viewInvitation'> = async ({ body }, { members, db }) => {
  const { invitation, hasAccount } = await view(members, body.token);
  const organizations = await findOrganizations(db.read);
  const organization = organizations.find(({ id }) => id === invitation.organizationId);
  if (!organization || !invitation.role) throw new NotFound('link');
  const { email, role, expiresAt } = invitation;
  return { email, organizationName: organization.name, role, hasAccount, expiresAt };
};

export const acceptInvitation: Operation<'acceptInvitation'> = async ({ body, visit, signedIn }, service) => {
  const fresh = await accept(service.members, body, { clientInfo: visit.clientInfo, signedIn });
  return enter(service, { visit, signedIn }, fresh);
};

export const resetPassword: Operation<'resetPassword'> = async ({ body, visit }, { members }) => {
  await reset(members, body, visit.clientInfo);
  visit.dropSession();
};

/** The new session takes the place of the one that the browser had, whoever's it was. */
const enter = async (service: Service, { visit, signedIn }: Visitor, fresh: NewMemberSession) => {
  const { db } = service;
  if (signedIn) {
    const { memberId, id } = signedIn.session;
    await deleteMemberSessions(db.write, { memberId, id });
  }
  visit.keepSession(fresh);
  return showSession(service, fresh);
};
