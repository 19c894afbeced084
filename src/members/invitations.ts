// Invitations: how somebody becomes a member of an organization.
import { record } from '../audit/record.ts';
import type { Queries } from '../db/open.ts';
import { BadInput, Conflict, NotFound, NotSignedIn } from '../errors.ts';
import { makeId } from '../ids.ts';
import { hashPassword } from '../vault/passwordHash.ts';
import { findByToken, type MadeLink, type Maker, newLink } from './link.ts';
import { type Member, normalEmail, type Place, type Role } from './member.ts';
import { provePassword } from './passwords.ts';
import { beginSession, type FreshSession, type SignedIn } from './sessions.ts';
import {
  deleteLink,
  findInvitations,
  findMember,
  findRole,
  insertMember,
  insertMembership,
  isAnyMember,
  type Link,
  replaceLink,
} from './store.ts';
import type { MemberTools } from './tools.ts';
import { noteTryFrom } from './tries.ts';

const passwordLengthMin = 12;

/** Invites an email to an organization. Throws Conflict where it belongs to it already. */
export const invite = async (
  tools: MemberTools,
  request: { organizationId: string; email: string; role: Role; by: Maker },
): Promise<MadeLink> => {
  const { db, clock, limits } = tools;
  const { organizationId, role, by } = request;
  const email = normalEmail(request.email);
  const now = clock.real();
  const given = { kind: 'invitation', organizationId, email, role } as const;
  const made = newLink(tools, given, limits.invitationHours);
  const { link } = made;
  await db.transaction(async (trx) => {
    const member = await findMember(trx, { email });
    if (member && (await findRole(trx, organizationId, member.id)))
      throw new Conflict('This email belongs to a member already.');
    await replaceLink(trx, link);
    const details = { email, role };
    await record(trx, { organizationId, now, action: 'invitation_made', by, subject: link.id, details });
  });
  return made;
};

/** Withdraws an invitation of an organization. Throws NotFound. */
export const withdrawInvitation = async (
  { db, clock }: MemberTools,
  request: { organizationId: string; id: string; by: Maker },
): Promise<void> => {
  const { organizationId, id, by } = request;
  const now = clock.real();
  await db.transaction(async (trx) => {
    const invitations = await findInvitations(trx, { organizationId }, now.toISOString());
    const invitation = invitations.find((one) => one.id === id);
    if (!invitation || !(await deleteLink(trx, invitation))) throw new NotFound('invitation');
    const { email } = invitation;
    await record(trx, {
      organizationId,
      now,
      action: 'invitation_withdrawn',
      by,
      subject: id,
      details: { email },
    });
  });
};

/** The invitation of a token, and whether its email has an account. Throws NotFound. */
export const viewInvitation = async (
  { db, clock }: MemberTools,
  token: string,
): Promise<{ invitation: Link; hasAccount: boolean }> => {
  const invitation = await findByToken(db.read, { token, kind: 'invitation', now: clock.real() });
  const member = await findMember(db.read, { email: invitation.email });
  return { invitation, hasAccount: member !== undefined };
};

export type Acceptance = { token: string; email?: string; name?: string; password?: string };

/**
 * Accepts an invitation and signs in. Somebody new gets an account; whose email has one must be signed in to it
 * already or give its password. Throws NotFound, NotSignedIn, BadInput, TooManyTries.
 */
export const acceptInvitation = async (
  tools: MemberTools,
  acceptance: Acceptance,
  { place, signedIn }: { place: Place; signedIn: SignedIn | undefined },
): Promise<FreshSession> => {
  const { db, clock } = tools;
  await noteTryFrom(tools, place.address);
  const held = (await viewInvitation(tools, acceptance.token)).invitation;
  const isForFirstOwner = held.email === '';
  const invitation = addressed(held, acceptance);
  const known = await findMember(db.read, { email: invitation.email });
  if (known && signedIn?.member.id !== known.id) {
    const { password } = acceptance;
    if (password === undefined) throw new NotSignedIn();
    await provePassword(tools, { email: known.email, password }, place);
  }
  const member = known ?? (await newMember(invitation, acceptance, clock.real()));
  await db.transaction(async (trx) => {
    if (!(await deleteLink(trx, invitation))) throw new NotFound('link');
    if (isForFirstOwner && (await isAnyMember(trx))) throw new NotFound('link');
    if (!known) await insertMember(trx, member);
    await join(trx, { member, invitation, now: clock.real(), place });
  });
  return beginSession(tools, member, { method: 'invitation', place });
};

/** The invitation with the email of who accepts it, where it names none itself. */
const addressed = (invitation: Link, { email }: Acceptance): Link => {
  if (invitation.email !== '') return invitation;
  if (email === undefined) throw badInput('email', 'is needed for the first owner');
  return { ...invitation, email: normalEmail(email) };
};

/**
 * The link by which the first member becomes an owner, as long as there is none: whoever reads the terminal is the
 * operator. It takes the place of an earlier one. Undefined where there are members, or no organization.
 */
export const inviteFirstOwner = async (
  tools: MemberTools,
  organizationId: string | undefined,
): Promise<MadeLink | undefined> => {
  const { db, limits } = tools;
  if (organizationId === undefined || (await isAnyMember(db.read))) return undefined;
  const given = { kind: 'invitation', organizationId, email: '', role: 'owner' } as const;
  const made = newLink(tools, given, limits.invitationHours);
  await db.transaction((trx) => replaceLink(trx, made.link));
  return made;
};

/** Makes a member of an organization out of an invitation that was taken. */
export const join = async (
  trx: Queries,
  given: { member: Member; invitation: Link; now: Date; place: Place },
): Promise<void> => {
  const { member, invitation, now, place } = given;
  const organizationId = invitation.organizationId!;
  const role = invitation.role!;
  await insertMembership(trx, { organizationId, memberId: member.id, role, createdAt: now.toISOString() });
  const by = { memberId: member.id, email: member.email, address: place.address };
  const details = { role };
  await record(trx, { organizationId, now, action: 'member_joined', by, subject: member.id, details });
};

const newMember = async ({ email }: Link, { name, password }: Acceptance, now: Date): Promise<Member> => {
  if (name === undefined) throw badInput('name', 'is needed for a new account');
  if (password === undefined || password.length < passwordLengthMin) {
    throw badInput('password', `must have at least ${passwordLengthMin} characters`);
  }
  return {
    id: makeId('mem'),
    email,
    name: name.trim(),
    passwordHash: await hashPassword(password),
    openidSubject: null,
    createdAt: now.toISOString(),
  };
};

const badInput = (field: string, message: string): BadInput =>
  new BadInput('invalid_request', [{ path: `/body/${field}`, message }]);
