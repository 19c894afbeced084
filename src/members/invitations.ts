// Invitations: how somebody becomes a member of an organization.
import { type Actor, recordAuditEvent } from '../audit/store.ts';
import type { Queries } from '../db/open.ts';
import { Conflict, NotFound, NotSignedIn, ValidationError } from '../errors.ts';
import { makeId } from '../ids.ts';
import { hashPassword } from '../vault/passwordHash.ts';
import type { MemberDeps } from './deps.ts';
import { type ClientInfo, type Member, normalizeEmail, type Role } from './member.ts';
import { type IssuedMemberToken, makeMemberToken, verifyMemberToken } from './memberTokens.ts';
import { verifyCredentials } from './passwords.ts';
import { type AuthenticatedMember, createMemberSession, type NewMemberSession } from './sessions.ts';
import { recordAddressAttempt } from './signInAttempts.ts';
import {
  deleteMemberToken,
  findInvitations,
  findMember,
  findRole,
  hasAnyMember,
  insertMember,
  insertMembership,
  type MemberToken,
  replaceMemberToken,
} from './store.ts';

const passwordLengthMin = 12;

/** Invites an email to an organization. Throws Conflict where it belongs to it already. */
export const invite = async (
  tools: MemberDeps,
  request: { organizationId: string; email: string; role: Role; actor: Actor },
): Promise<IssuedMemberToken> => {
  const { db, clock, limits } = tools;
  const { organizationId, role, actor } = request;
  const email = normalizeEmail(request.email);
  const now = clock.real();
  const given = { kind: 'invitation', organizationId, email, role } as const;
  const made = makeMemberToken(tools, given, limits.invitationHours);
  const { memberToken } = made;
  await db.transaction(async (trx) => {
    const member = await findMember(trx, { email });
    if (member && (await findRole(trx, organizationId, member.id)))
      throw new Conflict('This email belongs to a member already.');
    await replaceMemberToken(trx, memberToken);
    const details = { email, role };
    await recordAuditEvent(trx, {
      organizationId,
      now,
      action: 'invitation_created',
      actor,
      subject: memberToken.id,
      details,
    });
  });
  return made;
};

/** Withdraws an invitation of an organization. Throws NotFound. */
export const revokeInvitation = async (
  { db, clock }: MemberDeps,
  request: { organizationId: string; id: string; actor: Actor },
): Promise<void> => {
  const { organizationId, id, actor } = request;
  const now = clock.real();
  await db.transaction(async (trx) => {
    const invitations = await findInvitations(trx, { organizationId }, now.toISOString());
    const invitation = invitations.find((one) => one.id === id);
    if (!invitation || !(await deleteMemberToken(trx, invitation))) throw new NotFound('invitation');
    const { email } = invitation;
    await recordAuditEvent(trx, {
      organizationId,
      now,
      action: 'invitation_revoked',
      actor,
      subject: id,
      details: { email },
    });
  });
};

/** The invitation of a token, and whether its email has an account. Throws NotFound. */
export const getInvitation = async (
  { db, clock }: MemberDeps,
  token: string,
): Promise<{ invitation: MemberToken; hasAccount: boolean }> => {
  const invitation = await verifyMemberToken(db.read, { token, kind: 'invitation', now: clock.real() });
  const member = await findMember(db.read, { email: invitation.email });
  return { invitation, hasAccount: member !== undefined };
};

export type Acceptance = { token: string; email?: string; name?: string; password?: string };

/**
 * Accepts an invitation and signs in. Somebody new gets an account; whose email has one must be signed in to it
 * already or give its password. Throws NotFound, NotSignedIn, ValidationError, TooManyAttempts.
 */
export const acceptInvitation = async (
  tools: MemberDeps,
  acceptance: Acceptance,
  { clientInfo, signedIn }: { clientInfo: ClientInfo; signedIn: AuthenticatedMember | undefined },
): Promise<NewMemberSession> => {
  const { db, clock } = tools;
  await recordAddressAttempt(tools, clientInfo.address);
  const held = (await getInvitation(tools, acceptance.token)).invitation;
  const isForFirstOwner = held.email === '';
  const invitation = resolveInvitationEmail(held, acceptance);
  const known = await findMember(db.read, { email: invitation.email });
  if (known && signedIn?.member.id !== known.id) {
    const { password } = acceptance;
    if (password === undefined) throw new NotSignedIn();
    await verifyCredentials(tools, { email: known.email, password }, clientInfo);
  }
  const member = known ?? (await newMember(invitation, acceptance, clock.real()));
  await db.transaction(async (trx) => {
    if (!(await deleteMemberToken(trx, invitation))) throw new NotFound('link');
    if (isForFirstOwner && (await hasAnyMember(trx))) throw new NotFound('link');
    if (!known) await insertMember(trx, member);
    await joinOrganization(trx, { member, invitation, now: clock.real(), clientInfo });
  });
  return createMemberSession(tools, member, { method: 'invitation', clientInfo });
};

/** The invitation with the email of who accepts it, where it names none itself. */
const resolveInvitationEmail = (invitation: MemberToken, { email }: Acceptance): MemberToken => {
  if (invitation.email !== '') return invitation;
  if (email === undefined) throw fieldError('email', 'is needed for the first owner');
  return { ...invitation, email: normalizeEmail(email) };
};

/**
 * The link by which the first member becomes an owner, as long as there is none: whoever reads the terminal is the
 * operator. It takes the place of an earlier one. Undefined where there are members, or no organization.
 */
export const inviteFirstOwner = async (
  tools: MemberDeps,
  organizationId: string | undefined,
): Promise<IssuedMemberToken | undefined> => {
  const { db, limits } = tools;
  if (organizationId === undefined || (await hasAnyMember(db.read))) return undefined;
  const given = { kind: 'invitation', organizationId, email: '', role: 'owner' } as const;
  const made = makeMemberToken(tools, given, limits.invitationHours);
  await db.transaction((trx) => replaceMemberToken(trx, made.memberToken));
  return made;
};

/** Makes a member of an organization out of an invitation that was taken. */
export const joinOrganization = async (
  trx: Queries,
  given: { member: Member; invitation: MemberToken; now: Date; clientInfo: ClientInfo },
): Promise<void> => {
  const { member, invitation, now, clientInfo } = given;
  const organizationId = invitation.organizationId!;
  const role = invitation.role!;
  await insertMembership(trx, { organizationId, memberId: member.id, role, createdAt: now.toISOString() });
  const actor = { memberId: member.id, email: member.email, address: clientInfo.address };
  const details = { role };
  await recordAuditEvent(trx, {
    organizationId,
    now,
    action: 'member_joined',
    actor,
    subject: member.id,
    details,
  });
};

const newMember = async (
  { email }: MemberToken,
  { name, password }: Acceptance,
  now: Date,
): Promise<Member> => {
  if (name === undefined) throw fieldError('name', 'is needed for a new account');
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
