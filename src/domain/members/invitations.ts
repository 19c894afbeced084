// Invitations to organizations, and their acceptance.

import type { Queries } from '../../platform/db/open.ts';
import { addMilliseconds, seconds } from '../../platform/values/clock.ts';
import { Conflict, NotFound, NotSignedIn, ValidationError } from '../../platform/values/errors.ts';
import { makeId } from '../../platform/values/ids.ts';
import { hashPassword } from '../../platform/vault/passwordHash.ts';
import type { ActorAt, AuditContext } from '../audit/by.ts';
import { audited, recordAudit } from '../audit/store.ts';
import { type ClientInfo, type Member, type MemberDeps, normalizeEmail, type Role } from './member.ts';
import { byMember } from './memberAudit.ts';
import { type IssuedMemberToken, makeMemberToken, verifyMemberToken } from './memberTokens.ts';
import { isSufficient } from './passkeys.ts';
import { verifyCredentials } from './passwords.ts';
import { type AuthenticatedMember, createMemberSession, type NewMemberSession } from './sessions.ts';
import * as store from './store.ts';
import type { MemberToken } from './tokenStore.ts';
import * as tokenStore from './tokenStore.ts';

const passwordLengthMin = 12;

/** Invites an email address to an organization. Throws Conflict if it already belongs to a member. */
export const invite = async (
  deps: MemberDeps,
  request: { email: string; role: Role },
  by: AuditContext,
): Promise<IssuedMemberToken> => {
  const { organizationId } = by;
  const { role } = request;
  const email = normalizeEmail(request.email);
  const fields = { kind: 'invitation', organizationId, email, role } as const;
  const issued = makeMemberToken(deps, fields, deps.limits.invitationHours);
  const { memberToken } = issued;
  await audited(deps.db, by, async (trx) => {
    const member = await store.findMember(trx, { email });
    if (member && (await store.findRole(trx, organizationId, member.id)))
      throw new Conflict('A member already has this email.');
    await tokenStore.replaceMemberToken(trx, memberToken);
    return { action: 'invitation_created', subject: memberToken.id, details: { email, role } };
  });
  return issued;
};

/** Revokes an organization's invitation. Throws NotFound. */
export const revokeInvitation = async ({ db }: MemberDeps, id: string, by: AuditContext): Promise<void> => {
  const { organizationId, now } = by;
  await audited(db, by, async (trx) => {
    const invitations = await tokenStore.findInvitations(trx, { organizationId }, now.toISOString());
    const invitation = invitations.find((one) => one.id === id);
    if (!invitation || !(await tokenStore.deleteMemberToken(trx, invitation)))
      throw new NotFound('invitation');
    return { action: 'invitation_revoked', subject: id, details: { email: invitation.email } };
  });
};

/** The invitation with this token; `hasAccount` is true if its email has an account. Throws NotFound. */
export const getInvitation = async (
  { db, clock }: MemberDeps,
  token: string,
): Promise<{ invitation: MemberToken; hasAccount: boolean }> => {
  const invitation = await verifyMemberToken(db.read, { token, kind: 'invitation', now: clock.real() });
  const member = await store.findMember(db.read, { email: invitation.email });
  return { invitation, hasAccount: member !== undefined };
};

export type Acceptance = { token: string; email?: string; name?: string; password?: string };

/**
 * Accepts an invitation and creates a session. Creates an account if the email has none; an existing member must be signed in
 * or enter the password. Throws NotFound, NotSignedIn, ValidationError, TooManyAttempts.
 */
