// Queries for member tokens: invitations and password resets.
import type { Queries } from '../../platform/db/open.ts';
import type { MemberTokenRow } from '../../platform/db/tables.ts';
import type { MembershipKey } from './store.ts';

export type MemberToken = MemberTokenRow;

/** Stores a token, replacing any earlier one of the same kind, email and organization. */
export const replaceMemberToken = async (trx: Queries, memberToken: MemberToken): Promise<void> => {
  const { kind, email, organizationId } = memberToken;
  await trx('member_tokens').where({ kind, email, organizationId }).delete();
  await trx('member_tokens').insert(memberToken);
};

export const findMemberToken = async (
  db: Queries,
  key: Pick<MemberToken, 'tokenHash' | 'kind'>,
  now: string,
): Promise<MemberToken | undefined> => db('member_tokens').where(key).where('expiresAt', '>', now).first('*');

export const findInvitations = async (
  db: Queries,
  filter: { organizationId: string } | { email: string },
  now: string,
): Promise<MemberToken[]> =>
  db('member_tokens')
    .where({ ...filter, kind: 'invitation' })
    // The first owner's invitation has no email and cannot be revoked.
    .whereNot({ email: '' })
    .where('expiresAt', '>', now)
    .orderBy(['createdAt', 'id'])
    .select('*');

/** When the link for an organization's first owner was created. */
export const findFirstOwnerInvitedAt = async (
  db: Queries,
  organizationId: string,
): Promise<string | undefined> =>
  (await db('member_tokens').where({ kind: 'invitation', email: '', organizationId }).first('createdAt'))
    ?.createdAt;

/** Deletes a token. Returns false if a concurrent call deleted it. */
export const deleteMemberToken = async (db: Queries, token: { id: string }): Promise<boolean> =>
  (await db('member_tokens').where({ id: token.id }).delete()) === 1;

export const deleteResetTokens = async (db: Queries, email: string): Promise<void> => {
  await db('member_tokens').where({ email, kind: 'reset' }).delete();
};

/** Deletes the reset tokens of all members of an organization. */
export const deleteResetTokensIn = async (db: Queries, organizationId: string): Promise<void> => {
  const memberIds = db('memberships').where({ organizationId }).select('memberId');
  const emails = db('members').whereIn('id', memberIds).select('email');
  await db('member_tokens').where({ kind: 'reset' }).whereIn('email', emails).delete();
};

/** Deletes a member's invitations to an organization: one may be left from when they joined. */
export const deleteInvitations = async (db: Queries, key: MembershipKey): Promise<void> => {
  const { organizationId, memberId } = key;
  const email = db('members').where({ id: memberId }).select('email');
  await db('member_tokens').where({ kind: 'invitation', organizationId }).whereIn('email', email).delete();
};

export const deleteExpiredMemberTokens = async (db: Queries, now: string): Promise<void> => {
  await db('member_tokens').where('expiresAt', '<=', now).delete();
};
