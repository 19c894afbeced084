// Password resets by a link, which an owner of the organization or the operator creates.
import { type Actor, operatorActor, recordAuditEvent } from '../audit/store.ts';
import { Conflict, NotFound } from '../errors.ts';
import { hashPassword } from '../vault/passwordHash.ts';
import type { MemberDeps } from './deps.ts';
import { type ClientInfo, type Member, normalizeEmail } from './member.ts';
import { recordMemberEvent } from './memberAudit.ts';
import { type IssuedMemberToken, makeMemberToken, verifyMemberToken } from './memberTokens.ts';
import { deleteMemberSessions } from './sessionStore.ts';
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
 * Creates a reset link for a member. The acting owner must own all organizations of the member, because the link gives
 * access to all of them. Throws NotFound, Conflict.
 */
export const createResetLinkAsOwner = async (
  deps: MemberDeps,
  request: { organizationId: string; memberId: string; actor: Actor & { memberId: string } },
): Promise<IssuedMemberToken> => {
  const { db } = deps;
  const { organizationId, memberId, actor } = request;
  const member = await findMember(db.read, { id: memberId });
  if (!member || !(await findRole(db.read, organizationId, memberId))) throw new NotFound('member');
  for (const organization of await findMemberOrganizations(db.read, memberId)) {
    if ((await findRole(db.read, organization.id, actor.memberId)) !== 'owner')
      throw new Conflict('This member belongs to another organization too: ask the operator for a link.');
  }
  return issueResetLink(deps, member, actor);
};

/** Creates a reset link for the member with this email. Throws NotFound. */
export const createResetLinkAsOperator = async (
  deps: MemberDeps,
  email: string,
): Promise<IssuedMemberToken> => {
  const member = await findMember(deps.db.read, { email: normalizeEmail(email) });
  if (!member) throw new NotFound('member');
  return issueResetLink(deps, member, operatorActor);
};

const issueResetLink = async (deps: MemberDeps, member: Member, actor: Actor): Promise<IssuedMemberToken> => {
  const now = deps.clock.real();
  const fields = { kind: 'reset', organizationId: null, email: member.email, role: null } as const;
  const issued = makeMemberToken(deps, fields, deps.limits.resetLinkMinutes / 60);
  await deps.db.transaction(async (trx) => {
    await deleteResetTokens(trx, member.email);
    await replaceMemberToken(trx, issued.memberToken);
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
  return issued;
};

/**
 * Sets a new password, ends all sessions and deletes all passkeys, because someone else may have added them. Throws
 * NotFound for an invalid link.
 */
export const resetPassword = async (
  deps: MemberDeps,
  { token, password }: { token: string; password: string },
  clientInfo: ClientInfo,
): Promise<void> => {
  const { db, clock } = deps;
  const now = clock.real();
  const memberToken = await verifyMemberToken(db.read, { token, kind: 'reset', now });
  const passwordHash = await hashPassword(password);
  await db.transaction(async (trx) => {
    const member = await findMember(trx, { email: memberToken.email });
    if (!member || !(await deleteMemberToken(trx, memberToken))) throw new NotFound('link');
    await deleteResetTokens(trx, member.email);
    await updateMember(trx, member.id, { passwordHash });
    await deleteMemberSessions(trx, { memberId: member.id });
    await deletePasskeys(trx, { memberId: member.id });
    await recordMemberEvent(trx, { member, clientInfo, now, action: 'password_reset' });
  });
};
