// Roles change, members go. An organization always keeps an owner.
import { record } from '../audit/record.ts';
import type { Queries } from '../db/open.ts';
import { Conflict, NotFound } from '../errors.ts';
import type { Maker } from './link.ts';
import type { Role } from './member.ts';
import { deleteMembership, findRole, holdOwners, updateRole } from './store.ts';
import type { MemberTools } from './tools.ts';

export type Of = { organizationId: string; memberId: string };

/** Gives a member another role. Throws NotFound, and Conflict for the last owner. */
export const changeRole = async (
  { db, clock }: MemberTools,
  of: Of,
  { role, by }: { role: Role; by: Maker },
): Promise<void> => {
  await db.transaction(async (trx) => {
    const before = await roleWithin(trx, of, role);
    await updateRole(trx, of, role);
    const details = { before, after: role };
    const now = clock.real();
    const { organizationId, memberId } = of;
    await record(trx, { organizationId, now, action: 'member_role_changed', by, subject: memberId, details });
  });
};

/** Ends a membership; the person keeps their account. Throws NotFound, and Conflict for the last owner. */
export const removeMember = async ({ db, clock }: MemberTools, of: Of, by: Maker): Promise<void> => {
  await db.transaction(async (trx) => {
    const role = await roleWithin(trx, of, undefined);
    await deleteMembership(trx, of);
    const { organizationId, memberId } = of;
    await record(trx, {
      organizationId,
      now: clock.real(),
      action: 'member_removed',
      by,
      subject: memberId,
      details: { role },
    });
  });
};

/** The role that somebody has, held so that the last owner cannot lose it to `next`. */
const roleWithin = async (trx: Queries, of: Of, next: Role | undefined): Promise<Role> => {
  const owners = await holdOwners(trx, of.organizationId);
  const role = await findRole(trx, of.organizationId, of.memberId);
  if (!role) throw new NotFound('member');
  if (role === 'owner' && next !== 'owner' && owners.length === 1)
    throw new Conflict('The last owner stays owner: make somebody else an owner first.');
  return role;
};
