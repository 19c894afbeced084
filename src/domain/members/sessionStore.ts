// Queries for members' sessions.
import type { Queries } from '../../platform/db/open.ts';
import type { MemberSessionRow } from '../../platform/db/tables.ts';
import type { Member } from './member.ts';

export type MemberSession = MemberSessionRow;

export const insertMemberSession = async (db: Queries, session: MemberSession): Promise<void> => {
  await db('member_sessions').insert(session);
};

type ActiveBounds = { now: string; usedAfter: string };

const activeSessions = (db: Queries, { now, usedAfter }: ActiveBounds) =>
  db('member_sessions').where('expiresAt', '>', now).where('lastUsedAt', '>', usedAfter);

/** An unexpired session and its member. */
export const findMemberSession = async (
  db: Queries,
  secretHash: string,
  active: ActiveBounds,
): Promise<{ session: MemberSession; member: Member } | undefined> => {
  const session = await activeSessions(db, active).where({ secretHash }).first('*');
  const member = session && (await db('members').where({ id: session.memberId }).first('*'));
  return member && { session, member };
};

export const findMemberSessions = async (
  db: Queries,
  memberId: string,
  active: ActiveBounds,
): Promise<MemberSession[]> =>
  activeSessions(db, active).where({ memberId }).orderBy('lastUsedAt', 'desc').select('*');

export const touchMemberSession = async (db: Queries, id: string, now: Date): Promise<void> => {
  await db('member_sessions').where({ id }).update({ lastUsedAt: now.toISOString() });
};

export const updateSessionMethod = async (
  db: Queries,
  id: string,
  method: MemberSession['method'],
): Promise<void> => {
  await db('member_sessions').where({ id }).update({ method });
};

/** Deletes a member's sessions: all, only `id`, or all except `except`. Returns the number deleted. */
export const deleteMemberSessions = async (
  db: Queries,
  filter: { memberId: string; id?: string; except?: string },
): Promise<number> => {
  const query = db('member_sessions').where({ memberId: filter.memberId });
  if (filter.id !== undefined) query.where({ id: filter.id });
  if (filter.except !== undefined) query.whereNot({ id: filter.except });
  return query.delete();
};

export const deleteExpiredMemberSessions = async (
  db: Queries,
  expired: { now: string; usedBefore: string },
): Promise<void> => {
  await db('member_sessions')
    .where('expiresAt', '<=', expired.now)
    .orWhere('lastUsedAt', '<=', expired.usedBefore)
    .delete();
};
