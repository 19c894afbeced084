// Queries for the sessions of members.
import type { Queries } from '../db/open.ts';
import type { Member } from './member.ts';

export type MemberSession = {
  id: string;
  secretHash: string;
  memberId: string;
  method: string;
  browser: string;
  address: string;
  createdAt: string;
  lastUsedAt: string;
  expiresAt: string;
};

const memberSessionColumns = {
  id: 'member_sessions.id',
  secretHash: 'secret_hash',
  memberId: 'member_id',
  method: 'method',
  browser: 'browser',
  address: 'address',
  createdAt: 'member_sessions.created_at',
  lastUsedAt: 'last_used_at',
  expiresAt: 'expires_at',
};

export const insertMemberSession = async (db: Queries, session: MemberSession): Promise<void> => {
  await db('member_sessions').insert({
    id: session.id,
    secret_hash: session.secretHash,
    member_id: session.memberId,
    method: session.method,
    browser: session.browser,
    address: session.address,
    created_at: session.createdAt,
    last_used_at: session.lastUsedAt,
    expires_at: session.expiresAt,
  });
};

/** A session that has not expired, and its member. */
export const findMemberSession = async (
  db: Queries,
  secretHash: string,
  active: { now: string; usedAfter: string },
): Promise<{ session: MemberSession; member: Member } | undefined> => {
  const row = await db('member_sessions')
    .join('members', 'members.id', 'member_sessions.member_id')
    .where({ secret_hash: secretHash })
    .where('expires_at', '>', active.now)
    .where('last_used_at', '>', active.usedAfter)
    .first({
      ...memberSessionColumns,
      email: 'email',
      name: 'name',
      passwordHash: 'password_hash',
      oidcSubject: 'oidc_subject',
      joinedAt: 'members.created_at',
    });
  if (!row) return undefined;
  const { email, name, passwordHash, oidcSubject, joinedAt, ...session } = row;
  return {
    session,
    member: { id: row.memberId, email, name, passwordHash, oidcSubject, createdAt: joinedAt },
  };
};

export const findMemberSessions = async (
  db: Queries,
  memberId: string,
  active: { now: string; usedAfter: string },
): Promise<MemberSession[]> =>
  db('member_sessions')
    .where({ member_id: memberId })
    .where('expires_at', '>', active.now)
    .where('last_used_at', '>', active.usedAfter)
    .orderBy('last_used_at', 'desc')
    .select(memberSessionColumns);

export const touchMemberSession = async (db: Queries, id: string, now: Date): Promise<void> => {
  await db('member_sessions').where({ id }).update({ last_used_at: now.toISOString() });
};

/** Deletes sessions of a member: all, only `id`, or all except `except`. Returns how many. */
export const deleteMemberSessions = async (
  db: Queries,
  filter: { memberId: string; id?: string; except?: string },
): Promise<number> => {
  const query = db('member_sessions').where({ member_id: filter.memberId });
  if (filter.id !== undefined) query.where({ id: filter.id });
  if (filter.except !== undefined) query.whereNot({ id: filter.except });
  return query.delete();
};

/** Deletes expired sessions, sign-in attempts and member tokens. */
export const deleteExpiredSignInState = async (
  db: Queries,
  expired: { now: string; usedBefore: string },
): Promise<void> => {
  await db('member_sessions')
    .where('expires_at', '<=', expired.now)
    .orWhere('last_used_at', '<=', expired.usedBefore)
    .delete();
  await db('sign_in_attempts').where('window_ends_at', '<=', expired.now).delete();
  await db('member_tokens').where('expires_at', '<=', expired.now).delete();
};
