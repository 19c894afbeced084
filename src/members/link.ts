// Links that work once: an invitation makes a member, a reset chooses a new password. The token stands behind `#`,
// where no server and no log sees it; the database keeps its hash.
import { after, type Clock, seconds } from '../clock.ts';
import type { Queries } from '../db/open.ts';
import { NotFound } from '../errors.ts';
import { makeId } from '../ids.ts';
import { createOpaqueToken, hashOpaqueToken } from '../vault/opaqueToken.ts';
import { findLink, type Link } from './store.ts';

/** Who made a link: a member of the organization, or the operator at the command line. */
export type Maker = { memberId: string | null; email: string | null; address: string | null };
export const operator: Maker = { memberId: null, email: null, address: null };

/** A link, and the address to hand out once. */
export type MadeLink = { link: Link; address: string };

/** A fresh link, which is not kept yet. */
export const newLink = (
  { baseUrl, clock }: { baseUrl: string; clock: Clock },
  given: Pick<Link, 'kind' | 'organizationId' | 'email' | 'role'>,
  hours: number,
): MadeLink => {
  const now = clock.real();
  const proof = createOpaqueToken();
  const link = {
    ...given,
    id: makeId('inv'),
    tokenHash: proof.hash,
    createdAt: now.toISOString(),
    expiresAt: after(now, seconds(hours * 3600)).toISOString(),
  };
  return { link, address: `${baseUrl}/dashboard/${given.kind}#${proof.text}` };
};

/** The link of a token that still works. Throws NotFound. */
export const findByToken = async (
  db: Queries,
  wanted: { token: string; kind: Link['kind']; now: Date },
): Promise<Link> => {
  const { token, kind, now } = wanted;
  const link = await findLink(db, { tokenHash: hashOpaqueToken(token), kind, now: now.toISOString() });
  if (!link) throw new NotFound('link');
  return link;
};
