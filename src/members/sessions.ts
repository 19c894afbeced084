// Sessions of the dashboard. The cookie holds a random text that is new at every sign-in, the database its hash, so
// that any process knows the session and a stolen database opens none.

import { after, seconds } from '../clock.ts';
import { NotFound, NotSignedIn } from '../errors.ts';
import { makeId } from '../ids.ts';
import { createOpaqueToken, hashOpaqueToken } from '../vault/opaqueToken.ts';
import { recordForMember } from './diary.ts';
import type { Member, Place, SignInMethod } from './member.ts';
import {
  deleteOldSessions,
  deleteSessions,
  findSession,
  findSessions,
  insertSession,
  type SessionRow,
  touchSession,
} from './sessionStore.ts';
import type { MemberTools } from './tools.ts';

export type SignedIn = { session: SessionRow; member: Member };

/** A session that has just begun; its secret is for the cookie and kept nowhere. */
export type FreshSession = SignedIn & { secret: string };

const aliveAt = ({ clock, limits }: MemberTools) => {
  const now = clock.real();
  const usedAfter = after(now, -seconds(limits.memberIdleHours * 3600)).toISOString();
  return { now: now.toISOString(), usedAfter };
};

/** Begins a session for a member who has proved who they are. */
export const beginSession = async (
  tools: MemberTools,
  member: Member,
  { method, place }: { method: SignInMethod; place: Place },
): Promise<FreshSession> => {
  const { db, clock, limits } = tools;
  const now = clock.real();
  const { text, hash } = createOpaqueToken();
  const session: SessionRow = {
    id: makeId('ses'),
    secretHash: hash,
    memberId: member.id,
    method,
    browser: place.browser.slice(0, 200),
    address: place.address,
    createdAt: now.toISOString(),
    lastUsedAt: now.toISOString(),
    expiresAt: after(now, seconds(limits.memberSessionHours * 3600)).toISOString(),
  };
  const { usedAfter } = aliveAt(tools);
  await db.transaction(async (trx) => {
    await deleteOldSessions(trx, { now: session.createdAt, usedBefore: usedAfter });
    await insertSession(trx, session);
    await recordForMember(trx, { member, place, now, action: 'signed_in', details: { method } });
  });
  return { session, member, secret: text };
};

/** The session that a cookie's text belongs to. Throws NotSignedIn. */
export const resumeSession = async (tools: MemberTools, secret: string): Promise<SignedIn> => {
  const found = await findSession(tools.db.read, hashOpaqueToken(secret), aliveAt(tools));
  if (!found) throw new NotSignedIn();
  const now = tools.clock.real();
  const unnoted = now.getTime() - Date.parse(found.session.lastUsedAt);
  // To the minute is enough, and most requests then write nothing.
  if (unnoted >= seconds(60)) await touchSession(tools.db.write, found.session.id, now);
  return found;
};

/** A member's sessions that have not ended, the last used first. */
export const listSessions = (tools: MemberTools, memberId: string): Promise<SessionRow[]> =>
  findSessions(tools.db.read, memberId, aliveAt(tools));

/** Ends a session of the member who asks: this one, or another. Throws NotFound where they have no such one. */
export const endSession = async (
  { db, clock }: MemberTools,
  { member, session }: SignedIn,
  { id, place }: { id: string; place: Place },
): Promise<void> => {
  const action = id === session.id ? 'signed_out' : 'session_ended';
  await db.transaction(async (trx) => {
    if ((await deleteSessions(trx, { memberId: member.id, id })) === 0) throw new NotFound('session');
    await recordForMember(trx, { member, place, now: clock.real(), action });
  });
};

/** Ends every other session of the member who asks. */
export const endOtherSessions = async (
  { db, clock }: MemberTools,
  { member, session }: SignedIn,
  place: Place,
): Promise<void> => {
  await db.transaction(async (trx) => {
    const ended = await deleteSessions(trx, { memberId: member.id, except: session.id });
    if (ended > 0) await recordForMember(trx, { member, place, now: clock.real(), action: 'session_ended' });
  });
};
