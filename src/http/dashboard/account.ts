// The member's own account: name, password, sessions and passkeys.

import type { SignInMethod } from '../../members/member.ts';
import {
  finishPasskeyRegistration as add,
  removePasskey as remove,
  startPasskeyRegistration as start,
} from '../../members/passkeys.ts';
import { changePassword as change, confirmPassword } from '../../members/passwords.ts';
import {
  endMemberSession as end,
  endOtherMemberSessions as endOthers,
  listMemberSessions as list,
} from '../../members/sessions.ts';
import { findPasskeys, type Passkey } from '../../members/signInStore.ts';
import { updateMember } from '../../members/store.ts';
import type { Operation } from './operation.ts';
import { sessionToJson } from './sessionToJson.ts';

export const getSession: Operation<'getSession'> = async ({ signedIn }, service) =>
  sessionToJson(service, signedIn);

export const signOut: Operation<'signOut'> = async ({ signedIn, cookies }, { members }) => {
  await end(members, signedIn, { id: signedIn.session.id, clientInfo: cookies.clientInfo });
  cookies.clearSession();
};

export const updateProfile: Operation<'updateProfile'> = async ({ body, signedIn }, service) => {
  const name = body.name.trim();
  await updateMember(service.db.write, signedIn.member.id, { name });
  return sessionToJson(service, { ...signedIn, member: { ...signedIn.member, name } });
};

export const changePassword: Operation<'changePassword'> = async ({ body, signedIn, cookies }, { members }) =>
  change(members, signedIn, { ...body, clientInfo: cookies.clientInfo });

export const listSessions: Operation<'listSessions'> = async ({ signedIn }, { members }) => {
  const sessions = await list(members, signedIn.member.id);
  return {
    sessions: sessions.map((session) => ({
      id: session.id,
      isCurrent: session.id === signedIn.session.id,
      method: session.method as SignInMethod,
      browser: session.browser,
      address: session.address,
      createdAt: session.createdAt,
      lastUsedAt: session.lastUsedAt,
      expiresAt: session.expiresAt,
    })),
  };
};

export const endSession: Operation<'endSession'> = async ({ path, signedIn, cookies }, { members }) => {
  await end(members, signedIn, { id: path.sessionId, clientInfo: cookies.clientInfo });
  if (path.sessionId === signedIn.session.id) cookies.clearSession();
};

export const endOtherSessions: Operation<'endOtherSessions'> = async ({ signedIn, cookies }, { members }) =>
  endOthers(members, signedIn, cookies.clientInfo);

const passkeyToJson = ({ id, name, createdAt, lastUsedAt }: Passkey) => ({ id, name, createdAt, lastUsedAt });

export const listPasskeys: Operation<'listPasskeys'> = async ({ signedIn }, { db }) => ({
  passkeys: (await findPasskeys(db.read, signedIn.member.id)).map(passkeyToJson),
});

export const startPasskeyRegistration: Operation<'startPasskeyRegistration'> = async (
  { body, signedIn, cookies },
  { members },
) => {
  await confirmPassword(members, signedIn, { password: body.password, clientInfo: cookies.clientInfo });
  const { challengeId, options } = await start(members, signedIn);
  return { challengeId, options: { ...options } };
};

export const addPasskey: Operation<'addPasskey'> = async ({ body, signedIn, cookies }, { members }) => {
  const { name, ...passkeyResponse } = body;
  return passkeyToJson(
    await add(members, signedIn, { passkeyResponse, name, clientInfo: cookies.clientInfo }),
  );
};

export const removePasskey: Operation<'removePasskey'> = async ({ path, signedIn, cookies }, { members }) =>
  remove(members, signedIn, { id: path.passkeyId, clientInfo: cookies.clientInfo });
