// What a member does with their own account is told in the log of each organization that they belong to.
import type { Action } from '../audit/event.ts';
import { record } from '../audit/record.ts';
import type { Queries } from '../db/open.ts';
import type { Member, Place } from './member.ts';
import { findOwnOrganizations } from './store.ts';

export type Entry = {
  member: Pick<Member, 'id' | 'email'>;
  place: Pick<Place, 'address'>;
  now: Date;
  action: Action;
  subject?: string;
  details?: Record<string, string>;
};

/** Writes a line for each of a member's organizations. */
export const recordForMember = async (db: Queries, entry: Entry): Promise<void> => {
  const { member, place, ...deed } = entry;
  const by = { memberId: member.id, email: member.email, address: place.address };
  for (const { id } of await findOwnOrganizations(db, member.id)) {
    await record(db, { ...deed, organizationId: id, by });
  }
};

/** Somebody tried to get in as a member and did not: who it was is not known. */
export const recordFailedSignIn = async (
  db: Queries,
  { member, place, now, details }: Omit<Entry, 'action'>,
): Promise<void> => {
  const by = { memberId: null, email: null, address: place.address };
  for (const { id } of await findOwnOrganizations(db, member.id)) {
    await record(db, {
      organizationId: id,
      now,
      action: 'sign_in_failed',
      by,
      subject: member.id,
      details: { email: member.email, ...details },
    });
  }
};
