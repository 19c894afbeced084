// Sign-in with email and password, changing the password, and resetting it by a link that an owner of the organization or the
// operator creates. An unknown email and a wrong password take the same time and get the same response.
import { Busy, Conflict, Forbidden, NotFound, NotSignedIn } from '../../platform/values/errors.ts';
import { toIpKey } from '../../platform/values/ipKey.ts';
import { hashPassword, verifyPassword } from '../../platform/vault/passwordHash.ts';
import { type ActorAt, type AuditContext, operatorActor } from '../audit/by.ts';
import { type ClientInfo, type Member, type MemberDeps, normalizeEmail } from './member.ts';
import { byMember, recordMemberEvent } from './memberAudit.ts';
import { type IssuedMemberToken, makeMemberToken, verifyMemberToken } from './memberTokens.ts';
import * as passkeyStore from './passkeyStore.ts';
import * as sessionStore from './sessionStore.ts';
import { type AuthenticatedMember, createMemberSession, type NewMemberSession } from './sessions.ts';
import { recordSignInAttempt, recordSignInFailure, resetSignInAttempts } from './signInAttempts.ts';
import * as store from './store.ts';
import * as tokenStore from './tokenStore.ts';

export type PasswordCredentials = { email: string; password: string };

/** Creates a session. Throws NotSignedIn for wrong credentials, TooManyAttempts, and Busy. */
export const signInWithPassword = async (
  deps: MemberDeps,
  credentials: PasswordCredentials,
  clientInfo: ClientInfo,
): Promise<NewMemberSession> => {
  const member = await verifyCredentials(deps, credentials, clientInfo);
  return createMemberSession(deps, member, { method: 'password', clientInfo });
};

/** Returns the member with this email and password. Throws NotSignedIn, TooManyAttempts, Busy. */
export const verifyCredentials = async (
  deps: MemberDeps,
  credentials: PasswordCredentials,
  { clientIp }: ClientInfo,
): Promise<Member> => {
  const attempt = { email: normalizeEmail(credentials.email), clientIp };
  const { member, matches } = await inTurn(clientIp, async () => {
    await recordSignInAttempt(deps, attempt);
    const member = await store.findMember(deps.db.read, { email: attempt.email });
    const matches = await verifyPassword(credentials.password, member?.passwordHash ?? null);
    await (matches ? resetSignInAttempts(deps, attempt) : recordSignInFailure(deps, attempt));
    return { member, matches };
  });
  if (matches) return member!;
  // The response does not wait for the audit log, because its time would reveal that the email is known.
  if (member) {
    const { id, email } = member;
    const byUnknown = {
      actor: { memberId: null, tokenId: null, email: null, address: clientIp },
      now: deps.clock.real(),
    };
    const about = { subject: id, details: { email, method: 'password' } };
    deps.backgroundTasks.start(recordMemberEvent(deps.db.write, id, byUnknown, 'sign_in_failed', about));
  }
  throw new NotSignedIn();
};

/** The most addresses, and the most passwords of one address, that wait to be checked: 50 take a few seconds. */
const waitingMax = 50;

/** For each address, its last password and the number of its passwords that wait or are being checked. */
const turns = new Map<string, { last: Promise<unknown>; length: number }>();

// One password at a time for each address: hashing is slow, and many guesses from one address would delay the others.
const inTurn = async <Result>(clientIp: string, check: () => Promise<Result>): Promise<Result> => {
  const key = toIpKey(clientIp);
  if ((turns.get(key)?.length ?? turns.size) >= waitingMax) throw new Busy();
  const turn = turns.get(key) ?? { last: Promise.resolve(), length: 0 };
  turns.set(key, turn);
  turn.length += 1;
  const result = turn.last.then(check, check);
  turn.last = result;
  try {
    return await result;
  } finally {
    turn.length -= 1;
    if (turn.length === 0) turns.delete(key);
  }
};

/** Checks the password of a signed-in member who has one. Throws Forbidden, TooManyAttempts, Busy. */
export const confirmPassword = async (
  deps: MemberDeps,
  { member }: AuthenticatedMember,
  { password, clientInfo }: { password: string | undefined; clientInfo: ClientInfo },
): Promise<void> => {
  if (member.passwordHash === null) return;
  if (password === undefined) throw new Forbidden();
  try {
    await verifyCredentials(deps, { email: member.email, password }, clientInfo);
  } catch (error) {
    throw error instanceof NotSignedIn ? new Forbidden() : error;
  }
};

