// Signing in with email and password, and choosing another password. Who is not known and who typed the wrong
// password wait as long and hear the same.
import { Forbidden, NotSignedIn } from '../errors.ts';
import { hashPassword, verifyPassword } from '../vault/passwordHash.ts';
import { recordFailedSignIn, recordForMember } from './diary.ts';
import { type Member, normalEmail, type Place } from './member.ts';
import { deleteSessions } from './sessionStore.ts';
import { beginSession, type FreshSession, type SignedIn } from './sessions.ts';
import { findMember, updateMember } from './store.ts';
import type { MemberTools } from './tools.ts';
import { forgiveTries, noteTry } from './tries.ts';

export type Credentials = { email: string; password: string };

/** Begins a session. Throws NotSignedIn for whatever is wrong, TooManyTries beyond the limits. */
export const signInWithPassword = async (
  tools: MemberTools,
  credentials: Credentials,
  place: Place,
): Promise<FreshSession> => {
  const member = await provePassword(tools, credentials, place);
  return beginSession(tools, member, { method: 'password', place });
};

/** The member whose email and password these are. Throws NotSignedIn, TooManyTries. */
export const provePassword = async (
  tools: MemberTools,
  credentials: Credentials,
  place: Place,
): Promise<Member> => {
  const email = normalEmail(credentials.email);
  await noteTry(tools, { email, address: place.address });
  const member = await findMember(tools.db.read, { email });
  if (await verifyPassword(credentials.password, member?.passwordHash ?? null)) {
    await forgiveTries(tools, email);
    return member!;
  }
  // The answer does not wait for the log, or its time would tell that the email is known.
  if (member) {
    const entry = { member, place, now: tools.clock.real(), details: { method: 'password' } };
    tools.afterwards.begin(recordFailedSignIn(tools.db.write, entry));
  }
  throw new NotSignedIn();
};

/** Makes sure that it is the member who sits there, where they have a password. Throws Forbidden, TooManyTries. */
export const confirmPassword = async (
  tools: MemberTools,
  { member }: SignedIn,
  { password, place }: { password: string | undefined; place: Place },
): Promise<void> => {
  if (member.passwordHash === null) return;
  if (password === undefined) throw new Forbidden();
  try {
    await provePassword(tools, { email: member.email, password }, place);
  } catch (error) {
    throw error instanceof NotSignedIn ? new Forbidden() : error;
  }
};

/** Changes the password of whoever is signed in, and ends their other sessions. */
export const changePassword = async (
  tools: MemberTools,
  signedIn: SignedIn,
  change: { currentPassword?: string; newPassword: string; place: Place },
): Promise<void> => {
  const { place } = change;
  await confirmPassword(tools, signedIn, { password: change.currentPassword, place });
  const { member, session } = signedIn;
  const passwordHash = await hashPassword(change.newPassword);
  await tools.db.transaction(async (trx) => {
    await updateMember(trx, member.id, { password_hash: passwordHash });
    await deleteSessions(trx, { memberId: member.id, except: session.id });
    await recordForMember(trx, { member, place, now: tools.clock.real(), action: 'password_changed' });
  });
};
