// What a member does with their own account is told in the log of each organization that they belong to.
import { type AuditAction, recordAuditEvent } from '../audit/store.ts';
import type { Queries } from '../db/open.ts';
import type { ClientInfo, Member } from './member.ts';
import { findMemberOrganizations } from './store.ts';

export type MemberAuditEvent = {
  member: Pick<Member, 'id' | 'email'>;
  clientInfo: Pick<ClientInfo, 'address'>;
  now: Date;
  action: AuditAction;
  subject?: string;
  details?: Record<string, string>;
};

/** Writes a line for each of a member's organizations. */
export const recordMemberEvent = async (db: Queries, entry: MemberAuditEvent): Promise<void> => {
  const { member, clientInfo, ...deed } = entry;
  const actor = { memberId: member.id, email: member.email, address: clientInfo.address };
  for (const { id } of await findMemberOrganizations(db, member.id)) {
    await recordAuditEvent(db, { ...deed, organizationId: id, actor });
  }
};

/** Somebody tried to get in as a member and did not: who it was is not known. */
export const recordFailedSignIn = async (
  db: Queries,
  { member, clientInfo, now, details }: Omit<MemberAuditEvent, 'action'>,
): Promise<void> => {
  const actor = { memberId: null, email: null, address: clientInfo.address };
  for (const { id } of await findMemberOrganizations(db, member.id)) {
    await recordAuditEvent(db, {
      organizationId: id,
      now,
      action: 'sign_in_failed',
      actor,
      subject: member.id,
      details: { email: member.email, ...details },
    });
  }
};
