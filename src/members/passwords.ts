// Signing in with email and password, and choosing another password. Who is not known and who typed the wrong
// password wait as long and hear the same.
import { Forbidden, NotSignedIn } from '../errors.ts';
import { hashPassword, verifyPassword } from '../vault/passwordHash.ts';
import type { MemberDeps } from './deps.ts';
import { type ClientInfo, type Member, normalizeEmail } from './member.ts';
import { recordFailedSignIn, recordMemberEvent } from './memberAudit.ts';
import { deleteMemberSessions } from './sessionStore.ts';
import { type AuthenticatedMember, createMemberSession, type NewMemberSession } from './sessions.ts';
import { recordSignInAttempt, resetSignInAttempts } from './signInAttempts.ts';
import { findMember, updateMember } from './store.ts';

export type PasswordCredentials = { email: string; password: string };

/** Begins a session. Throws NotSignedIn for whatever is wrong, TooManyAttempts beyond the limits. */
export const signInWithPassword = async (
  tools: MemberDeps,
  credentials: PasswordCredentials,
  clientInfo: ClientInfo,
): Promise<NewMemberSession> => {
  const member = await verifyCredentials(tools, credentials, clientInfo);
  return createMemberSession(tools, member, { method: 'password', clientInfo });
};

/** The member whose email and password these are. Throws NotSignedIn, TooManyAttempts. */
export const verifyCredentials = async (
  tools: MemberDeps,
  credentials: PasswordCredentials,
  clientInfo: ClientInfo,
): Promise<Member> => {
  const email = normalizeEmail(credentials.email);
  await recordSignInAttempt(tools, { email, address: clientInfo.address });
  const member = await findMember(tools.db.read, { email });
  if (await verifyPassword(credentials.password, member?.passwordHash ?? null)) {
    await resetSignInAttempts(tools, email);
    return member!;
  }
  // The answer does not wait for the log, or its time would tell that the email is known.
  if (member) {
    const entry = { member, clientInfo, now: tools.clock.real(), details: { method: 'password' } };
    tools.backgroundTasks.start(recordFailedSignIn(tools.db.write, entry));
  }
  throw new NotSignedIn();
};

/** Makes sure that it is the member who sits there, where they have a password. Throws Forbidden, TooManyAttempts. */
export const confirmPassword = async (
  tools: MemberDeps,
  { member }: AuthenticatedMember,
  { password, clientInfo }: { password: string | undefined; clientInfo: ClientInfo },
): Promise<void> => {
  if (member.passwordHash === null) return;
  if (password === undefined) throw new Forbidden();
  try {
    await verifyCredentials(tools, { email: member.email, password }, clientInfo);
  } catch (error) {
    throw error instanceof NotSignedIn ? new Forbidden() : error;
  }
};

/** Changes the password of whoever is signed in, and ends their other sessions. */
export const changePassword = async (
  tools: MemberDeps,
  signedIn: AuthenticatedMember,
  change: { currentPassword?: string; newPassword: string; clientInfo: ClientInfo },
): Promise<void> => {
  const { clientInfo } = change;
  await confirmPassword(tools, signedIn, { password: change.currentPassword, clientInfo });
  const { member, session } = signedIn;
  const passwordHash = await hashPassword(change.newPassword);
  await tools.db.transaction(async (trx) => {
    await updateMember(trx, member.id, { password_hash: passwordHash });
    await deleteMemberSessions(trx, { memberId: member.id, except: session.id });
    await recordMemberEvent(trx, { member, clientInfo, now: tools.clock.real(), action: 'password_changed' });
  });
};
