// Single-use links for invitations and password resets. The token is in the URL's fragment, which browsers never send to a
// server; the database stores its hash.

import type { Queries } from '../../platform/db/open.ts';
import { addMilliseconds, type Clock, seconds } from '../../platform/values/clock.ts';
import { NotFound } from '../../platform/values/errors.ts';
import { makeId } from '../../platform/values/ids.ts';
import { createOpaqueToken, hashOpaqueToken } from '../../platform/vault/keys.ts';
import type { MemberToken } from './tokenStore.ts';
import * as tokenStore from './tokenStore.ts';

/** A token's row, and the link that contains the token itself. */
export type IssuedMemberToken = { memberToken: MemberToken; url: string };

/** Creates a token valid for `hours`. The caller stores it. */
export const makeMemberToken = (
  { baseUrl, clock }: { baseUrl: string; clock: Clock },
  fields: Pick<MemberToken, 'kind' | 'organizationId' | 'email' | 'role'>,
  hours: number,
): IssuedMemberToken => {
  const now = clock.real();
  const { token, hash } = createOpaqueToken();
  const memberToken = {
    ...fields,
    id: makeId('inv'),
    tokenHash: hash,
    createdAt: now.toISOString(),
    expiresAt: addMilliseconds(now, seconds(hours * 3600)).toISOString(),
  };
  return { memberToken, url: `${baseUrl}/dashboard/${fields.kind}#${token}` };
};

/** Finds the row of an unexpired token. Throws NotFound. */
export const verifyMemberToken = async (
  db: Queries,
  { token, kind, now }: { token: string; kind: MemberToken['kind']; now: Date },
): Promise<MemberToken> => {
  const key = { tokenHash: hashOpaqueToken(token), kind };
  const memberToken = await tokenStore.findMemberToken(db, key, now.toISOString());
  if (!memberToken) throw new NotFound('link');
  return memberToken;
};
