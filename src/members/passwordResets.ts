// Choosing a new password by a link, when the old one is lost: from another owner, or from the operator.
import { type Actor, operatorActor, recordAuditEvent } from '../audit/store.ts';
import { Conflict, NotFound } from '../errors.ts';
import { hashPassword } from '../vault/passwordHash.ts';
import type { MemberDeps } from './deps.ts';
import { type ClientInfo, type Member, normalizeEmail } from './member.ts';
import { recordMemberEvent } from './memberAudit.ts';
import { type IssuedMemberToken, makeMemberToken, verifyMemberToken } from './memberTokens.ts';
import { deleteMemberSessions } from './sessionStore.ts';
import { recordAddressAttempt } from './signInAttempts.ts';
import { deletePasskeys } from './signInStore.ts';
import {
  deleteMemberToken,
  deleteResetTokens,
  findMember,
  findMemberOrganizations,
  findRole,
  replaceMemberToken,
  updateMember,
} from './store.ts';

/**
 * A link by which a member chooses a new password. An organization's owner makes one only for a member of whose
 * every organization they are an owner: it would open the others too. Throws NotFound, Conflict.
 */
export const createResetLinkAsOwner = async (
  tools: MemberDeps,
  request: { organizationId: string; memberId: string; actor: Actor & { memberId: string } },
): Promise<IssuedMemberToken> => {
  const { db } = tools;
  const { organizationId, memberId, actor } = request;
  const member = await findMember(db.read, { id: memberId });
  if (!member || !(await findRole(db.read, organizationId, memberId))) throw new NotFound('member');
  for (const organization of await findMemberOrganizations(db.read, memberId)) {
    if ((await findRole(db.read, organization.id, actor.memberId)) !== 'owner')
      throw new Conflict('This member belongs to another organization too: ask the operator for a link.');
  }
  return issueResetLink(tools, member, actor);
};

/** The operator's own way to such a link, by email. Throws NotFound. */
export const createResetLinkAsOperator = async (
  tools: MemberDeps,
  email: string,
): Promise<IssuedMemberToken> => {
  const member = await findMember(tools.db.read, { email: normalizeEmail(email) });
  if (!member) throw new NotFound('member');
  return issueResetLink(tools, member, operatorActor);
};

const issueResetLink = async (
  tools: MemberDeps,
  member: Member,
  actor: Actor,
): Promise<IssuedMemberToken> => {
  const now = tools.clock.real();
  const given = { kind: 'reset', organizationId: null, email: member.email, role: null } as const;
  const made = makeMemberToken(tools, given, tools.limits.resetLinkMinutes / 60);
  await tools.db.transaction(async (trx) => {
    await deleteResetTokens(trx, member.email);
    await replaceMemberToken(trx, made.memberToken);
    for (const { id } of await findMemberOrganizations(trx, member.id)) {
      await recordAuditEvent(trx, {
        organizationId: id,
        now,
        action: 'reset_link_created',
        actor,
        subject: member.id,
      });
    }
  });
  return made;
};

/** Chooses a new password: every session ends, and passkeys go, because somebody else may have added them. */
export const resetPassword = async (
  tools: MemberDeps,
  { token, password }: { token: string; password: string },
  clientInfo: ClientInfo,
): Promise<void> => {
  const { db, clock } = tools;
  await recordAddressAttempt(tools, clientInfo.address);
  const now = clock.real();
  const link = await verifyMemberToken(db.read, { token, kind: 'reset', now });
  const passwordHash = await hashPassword(password);
  await db.transaction(async (trx) => {
    const member = await findMember(trx, { email: link.email });
    if (!member || !(await deleteMemberToken(trx, link))) throw new NotFound('link');
    await deleteResetTokens(trx, member.email);
    await updateMember(trx, member.id, { password_hash: passwordHash });
    await deleteMemberSessions(trx, { memberId: member.id });
    await deletePasskeys(trx, { memberId: member.id });
    await recordMemberEvent(trx, { member, clientInfo, now, action: 'password_reset' });
  });
};
