// Operations that create a session (sign-in, invitations, password resets), and those on the member's own account: name, password,
// sessions and passkeys.
import type { components } from '../../../../generated/management.ts';
import { findOrganizationName } from '../../../domain/applications/store.ts';
import { acceptInvitation as accept, getInvitation as view } from '../../../domain/members/invitations.ts';
import type { SignInMethod } from '../../../domain/members/member.ts';
import { findPasskeys, type Passkey } from '../../../domain/members/passkeyStore.ts';
import {
  finishPasskeyRegistration as add,
  findRequiredStep,
  signInWithPasskey as passkeySignIn,
  removePasskey as remove,
  startPasskeyRegistration as start,
  startPasskeySignIn as startChallenge,
} from '../../../domain/members/passkeys.ts';
import {
  changePassword as change,
  confirmPassword,
  resetPassword as reset,
  signInWithPassword,
} from '../../../domain/members/passwords.ts';
import { deleteMemberSessions } from '../../../domain/members/sessionStore.ts';
import {
  type AuthenticatedMember,
  endMemberSession as end,
  endOtherMemberSessions as endOthers,
  listMemberSessions as list,
  type NewMemberSession,
} from '../../../domain/members/sessions.ts';
import { findMemberOrganizations, hasAnyMember, updateMember } from '../../../domain/members/store.ts';
import { NotFound } from '../../../platform/values/errors.ts';
import type { DashboardNeeds } from '../needs.ts';
import type { AnonymousPrincipal, Operation } from './authenticate.ts';

export const getSession: Operation<'getSession'> = async ({ signedIn }, service) =>
  sessionToJson(service, signedIn);

export const signOut: Operation<'signOut'> = async ({ signedIn, by, cookies }, { members }) => {
  await end(members, signedIn, signedIn.session.id, by);
  cookies.clearSession();
};

export const updateProfile: Operation<'updateProfile'> = async ({ body, signedIn }, service) => {
  const name = body.name.trim();
  await updateMember(service.db.write, signedIn.member.id, { name });
  return sessionToJson(service, { ...signedIn, member: { ...signedIn.member, name } });
};

export const changePassword: Operation<'changePassword'> = async ({ body, signedIn, cookies }, { members }) =>
  change(members, signedIn, { ...body, clientInfo: cookies.clientInfo });

export const listSessions: Operation<'listSessions'> = async ({ signedIn }, { members }) => {
  const sessions = await list(members, signedIn.member.id);
  return {
    sessions: sessions.map((session) => ({
      id: session.id,
      isCurrent: session.id === signedIn.session.id,
      method: session.method as SignInMethod,
      browser: session.browser,
      address: session.address,
      createdAt: session.createdAt,
      lastUsedAt: session.lastUsedAt,
      expiresAt: session.expiresAt,
    })),
  };
};

export const endSession: Operation<'endSession'> = async ({ path, signedIn, by, cookies }, { members }) => {
  await end(members, signedIn, path.sessionId, by);
  if (path.sessionId === signedIn.session.id) cookies.clearSession();
};

export const endOtherSessions: Operation<'endOtherSessions'> = async ({ signedIn, by }, { members }) =>
  endOthers(members, signedIn, by);

const passkeyToJson = ({ id, name, createdAt, lastUsedAt }: Passkey) => ({ id, name, createdAt, lastUsedAt });

export const listPasskeys: Operation<'listPasskeys'> = async ({ signedIn }, { db }) => ({
  passkeys: (await findPasskeys(db.read, signedIn.member.id)).map(passkeyToJson),
});

export const startPasskeyRegistration: Operation<'startPasskeyRegistration'> = async (
  { body, signedIn, cookies },
  { members },
) => {
  await confirmPassword(members, signedIn, { password: body.password, clientInfo: cookies.clientInfo });
  const { challengeId, options } = await start(members, signedIn);
  return { challengeId, options: { ...options } };
};

export const addPasskey: Operation<'addPasskey'> = async ({ body, signedIn, by }, { members }) =>
  passkeyToJson(await add(members, signedIn, body, by));

export const removePasskey: Operation<'removePasskey'> = async ({ path, signedIn, by }, { members }) =>
  remove(members, signedIn, path.passkeyId, by);

export const getSignInOptions: Operation<'getSignInOptions'> = async (_input, { db, oidc }) => ({
  hasMembers: await hasAnyMember(db.read),
  oidc: oidc !== undefined,
});

export const signIn: Operation<'signIn'> = async ({ body, ...principal }, service) => {
  const fresh = await signInWithPassword(service.members, body, principal.cookies.clientInfo);
  return startNewSession(service, principal, fresh);
};

export const startPasskeySignIn: Operation<'startPasskeySignIn'> = async (_input, { members }) => {
  const { challengeId, options } = await startChallenge(members);
  return { challengeId, options: { ...options } };
};

export const signInWithPasskey: Operation<'signInWithPasskey'> = async ({ body, ...principal }, service) => {
  const fresh = await passkeySignIn(service.members, body, principal.cookies.clientInfo);
  return startNewSession(service, principal, fresh);
};

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

/** Replaces the browser's previous session, whichever member's it was. */
const startNewSession = async (
  service: DashboardNeeds,
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

const sessionToJson = async (
  { db, config }: DashboardNeeds,
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
