// Queries for the sessions of members.
import type { Queries } from '../db/open.ts';
import type { MemberSessionRow } from '../db/tables.ts';
import type { Member } from './member.ts';

export type MemberSession = MemberSessionRow;

export const insertMemberSession = async (db: Queries, session: MemberSession): Promise<void> => {
  await db('member_sessions').insert(session);
};

/** A session that has not expired, and its member. */
export const findMemberSession = async (
  db: Queries,
  secretHash: string,
  active: { now: string; usedAfter: string },
): Promise<{ session: MemberSession; member: Member } | undefined> => {
  const session = await db('member_sessions')
    .where({ secretHash })
    .where('expiresAt', '>', active.now)
    .where('lastUsedAt', '>', active.usedAfter)
    .first('*');
  const member = session && (await db('members').where({ id: session.memberId }).first('*'));
  return member && { session, member };
};

export const findMemberSessions = async (
  db: Queries,
  memberId: string,
  active: { now: string; usedAfter: string },
): Promise<MemberSession[]> =>
  db('member_sessions')
    .where({ memberId })
    .where('expiresAt', '>', active.now)
    .where('lastUsedAt', '>', active.usedAfter)
    .orderBy('lastUsedAt', 'desc')
    .select('*');

export const touchMemberSession = async (db: Queries, id: string, now: Date): Promise<void> => {
  await db('member_sessions').where({ id }).update({ lastUsedAt: now.toISOString() });
};

/** Changes how a session counts as opened. */
export const updateSessionMethod = async (
  db: Queries,
  id: string,
  method: MemberSession['method'],
): Promise<void> => {
  await db('member_sessions').where({ id }).update({ method });
};

/** Deletes sessions of a member: all, only `id`, or all except `except`. Returns how many. */
export const deleteMemberSessions = async (
  db: Queries,
  filter: { memberId: string; id?: string; except?: string },
): Promise<number> => {
  const query = db('member_sessions').where({ memberId: filter.memberId });
  if (filter.id !== undefined) query.where({ id: filter.id });
  if (filter.except !== undefined) query.whereNot({ id: filter.except });
  return query.delete();
};

/** Deletes expired sessions and member tokens. */
export const deleteExpiredSignInState = async (
  db: Queries,
  expired: { now: string; usedBefore: string },
): Promise<void> => {
  await db('member_sessions')
    .where('expiresAt', '<=', expired.now)
    .orWhere('lastUsedAt', '<=', expired.usedBefore)
    .delete();
  await db('member_tokens').where('expiresAt', '<=', expired.now).delete();
};
