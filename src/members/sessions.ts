// Sessions of the dashboard. The cookie holds a random text that is new at every sign-in, the database its hash, so
// that any process knows the session and a stolen database opens none.

import { addMilliseconds, seconds } from '../clock.ts';
import { NotFound, NotSignedIn } from '../errors.ts';
import { makeId } from '../ids.ts';
import { createOpaqueToken, hashOpaqueToken } from '../vault/opaqueToken.ts';
import type { MemberDeps } from './deps.ts';
import type { ClientInfo, Member, SignInMethod } from './member.ts';
import { recordMemberEvent } from './memberAudit.ts';
import {
  deleteExpiredSignInState,
  deleteMemberSessions,
  findMemberSession,
  findMemberSessions,
  insertMemberSession,
  type MemberSession,
  touchMemberSession,
} from './sessionStore.ts';

export type AuthenticatedMember = { session: MemberSession; member: Member };

/** A session that has just begun; its secret is for the cookie and kept nowhere. */
export type NewMemberSession = AuthenticatedMember & { secret: string };

const activeSessionBounds = ({ clock, limits }: MemberDeps) => {
  const now = clock.real();
  const usedAfter = addMilliseconds(now, -seconds(limits.memberSessionIdleHours * 3600)).toISOString();
  return { now: now.toISOString(), usedAfter };
};

/** Begins a session for a member who has proved who they are. */
export const createMemberSession = async (
  tools: MemberDeps,
  member: Member,
  { method, clientInfo }: { method: SignInMethod; clientInfo: ClientInfo },
): Promise<NewMemberSession> => {
  const { db, clock, limits } = tools;
  const now = clock.real();
  const { token, hash } = createOpaqueToken();
  const session: MemberSession = {
    id: makeId('ses'),
    secretHash: hash,
    memberId: member.id,
    method,
    browser: clientInfo.browser.slice(0, 200),
    address: clientInfo.address,
    createdAt: now.toISOString(),
    lastUsedAt: now.toISOString(),
    expiresAt: addMilliseconds(now, seconds(limits.memberSessionHours * 3600)).toISOString(),
  };
  const { usedAfter } = activeSessionBounds(tools);
  await db.transaction(async (trx) => {
    await deleteExpiredSignInState(trx, { now: session.createdAt, usedBefore: usedAfter });
    await insertMemberSession(trx, session);
    await recordMemberEvent(trx, { member, clientInfo, now, action: 'signed_in', details: { method } });
  });
  return { session, member, secret: token };
};

/** The session that a cookie's text belongs to. Throws NotSignedIn. */
export const authenticateMemberSession = async (
  tools: MemberDeps,
  secret: string,
): Promise<AuthenticatedMember> => {
  const found = await findMemberSession(tools.db.read, hashOpaqueToken(secret), activeSessionBounds(tools));
  if (!found) throw new NotSignedIn();
  const now = tools.clock.real();
  const unnoted = now.getTime() - Date.parse(found.session.lastUsedAt);
  // To the minute is enough, and most requests then write nothing.
  if (unnoted >= seconds(60)) await touchMemberSession(tools.db.write, found.session.id, now);
  return found;
};

/** A member's sessions that have not ended, the last used first. */
export const listMemberSessions = (tools: MemberDeps, memberId: string): Promise<MemberSession[]> =>
  findMemberSessions(tools.db.read, memberId, activeSessionBounds(tools));

/** Ends a session of the member who asks: this one, or another. Throws NotFound where they have no such one. */
export const endMemberSession = async (
  { db, clock }: MemberDeps,
  { member, session }: AuthenticatedMember,
  { id, clientInfo }: { id: string; clientInfo: ClientInfo },
): Promise<void> => {
  const action = id === session.id ? 'signed_out' : 'session_ended';
  await db.transaction(async (trx) => {
    if ((await deleteMemberSessions(trx, { memberId: member.id, id })) === 0) throw new NotFound('session');
    await recordMemberEvent(trx, { member, clientInfo, now: clock.real(), action });
  });
};

/** Ends every other session of the member who asks. */
export const endOtherMemberSessions = async (
  { db, clock }: MemberDeps,
  { member, session }: AuthenticatedMember,
  clientInfo: ClientInfo,
): Promise<void> => {
  await db.transaction(async (trx) => {
    const ended = await deleteMemberSessions(trx, { memberId: member.id, except: session.id });
    if (ended > 0)
      await recordMemberEvent(trx, { member, clientInfo, now: clock.real(), action: 'session_ended' });
  });
};
