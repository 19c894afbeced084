// Links that work once: an invitation makes a member, a reset chooses a new password. The token stands behind `#`,
// where no server and no log sees it; the database keeps its hash.
import { addMilliseconds, type Clock, seconds } from '../clock.ts';
import type { Queries } from '../db/open.ts';
import { NotFound } from '../errors.ts';
import { makeId } from '../ids.ts';
import { createOpaqueToken, hashOpaqueToken } from '../vault/opaqueToken.ts';
import { findMemberToken, type MemberToken } from './store.ts';

/** A link, and the address to hand out once. */
export type IssuedMemberToken = { memberToken: MemberToken; url: string };

/** A fresh link, which is not kept yet. */
export const makeMemberToken = (
  { baseUrl, clock }: { baseUrl: string; clock: Clock },
  given: Pick<MemberToken, 'kind' | 'organizationId' | 'email' | 'role'>,
  hours: number,
): IssuedMemberToken => {
  const now = clock.real();
  const { token, hash } = createOpaqueToken();
  const memberToken = {
    ...given,
    id: makeId('inv'),
    tokenHash: hash,
    createdAt: now.toISOString(),
    expiresAt: addMilliseconds(now, seconds(hours * 3600)).toISOString(),
  };
  return { memberToken, url: `${baseUrl}/dashboard/${given.kind}#${token}` };
};

/** The link of a token that still works. Throws NotFound. */
export const verifyMemberToken = async (
  db: Queries,
  wanted: { token: string; kind: MemberToken['kind']; now: Date },
): Promise<MemberToken> => {
  const { token, kind, now } = wanted;
  const link = await findMemberToken(db, { tokenHash: hashOpaqueToken(token), kind, now: now.toISOString() });
  if (!link) throw new NotFound('link');
  return link;
};
