// Choosing a new password by a link, when the old one is lost: from another owner, or from the operator.
import { record } from '../audit/record.ts';
import { Conflict, NotFound } from '../errors.ts';
import { hashPassword } from '../vault/passwordHash.ts';
import { recordForMember } from './diary.ts';
import { findByToken, type MadeLink, type Maker, newLink, operator } from './link.ts';
import { type Member, normalEmail, type Place } from './member.ts';
import { deleteSessions } from './sessionStore.ts';
import { deletePasskeys } from './signInStore.ts';
import {
  deleteLink,
  deleteResetLinks,
  findMember,
  findOwnOrganizations,
  findRole,
  replaceLink,
  updateMember,
} from './store.ts';
import type { MemberTools } from './tools.ts';
import { noteTryFrom } from './tries.ts';

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
  const given = { kind: 'reset', organizationId: null, email: member.email, role: null } as const;
  const made = newLink(tools, given, tools.limits.resetLinkMinutes / 60);
  await tools.db.transaction(async (trx) => {
    await deleteResetLinks(trx, member.email);
    await replaceLink(trx, made.link);
    for (const { id } of await findOwnOrganizations(trx, member.id)) {
      await record(trx, { organizationId: id, now, action: 'reset_link_made', by, subject: member.id });
    }
  });
  return made;
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
