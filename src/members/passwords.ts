// Sign-in with email and password, and changing the password. An unknown email and a wrong password take the same time
// and get the same response.
import { toAddressKey } from '../addressKey.ts';
import { Busy, Forbidden, NotSignedIn } from '../errors.ts';
import { hashPassword, verifyPassword } from '../vault/passwordHash.ts';
import type { MemberDeps } from './deps.ts';
import { type ClientInfo, type Member, normalizeEmail } from './member.ts';
import { recordFailedSignIn, recordMemberEvent } from './memberAudit.ts';
import { deleteMemberSessions } from './sessionStore.ts';
import { type AuthenticatedMember, createMemberSession, type NewMemberSession } from './sessions.ts';
import { recordSignInAttempt, recordSignInFailure, resetSignInAttempts } from './signInAttempts.ts';
import { findMember, updateMember } from './store.ts';

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
  clientInfo: ClientInfo,
): Promise<Member> => {
  const attempt = { email: normalizeEmail(credentials.email), address: clientInfo.address };
  const { member, matches } = await inTurn(attempt.address, async () => {
    await recordSignInAttempt(deps, attempt);
    const member = await findMember(deps.db.read, { email: attempt.email });
    const matches = await verifyPassword(credentials.password, member?.passwordHash ?? null);
    await (matches ? resetSignInAttempts(deps, attempt) : recordSignInFailure(deps, attempt));
    return { member, matches };
  });
  if (matches) return member!;
  // The response does not wait for the audit log, because its time would reveal that the email is known.
  if (member) {
    const event = { member, clientInfo, now: deps.clock.real(), details: { method: 'password' } };
    deps.backgroundTasks.start(recordFailedSignIn(deps.db.write, event));
  }
  throw new NotSignedIn();
};

/** So many addresses at most, and so many passwords of one address, wait to be checked: 50 take a few seconds. */
const waitingMax = 50;

/** By address, its last password, and how many of its passwords wait or are checked. */
const turns = new Map<string, { last: Promise<unknown>; length: number }>();

// One password at a time for each address: hashing is slow, and many guesses from one address would delay the others.
const inTurn = async <Result>(address: string, check: () => Promise<Result>): Promise<Result> => {
  const key = toAddressKey(address);
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
    await updateMember(trx, member.id, { passwordHash });
    await deleteMemberSessions(trx, { memberId: member.id, except: session.id });
    await recordMemberEvent(trx, { member, clientInfo, now: deps.clock.real(), action: 'password_changed' });
  });
};
