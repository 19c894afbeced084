// Queries for members and their memberships.
import type { Queries } from '../../platform/db/open.ts';
import type { MembershipRow } from '../../platform/db/tables.ts';
import type { Member, Role } from './member.ts';

export const insertMember = async (db: Queries, member: Member): Promise<void> => {
  await db('members').insert(member);
};

export const findMember = async (
  db: Queries,
  key: { id: string } | { email: string } | { oidcSubject: string },
): Promise<Member | undefined> => db('members').where(key).first('*');

export const hasAnyMember = async (db: Queries): Promise<boolean> =>
  (await db('memberships').first('memberId')) !== undefined;

export const updateMember = async (
  db: Queries,
  id: string,
  change: Partial<Pick<Member, 'name' | 'passwordHash' | 'oidcSubject'>>,
): Promise<void> => {
  await db('members').where({ id }).update(change);
};

/** Stores a membership, unless the member already belongs to the organization. */
export const insertMembership = async (db: Queries, membership: MembershipRow): Promise<void> => {
  await db('memberships').insert(membership).onConflict(['organizationId', 'memberId']).ignore();
};

export const findRole = async (
  db: Queries,
  organizationId: string,
  memberId: string,
): Promise<Role | undefined> => {
  const row = await db('memberships').where({ organizationId, memberId }).first('role');
  return row?.role;
};

/** A member's organization, with their role and when it began to require passkeys. */
export type MemberOrganization = { id: string; name: string; role: Role; passkeysRequiredAt: string | null };

export const findMemberOrganizations = async (db: Queries, memberId: string): Promise<MemberOrganization[]> =>
  db('memberships')
    .join('organizations', 'organizations.id', 'memberships.organizationId')
    .where({ memberId })
    .orderBy(['organizations.name', 'organizations.id'])
    .select('organizations.id', 'organizations.name', 'organizations.passkeysRequiredAt', 'memberships.role');

/**
 * Locks a member until the transaction ends, so that two requests cannot both add a first passkey or remove the last. Returns
 * false if the password changed since the member was read, because that ended the sessions.
 */
export const lockUnchangedMember = async (trx: Queries, member: Member): Promise<boolean> => {
  const current = await trx('members').where({ id: member.id }).forUpdate().first('passwordHash');
  return current?.passwordHash === member.passwordHash;
};

export type ListedMember = Pick<Member, 'id' | 'email' | 'name'> & {
  role: Role;
  joinedAt: string;
  lastSeenAt: string | null;
};

/** The members of an organization, or only `memberId`, in the order they joined. */
export const findMembers = async (
  db: Queries,
  organizationId: string,
  memberId?: string,
): Promise<ListedMember[]> => {
  const lastSeen = db('member_sessions').whereRaw('member_id = members.id').max('lastUsedAt');
  const query = db('memberships')
    .join('members', 'members.id', 'memberships.memberId')
    .where({ organizationId })
    .orderBy(['memberships.createdAt', 'members.id'])
    .select('members.id', 'email', 'name', 'role', {
      joinedAt: 'memberships.createdAt',
      lastSeenAt: lastSeen as unknown as string,
    });
  if (memberId !== undefined) query.where('members.id', memberId);
  return query;
};

/** Locks the owners until the transaction ends, so that two of them cannot leave at the same time. */
export const lockOwners = async (trx: Queries, organizationId: string): Promise<string[]> =>
  trx('memberships')
    .where({ organizationId, role: 'owner' })
    .orderBy('memberId')
    .forUpdate()
    .pluck('memberId');

export type MembershipKey = Pick<MembershipRow, 'organizationId' | 'memberId'>;

export const updateRole = async (
  db: Queries,
  { organizationId, memberId }: MembershipKey,
  role: Role,
): Promise<void> => {
  await db('memberships').where({ organizationId, memberId }).update({ role });
};

export const deleteMembership = async (
  db: Queries,
  { organizationId, memberId }: MembershipKey,
): Promise<void> => {
  await db('memberships').where({ organizationId, memberId }).delete();
};

/** True if a member joined an organization after this time (ISO 8601). */
export const hasJoinedSince = async (db: Queries, memberId: string, since: string): Promise<boolean> =>
  (await db('memberships').where({ memberId }).where('createdAt', '>', since).pluck('memberId')).length > 0;
