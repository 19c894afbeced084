// Changes and removes memberships. An organization always keeps an owner.

import type { Queries } from '../../platform/db/open.ts';
import { Conflict, NotFound } from '../../platform/values/errors.ts';
import type { AuditContext } from '../audit/by.ts';
import { audited } from '../audit/store.ts';
import type { MemberDeps, Role } from './member.ts';
import type { MembershipKey } from './store.ts';
import * as store from './store.ts';
import * as tokenStore from './tokenStore.ts';

/** Changes a member's role. Throws NotFound, and Conflict for the last owner. */
export const changeRole = async (
  { db }: MemberDeps,
  { memberId, role }: { memberId: string; role: Role },
  by: AuditContext,
): Promise<void> => {
  const key = { organizationId: by.organizationId, memberId };
  await audited(db, by, async (trx) => {
    const before = await lockRole(trx, key, role);
    if (role === before) return undefined;
    await store.updateRole(trx, key, role);
    if (before === 'owner') await tokenStore.deleteResetTokensIn(trx, key.organizationId);
    return { action: 'member_role_changed', subject: memberId, details: { before, after: role } };
  });
};

/** Removes a membership; the member's account remains. Throws NotFound, and Conflict for the last owner. */
export const removeMember = async ({ db }: MemberDeps, memberId: string, by: AuditContext): Promise<void> => {
  const key = { organizationId: by.organizationId, memberId };
  await audited(db, by, async (trx) => {
    const role = await lockRole(trx, key, undefined);
    // Delete links that would let them back in: an owner may have created some for other members.
    if (role === 'owner') await tokenStore.deleteResetTokensIn(trx, key.organizationId);
    await tokenStore.deleteInvitations(trx, key);
    await store.deleteMembership(trx, key);
    return { action: 'member_removed', subject: memberId, details: { role } };
  });
};

/** Locks the owners; returns the member's role. Throws Conflict if `next` would leave the organization without an owner. */
const lockRole = async (trx: Queries, key: MembershipKey, next: Role | undefined): Promise<Role> => {
  const owners = await store.lockOwners(trx, key.organizationId);
  const role = await store.findRole(trx, key.organizationId, key.memberId);
  if (!role) throw new NotFound('member');
  if (role === 'owner' && next !== 'owner' && owners.length === 1)
    throw new Conflict('The last owner cannot be changed. Make another member an owner first.');
  return role;
};
