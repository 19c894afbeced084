// Sign-in, invitations and password resets: all that creates a session.
import { findOrganizationName } from '../../applications/store.ts';
import { NotFound } from '../../errors.ts';
import { acceptInvitation as accept, getInvitation as view } from '../../members/invitations.ts';
import {
  signInWithPasskey as passkeySignIn,
  startPasskeySignIn as startChallenge,
} from '../../members/passkeys.ts';
import { resetPassword as reset } from '../../members/passwordResets.ts';
import { signInWithPassword } from '../../members/passwords.ts';
import { deleteMemberSessions } from '../../members/sessionStore.ts';
import type { NewMemberSession } from '../../members/sessions.ts';
import { hasAnyMember } from '../../members/store.ts';
import type { Service } from '../../service.ts';
import type { AnonymousPrincipal } from './authenticate.ts';
import type { Operation } from './operation.ts';
import { sessionToJson } from './sessionToJson.ts';

export const getSignInOptions: Operation<'getSignInOptions'> = async (_input, { db, oidc }) => ({
  hasMembers: await hasAnyMember(db.read),
  oidc: oidc !== undefined,
});

export const signIn: Operation<'signIn'> = async ({ body, ...principal }, service) =>
  startNewSession(
    service,
    principal,
    await signInWithPassword(service.members, body, principal.cookies.clientInfo),
  );

export const startPasskeySignIn: Operation<'startPasskeySignIn'> = async (_input, { members }) => {
  const { challengeId, options } = await startChallenge(members);
  return { challengeId, options: { ...options } };
};

export const signInWithPasskey: Operation<'signInWithPasskey'> = async ({ body, ...principal }, service) =>
  startNewSession(
    service,
    principal,
    await passkeySignIn(service.members, body, principal.cookies.clientInfo),
  );

export const startOidcSignIn: Operation<'startOidcSignIn'> = async ({ cookies }, { oidc, members }) => {
  if (!oidc) throw new NotFound('page');
  const { url, flowId } = await oidc.start(members);
  cookies.setOidcFlow(flowId);
  return { url };
};

export const getInvitation: Operation<'getInvitation'> = async ({ body }, { members, db }) => {
  const { invitation, hasAccount } = await view(members, body.token);
  const organizationName = await findOrganizationName(db.read, invitation.organizationId!);
  if (organizationName === undefined || !invitation.role) throw new NotFound('link');
  const { email, role, expiresAt } = invitation;
  return { email, organizationName, role, hasAccount, expiresAt };
};

export const acceptInvitation: Operation<'acceptInvitation'> = async (
  { body, cookies, signedIn },
  service,
) => {
  const fresh = await accept(service.members, body, { clientInfo: cookies.clientInfo, signedIn });
  return startNewSession(service, { cookies, signedIn }, fresh);
};

export const resetPassword: Operation<'resetPassword'> = async ({ body, cookies }, { members }) => {
  await reset(members, body, cookies.clientInfo);
  cookies.clearSession();
};

/** Replaces the session that the browser had before, of whichever member. */
const startNewSession = async (
  service: Service,
  { cookies, signedIn }: AnonymousPrincipal,
  fresh: NewMemberSession,
) => {
  const { db } = service;
  if (signedIn) {
    const { memberId, id } = signedIn.session;
    await deleteMemberSessions(db.write, { memberId, id });
  }
  cookies.setSession(fresh);
  return sessionToJson(service, fresh);
};