/** Changes the password of the signed-in member and ends their other sessions. */
export const changePassword = async (
  deps: MemberDeps,
  signedIn: AuthenticatedMember,
  change: { currentPassword?: string; newPassword: string; clientInfo: ClientInfo },
): Promise<void> => {
  const { clientInfo } = change;
  await confirmPassword(deps, signedIn, { password: change.currentPassword, clientInfo });
  const { member, session } = signedIn;
  const passwordHash = await hashPassword(change.newPassword);
  await deps.db.transaction(async (trx) => {
    if (!(await store.lockUnchangedMember(trx, member))) throw new NotSignedIn();
    await store.updateMember(trx, member.id, { passwordHash });
    await sessionStore.deleteMemberSessions(trx, { memberId: member.id, except: session.id });
    const by = byMember(member, clientInfo, deps.clock.real());
    await recordMemberEvent(trx, member.id, by, 'password_changed');
  });
};

/**
 * Creates a reset link for a member. The acting owner must own all organizations of the member, because the link gives
 * access to all of them. Throws NotFound, Conflict.
 */
export const createResetLinkAsOwner = async (
  deps: MemberDeps,
  owner: AuthenticatedMember,
  memberId: string,
  by: AuditContext,
): Promise<IssuedMemberToken> => {
  const { db } = deps;
  const member = await store.findMember(db.read, { id: memberId });
  if (!member || !(await store.findRole(db.read, by.organizationId, memberId))) throw new NotFound('member');
  for (const organization of await store.findMemberOrganizations(db.read, memberId)) {
    if ((await store.findRole(db.read, organization.id, owner.member.id)) !== 'owner')
      throw new Conflict('This member is also in another organization: ask the operator for a link.');
  }
  return issueResetLink(deps, member, by);
};

/** Creates a reset link for the member with this email. Throws NotFound. */
export const createResetLinkAsOperator = async (
  deps: MemberDeps,
  email: string,
): Promise<IssuedMemberToken> => {
  const member = await store.findMember(deps.db.read, { email: normalizeEmail(email) });
  if (!member) throw new NotFound('member');
  return issueResetLink(deps, member, { actor: operatorActor, now: deps.clock.real() });
};

const issueResetLink = async (deps: MemberDeps, member: Member, by: ActorAt): Promise<IssuedMemberToken> => {
  const fields = { kind: 'reset', organizationId: null, email: member.email, role: null } as const;
  const issued = makeMemberToken(deps, fields, deps.limits.resetLinkMinutes / 60);
  await deps.db.transaction(async (trx) => {
    await tokenStore.replaceMemberToken(trx, issued.memberToken);
    await recordMemberEvent(trx, member.id, by, 'reset_link_created', { subject: member.id });
  });
  return issued;
};

/**
 * Sets a new password, ends all sessions and deletes all passkeys, because someone else may have added them. Throws
 * NotFound for an invalid link.
 */
export const resetPassword = async (
  deps: MemberDeps,
  { token, password }: { token: string; password: string },
  clientInfo: ClientInfo,
): Promise<void> => {
  const { db, clock } = deps;
  const now = clock.real();
  const memberToken = await verifyMemberToken(db.read, { token, kind: 'reset', now });
  const passwordHash = await hashPassword(password);
  await db.transaction(async (trx) => {
    const member = await store.findMember(trx, { email: memberToken.email });
    if (!member || !(await tokenStore.deleteMemberToken(trx, memberToken))) throw new NotFound('link');
    // The link's creator may not own the organization that the member has joined since.
    if (await store.hasJoinedSince(trx, member.id, memberToken.createdAt)) throw new NotFound('link');
    await tokenStore.deleteResetTokens(trx, member.email);
    await store.updateMember(trx, member.id, { passwordHash });
    await sessionStore.deleteMemberSessions(trx, { memberId: member.id });
    await passkeyStore.deletePasskeys(trx, { memberId: member.id });
    await recordMemberEvent(trx, member.id, byMember(member, clientInfo, now), 'password_reset');
  });
};
