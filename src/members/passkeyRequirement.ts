// Whether a session may do more than add or use a passkey. One organization that requires passkeys limits its members'
// sessions in all of their organizations: from another one they could create a reset link for it, or remove a passkey.
import type { Queries } from '../db/open.ts';
import { PasskeyRequired } from '../errors.ts';
import type { SignInMethod } from './member.ts';
import type { AuthenticatedMember } from './sessions.ts';
import { findPasskeys } from './signInStore.ts';
import { isPasskeyRequired } from './store.ts';

/** What the member must do before anything else: add a first passkey, or sign in with one. */
export type PasskeyStep = 'add_passkey' | 'use_passkey';

/** Whether a session of this method has all rights. How members sign in at the OpenID provider is the provider's business. */
export const isSufficient = (method: SignInMethod): boolean => method === 'passkey' || method === 'oidc';

/** What the session lacks; undefined if it has all rights. */
export const findRequiredStep = async (
  db: Queries,
  { session, member }: AuthenticatedMember,
): Promise<PasskeyStep | undefined> => {
  if (isSufficient(session.method) || !(await isPasskeyRequired(db, member.id))) return undefined;
  return (await findPasskeys(db, member.id)).length === 0 ? 'add_passkey' : 'use_passkey';
};

/** Throws PasskeyRequired if the session lacks a passkey. */
export const requirePasskey = async (
  db: Queries,
  { session, member }: AuthenticatedMember,
): Promise<void> => {
  if (!isSufficient(session.method) && (await isPasskeyRequired(db, member.id))) throw new PasskeyRequired();
};
