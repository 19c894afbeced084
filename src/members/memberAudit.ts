// Audit events about a member's own account. They are recorded in each of the member's organizations.
import { type AuditAction, recordAuditEvent } from '../audit/store.ts';
import type { Queries } from '../db/open.ts';
import type { ClientInfo, Member } from './member.ts';
import * as store from './store.ts';

export type MemberAuditEvent = {
  member: Pick<Member, 'id' | 'email'>;
  clientInfo: Pick<ClientInfo, 'address'>;
  now: Date;
  action: AuditAction;
  subject?: string;
  details?: Record<string, string>;
};

/** Records an event by the member in each of their organizations. */
export const recordMemberEvent = async (db: Queries, event: MemberAuditEvent): Promise<void> => {
  const { member, clientInfo, ...rest } = event;
  const actor = { memberId: member.id, email: member.email, address: clientInfo.address };
  for (const { id } of await store.findMemberOrganizations(db, member.id)) {
    await recordAuditEvent(db, { ...rest, organizationId: id, actor });
  }
};

/** Records a failed sign-in as this member. The actor is unknown. */
export const recordFailedSignIn = async (
  db: Queries,
  { member, clientInfo, now, details }: Omit<MemberAuditEvent, 'action'>,
): Promise<void> => {
  const actor = { memberId: null, email: null, address: clientInfo.address };
  for (const { id } of await store.findMemberOrganizations(db, member.id)) {
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
