// Links that work once: an invitation makes a member, a reset chooses a new password. The token stands behind `#`,
// where no server and no log sees it; the database keeps its hash.
import { record } from '../audit/record.ts';
import { after, seconds } from '../clock.ts';
import type { Queries } from '../db/open.ts';
import { BadInput, Conflict, NotFound, NotSignedIn } from '../errors.ts';
import { makeId } from '../ids.ts';
import { hashPassword } from '../vault/passwordHash.ts';
import { makeProof, proofHash } from '../vault/proof.ts';
import { recordForMember } from './diary.ts';
import { type Member, normalEmail, type Place, type Role } from './member.ts';
import { provePassword } from './passwords.ts';
import { beginSession, type FreshSession, type SignedIn } from './sessions.ts';
import {
  deleteLink,
  deletePasskeys,
  deleteResetLinks,
  deleteSessions,
  findInvitations,
  findLink,
  findMember,
  findOwnOrganizations,
  findRole,
  insertMember,
  insertMembership,
  type Link,
  replaceLink,
  updateMember,
} from './store.ts';
import type { MemberTools } from './tools.ts';
import { noteTryFrom } from './tries.ts';

/** Who made a link: a member of the organization, or the operator at the command line. */
export type Maker = { memberId: string | null; email: string | null; address: string | null };
export const operator: Maker = { memberId: null, email: null, address: null };

export type MadeLink = { link: Link; address: string };

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
  const proof = makeProof();
  const link: Link = {
    id: makeId('inv'),
    tokenHash: proof.hash,
    kind: 'invitation',
    organizationId,
    email,
    role,
    createdAt: now.toISOString(),
    expiresAt: after(now, seconds(limits.invitationHours * 3600)).toISOString(),
  };
  await db.transaction(async (trx) => {
    const member = await findMember(trx, { email });
    if (member && (await findRole(trx, organizationId, member.id)))
      throw new Conflict('This email belongs to a member already.');
    await replaceLink(trx, link);
    const details = { email, role };
    await record(trx, { organizationId, now, action: 'invitation_made', by, subject: link.id, details });
  });
  return { link, address: `${tools.baseUrl}/dashboard/invitation#${proof.text}` };
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

const findByToken = async (
  db: Queries,
  wanted: { token: string; kind: Link['kind']; now: Date },
): Promise<Link> => {
  const { token, kind, now } = wanted;
  const link = await findLink(db, { tokenHash: proofHash(token), kind, now: now.toISOString() });
  if (!link) throw new NotFound('link');
  return link;
};

export type Acceptance = { token: string; name?: string; password?: string };

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
  const { invitation } = await viewInvitation(tools, acceptance.token);
  const known = await findMember(db.read, { email: invitation.email });
  if (known && signedIn?.member.id !== known.id) {
    const { password } = acceptance;
    if (password === undefined) throw new NotSignedIn();
    await provePassword(tools, { email: known.email, password }, place);
  }
  const member = known ?? (await newMember(invitation, acceptance, clock.real()));
  await db.transaction(async (trx) => {
    if (!(await deleteLink(trx, invitation))) throw new NotFound('link');
    if (!known) await insertMember(trx, member);
    await join(trx, { member, invitation, now: clock.real(), place });
  });
  return beginSession(tools, member, { method: 'invitation', place });
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

/**
 * A link by which a member chooses a new password. An organization's owner makes one only for a member of whose
 * every organization they are an owner: it would open the others too. Throws NotFound, Conflict.
 */
export const makeResetLink = async (
  tools: MemberTools,
  request: { organizationId: string; memberId: string; by: Maker & { memberId: string } },
): Promise<MadeLink> => {
  const { db } = tools;
  const { organizationId, memberId, by } = request;
  const member = await findMember(db.read, { id: memberId });
  if (!member || !(await findRole(db.read, organizationId, memberId))) throw new NotFound('member');
  for (const organization of await findOwnOrganizations(db.read, memberId)) {
    if ((await findRole(db.read, organization.id, by.memberId)) !== 'owner')
      throw new Conflict('This member belongs to another organization too: ask the operator for a link.');
  }
  return resetLinkFor(tools, member, by);
};

/** The operator's own way to such a link, by email. Throws NotFound. */
export const makeOperatorResetLink = async (tools: MemberTools, email: string): Promise<MadeLink> => {
  const member = await findMember(tools.db.read, { email: normalEmail(email) });
  if (!member) throw new NotFound('member');
  return resetLinkFor(tools, member, operator);
};

const resetLinkFor = async (tools: MemberTools, member: Member, by: Maker): Promise<MadeLink> => {
  const now = tools.clock.real();
  const proof = makeProof();
  const link: Link = {
    id: makeId('inv'),
    tokenHash: proof.hash,
    kind: 'reset',
    organizationId: null,
    email: member.email,
    role: null,
    createdAt: now.toISOString(),
    expiresAt: after(now, seconds(tools.limits.resetLinkMinutes * 60)).toISOString(),
  };
  await tools.db.transaction(async (trx) => {
    await deleteResetLinks(trx, member.email);
    await replaceLink(trx, link);
    for (const { id } of await findOwnOrganizations(trx, member.id)) {
      await record(trx, { organizationId: id, now, action: 'reset_link_made', by, subject: member.id });
    }
  });
  return { link, address: `${tools.baseUrl}/dashboard/reset#${proof.text}` };
};

/** Chooses a new password: every session ends, and passkeys go, because somebody else may have added them. */
export const resetPassword = async (
  tools: MemberTools,
  { token, password }: { token: string; password: string },
  place: Place,
): Promise<void> => {
  const { db, clock } = tools;
  await noteTryFrom(tools, place.address);
  const now = clock.real();
  const link = await findByToken(db.read, { token, kind: 'reset', now });
  const passwordHash = await hashPassword(password);
  await db.transaction(async (trx) => {
    const member = await findMember(trx, { email: link.email });
    if (!member || !(await deleteLink(trx, link))) throw new NotFound('link');
    await deleteResetLinks(trx, member.email);
    await updateMember(trx, member.id, { password_hash: passwordHash });
    await deleteSessions(trx, { memberId: member.id });
    await deletePasskeys(trx, { memberId: member.id });
    await recordForMember(trx, { member, place, now, action: 'password_reset' });
  });
};
