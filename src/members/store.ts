// Queries for members, memberships and member tokens.
import type { Queries } from '../db/open.ts';
import type { Member, Membership, Role } from './member.ts';

const memberColumns = {
  id: 'members.id',
  email: 'members.email',
  name: 'members.name',
  passwordHash: 'members.password_hash',
  oidcSubject: 'members.oidc_subject',
  createdAt: 'members.created_at',
};

export const insertMember = async (db: Queries, member: Member): Promise<void> => {
  await db('members').insert({
    id: member.id,
    email: member.email,
    name: member.name,
    password_hash: member.passwordHash,
    oidc_subject: member.oidcSubject,
    created_at: member.createdAt,
  });
};

export const findMember = async (
  db: Queries,
  key: { id: string } | { email: string } | { oidc_subject: string },
): Promise<Member | undefined> => db('members').where(key).first(memberColumns);

export const hasAnyMember = async (db: Queries): Promise<boolean> =>
  (await db('memberships').first('member_id')) !== undefined;

export const updateMember = async (
  db: Queries,
  id: string,
  change: { name?: string; password_hash?: string | null; oidc_subject?: string },
): Promise<void> => {
  await db('members').where({ id }).update(change);
};

export const insertMembership = async (db: Queries, membership: Membership): Promise<boolean> => {
  const inserted = await db('memberships')
    .insert({
      organization_id: membership.organizationId,
      member_id: membership.memberId,
      role: membership.role,
      created_at: membership.createdAt,
    })
    .onConflict(['organization_id', 'member_id'])
    .ignore()
    .returning('member_id');
  return inserted.length === 1;
};

export const findRole = async (
  db: Queries,
  organizationId: string,
  memberId: string,
): Promise<Role | undefined> => {
  const row = await db('memberships')
    .where({ organization_id: organizationId, member_id: memberId })
    .first('role');
  return row?.role;
};

/** An organization of a member, with the member's role in it. */
export type MemberOrganization = { id: string; name: string; role: Role };

export const findMemberOrganizations = async (db: Queries, memberId: string): Promise<MemberOrganization[]> =>
  db('memberships')
    .join('organizations', 'organizations.id', 'memberships.organization_id')
    .where({ member_id: memberId })
    .orderBy(['organizations.name', 'organizations.id'])
    .select('organizations.id', 'organizations.name', 'memberships.role');

export type ListedMember = Pick<Member, 'id' | 'email' | 'name'> & {
  role: Role;
  joinedAt: string;
  lastSeenAt: string | null;
};

/** The members of an organization, or only `memberId`, in the order in which they joined. */
export const findMembers = async (
  db: Queries,
  organizationId: string,
  memberId?: string,
): Promise<ListedMember[]> => {
  const lastSeen = db('member_sessions').whereRaw('member_id = members.id').max('last_used_at');
  const query = db('memberships')
    .join('members', 'members.id', 'memberships.member_id')
    .where({ organization_id: organizationId })
    .orderBy(['memberships.created_at', 'members.id'])
    .select('members.id', 'email', 'name', 'role', {
      joinedAt: 'memberships.created_at',
      lastSeenAt: lastSeen as unknown as string,
    });
  if (memberId !== undefined) query.where('members.id', memberId);
  return query;
};

/** Locks the owners until the transaction ends, so that two of them cannot leave at the same time. */
export const lockOwners = async (trx: Queries, organizationId: string): Promise<string[]> =>
  trx('memberships')
    .where({ organization_id: organizationId, role: 'owner' })
    .orderBy('member_id')
    .forUpdate()
    .pluck('member_id');

export const updateRole = async (
  db: Queries,
  of: { organizationId: string; memberId: string },
  role: Role,
): Promise<void> => {
  await db('memberships')
    .where({ organization_id: of.organizationId, member_id: of.memberId })
    .update({ role });
};

export const deleteMembership = async (
  db: Queries,
  of: { organizationId: string; memberId: string },
): Promise<void> => {
  await db('memberships').where({ organization_id: of.organizationId, member_id: of.memberId }).delete();
};

export type MemberToken = {
  id: string;
  tokenHash: string;
  kind: 'invitation' | 'reset';
  organizationId: string | null;
  email: string;
  role: Role | null;
  createdAt: string;
  expiresAt: string;
};

const memberTokenColumns = {
  id: 'id',
  tokenHash: 'token_hash',
  kind: 'kind',
  organizationId: 'organization_id',
  email: 'email',
  role: 'role',
  createdAt: 'created_at',
  expiresAt: 'expires_at',
};

/** Stores a token; replaces an earlier one of the same kind, email and organization. */
export const replaceMemberToken = async (trx: Queries, link: MemberToken): Promise<void> => {
  const { kind, email, organizationId } = link;
  await trx('member_tokens').where({ kind, email, organization_id: organizationId }).delete();
  const row = Object.entries(memberTokenColumns).map(([name, column]) => [
    column,
    link[name as keyof MemberToken],
  ]);
  await trx('member_tokens').insert(Object.fromEntries(row));
};

export const findMemberToken = async (
  db: Queries,
  actor: { tokenHash: string; kind: MemberToken['kind']; now: string },
): Promise<MemberToken | undefined> =>
  db('member_tokens')
    .where({ token_hash: actor.tokenHash, kind: actor.kind })
    .where('expires_at', '>', actor.now)
    .first(memberTokenColumns);

export const findInvitations = async (
  db: Queries,
  of: { organizationId: string } | { email: string },
  now: string,
): Promise<MemberToken[]> => {
  const where = 'email' in of ? { email: of.email } : { organization_id: of.organizationId };
  return (
    db('member_tokens')
      .where({ ...where, kind: 'invitation' })
      // The first owner's invitation has no email and cannot be revoked.
      .whereNot({ email: '' })
      .where('expires_at', '>', now)
      .orderBy(['created_at', 'id'])
      .select(memberTokenColumns)
  );
};

/** Deletes a token; false if a concurrent call has deleted it. */
export const deleteMemberToken = async (db: Queries, link: { id: string }): Promise<boolean> =>
  (await db('member_tokens').where({ id: link.id }).delete()) === 1;

/** Deletes all reset tokens of an email. */
export const deleteResetTokens = async (db: Queries, email: string): Promise<void> => {
  await db('member_tokens').where({ email, kind: 'reset' }).delete();
};