export const acceptInvitation = async (
  deps: MemberDeps,
  acceptance: Acceptance,
  { clientInfo, signedIn }: { clientInfo: ClientInfo; signedIn: AuthenticatedMember | undefined },
): Promise<NewMemberSession> => {
  const { db, clock } = deps;
  const stored = (await getInvitation(deps, acceptance.token)).invitation;
  const isForFirstOwner = stored.email === '';
  const invitation = resolveInvitationEmail(stored, acceptance);
  const existing = await store.findMember(db.read, { email: invitation.email });
  if (existing && signedIn?.member.id !== existing.id) {
    const { password } = acceptance;
    if (password === undefined) throw new NotSignedIn();
    await verifyCredentials(deps, { email: existing.email, password }, clientInfo);
  }
  const member = existing ?? (await newMember(invitation, acceptance, clock.real()));
  await db.transaction(async (trx) => {
    if (!(await tokenStore.deleteMemberToken(trx, invitation))) throw new NotFound('link');
    if (isForFirstOwner && (await store.hasAnyMember(trx))) throw new NotFound('link');
    if (!existing) await store.insertMember(trx, member);
    await joinOrganization(trx, member, invitation, byMember(member, clientInfo, clock.real()));
  });
  // Accepting replaces the session. The new one keeps a method that has all rights, such as a passkey.
  const before = signedIn?.member.id === member.id ? signedIn.session.method : undefined;
  const method = before && isSufficient(before) ? before : 'invitation';
  return createMemberSession(deps, member, { method, clientInfo });
};

/** Adds the accepting user's email to the first owner's invitation, which lacks an email. */
const resolveInvitationEmail = (invitation: MemberToken, { email }: Acceptance): MemberToken => {
  if (invitation.email !== '') return invitation;
  if (email === undefined) throw fieldError('email', 'is required for the first owner');
  return { ...invitation, email: normalizeEmail(email) };
};

/** A link printed this recently by another process is kept, so that only one of several starting replicas prints one. */
const firstOwnerLinkFreshMs = seconds(60);

/**
 * Creates the link that makes the first member an owner, replacing any earlier link. It is printed at startup, because only the
 * operator reads the terminal. Returns undefined if a member exists or a link was created in the last minute.
 */
export const inviteFirstOwner = async (
  deps: MemberDeps,
  organizationId: string,
): Promise<IssuedMemberToken | undefined> => {
  const { db, clock, limits } = deps;
  if (await store.hasAnyMember(db.read)) return undefined;
  const createdAt = await tokenStore.findFirstOwnerInvitedAt(db.read, organizationId);
  const freshFrom = addMilliseconds(clock.real(), -firstOwnerLinkFreshMs);
  if (createdAt !== undefined && createdAt > freshFrom.toISOString()) return undefined;
  const fields = { kind: 'invitation', organizationId, email: '', role: 'owner' } as const;
  const issued = makeMemberToken(deps, fields, limits.invitationHours);
  await db.transaction((trx) => tokenStore.replaceMemberToken(trx, issued.memberToken));
  return issued;
};

/** Adds a member to the organization of an accepted invitation. */
export const joinOrganization = async (
  trx: Queries,
  { id: memberId }: Member,
  invitation: MemberToken,
  by: ActorAt,
): Promise<void> => {
  const organizationId = invitation.organizationId!;
  const role = invitation.role!;
  const createdAt = by.now.toISOString();
  await store.insertMembership(trx, { organizationId, memberId, role, createdAt });
  const joined = { action: 'member_joined', subject: memberId, details: { role } } as const;
  await recordAudit(trx, { ...by, organizationId }, joined);
};

const newMember = async (
  { email }: MemberToken,
  { name, password }: Acceptance,
  now: Date,
): Promise<Member> => {
  if (name === undefined) throw fieldError('name', 'is required for a new account');
  if (password === undefined || password.length < passwordLengthMin) {
    throw fieldError('password', `must have at least ${passwordLengthMin} characters`);
  }
  return {
    id: makeId('mem'),
    email,
    name: name.trim(),
    passwordHash: await hashPassword(password),
    oidcSubject: null,
    createdAt: now.toISOString(),
  };
};

const fieldError = (field: string, message: string): ValidationError =>
  new ValidationError('invalid_request', [{ path: `/body/${field}`, message }]);
