// Members' sessions. The cookie holds a random secret, new at each sign-in. The database stores only its hash, so that a stolen
// database gives access to no session.

import { addMilliseconds, seconds } from '../../platform/values/clock.ts';
import { InvalidSession, NotFound, NotSignedIn } from '../../platform/values/errors.ts';
import { makeId } from '../../platform/values/ids.ts';
import { createOpaqueToken, hashOpaqueToken } from '../../platform/vault/keys.ts';
import type { ActorAt } from '../audit/by.ts';
import type { ClientInfo, Member, MemberDeps, SignInMethod } from './member.ts';
import { byMember, recordMemberEvent } from './memberAudit.ts';
import type { MemberSession } from './sessionStore.ts';
import * as sessionStore from './sessionStore.ts';
import * as store from './store.ts';
import { deleteExpiredMemberTokens } from './tokenStore.ts';

export type AuthenticatedMember = { session: MemberSession; member: Member };

/** A new session, with the secret for its cookie, which is not stored. */
export type NewMemberSession = AuthenticatedMember & { secret: string };

const activeSessionBounds = ({ clock, limits }: MemberDeps) => {
  const now = clock.real();
  const usedAfter = addMilliseconds(now, -seconds(limits.memberSessionIdleHours * 3600)).toISOString();
  return { now: now.toISOString(), usedAfter };
};

/**
 * Creates a session for an authenticated member and deletes expired ones. Throws NotSignedIn if the password was changed or
 * reset meanwhile, because that ends the member's sessions and may remove the passkey.
 */
export const createMemberSession = async (
  deps: MemberDeps,
  member: Member,
  { method, clientInfo }: { method: SignInMethod; clientInfo: ClientInfo },
): Promise<NewMemberSession> => {
  const { db, clock, limits } = deps;
  const now = clock.real();
  const { token, hash } = createOpaqueToken();
  const session: MemberSession = {
    id: makeId('ses'),
    secretHash: hash,
    memberId: member.id,
    method,
    browser: clientInfo.browser.slice(0, 200),
    address: clientInfo.clientIp,
    createdAt: now.toISOString(),
    lastUsedAt: now.toISOString(),
    expiresAt: addMilliseconds(now, seconds(limits.memberSessionHours * 3600)).toISOString(),
  };
  const { usedAfter } = activeSessionBounds(deps);
  await db.transaction(async (trx) => {
    if (!(await store.lockUnchangedMember(trx, member))) throw new NotSignedIn();
    await sessionStore.deleteExpiredMemberSessions(trx, { now: session.createdAt, usedBefore: usedAfter });
    await deleteExpiredMemberTokens(trx, session.createdAt);
    await sessionStore.insertMemberSession(trx, session);
    const by = byMember(member, clientInfo, now);
    await recordMemberEvent(trx, member.id, by, 'signed_in', { details: { method } });
  });
  return { session, member, secret: token };
};

/** The session with this secret, and its member. Throws NotSignedIn. */
export const authenticateMemberSession = async (
  deps: MemberDeps,
  secret: string,
): Promise<AuthenticatedMember> => {
  const found = await sessionStore.findMemberSession(
    deps.db.read,
    hashOpaqueToken(secret),
    activeSessionBounds(deps),
  );
  if (!found) throw new InvalidSession();
  const now = deps.clock.real();
  const sinceLastUse = now.getTime() - Date.parse(found.session.lastUsedAt);
  // Minute precision is enough, so most requests write nothing.
  if (sinceLastUse >= seconds(60))
    await sessionStore.touchMemberSession(deps.db.write, found.session.id, now);
  return found;
};

/** A member's active sessions, most recently used first. */
export const listMemberSessions = (deps: MemberDeps, memberId: string): Promise<MemberSession[]> =>
  sessionStore.findMemberSessions(deps.db.read, memberId, activeSessionBounds(deps));

/** Ends the member's current session or another one. Throws NotFound. */
export const endMemberSession = async (
  { db }: MemberDeps,
  { member, session }: AuthenticatedMember,
  id: string,
  by: ActorAt,
): Promise<void> => {
  const action = id === session.id ? 'signed_out' : 'session_ended';
  await db.transaction(async (trx) => {
    if ((await sessionStore.deleteMemberSessions(trx, { memberId: member.id, id })) === 0)
      throw new NotFound('session');
    await recordMemberEvent(trx, member.id, by, action);
  });
};

/** Ends all sessions of the member except the current one. */
export const endOtherMemberSessions = async (
  { db }: MemberDeps,
  { member, session }: AuthenticatedMember,
  by: ActorAt,
): Promise<void> => {
  await db.transaction(async (trx) => {
    const ended = await sessionStore.deleteMemberSessions(trx, { memberId: member.id, except: session.id });
    if (ended > 0) await recordMemberEvent(trx, member.id, by, 'session_ended');
  });
};
