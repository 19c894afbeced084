// Roles change, members go. An organization always keeps an owner.
import { type Actor, recordAuditEvent } from '../audit/store.ts';
import type { Queries } from '../db/open.ts';
import { Conflict, NotFound } from '../errors.ts';
import type { MemberDeps } from './deps.ts';
import type { Role } from './member.ts';
import { deleteMembership, findRole, lockOwners, updateRole } from './store.ts';

export type MembershipKey = { organizationId: string; memberId: string };

/** Gives a member another role. Throws NotFound, and Conflict for the last owner. */
export const changeRole = async (
  { db, clock }: MemberDeps,
  of: MembershipKey,
  { role, actor }: { role: Role; actor: Actor },
): Promise<void> => {
  await db.transaction(async (trx) => {
    const before = await lockRole(trx, of, role);
    await updateRole(trx, of, role);
    const details = { before, after: role };
    const now = clock.real();
    const { organizationId, memberId } = of;
    await recordAuditEvent(trx, {
      organizationId,
      now,
      action: 'member_role_changed',
      actor,
      subject: memberId,
      details,
    });
  });
};

/** Ends a membership; the person keeps their account. Throws NotFound, and Conflict for the last owner. */
export const removeMember = async (
  { db, clock }: MemberDeps,
  of: MembershipKey,
  actor: Actor,
): Promise<void> => {
  await db.transaction(async (trx) => {
    const role = await lockRole(trx, of, undefined);
    await deleteMembership(trx, of);
    const { organizationId, memberId } = of;
    await recordAuditEvent(trx, {
      organizationId,
      now: clock.real(),
      action: 'member_removed',
      actor,
      subject: memberId,
      details: { role },
    });
  });
};

/** The role that somebody has, held so that the last owner cannot lose it to `next`. */
const lockRole = async (trx: Queries, of: MembershipKey, next: Role | undefined): Promise<Role> => {
  const owners = await lockOwners(trx, of.organizationId);
  const role = await findRole(trx, of.organizationId, of.memberId);
  if (!role) throw new NotFound('member');
  if (role === 'owner' && next !== 'owner' && owners.length === 1)
    throw new Conflict('The last owner stays owner: make somebody else an owner first.');
  return role;
};
