// Audit events about a member's own account. They are recorded in each of the member's organizations.

import type { Queries } from '../../platform/db/open.ts';
import type { ActorAt } from '../audit/by.ts';
import { type AuditAction, type AuditEntry, recordAudit } from '../audit/store.ts';
import type { ClientInfo, Member } from './member.ts';
import * as store from './store.ts';

/** The member as the author, with their IP address. */
export const byMember = (
  { id, email }: Pick<Member, 'id' | 'email'>,
  { clientIp }: Pick<ClientInfo, 'clientIp'>,
  now: Date,
): ActorAt => ({ actor: { memberId: id, tokenId: null, email, address: clientIp }, now });

/** Records an event about a member in each of the member's organizations. The author may be somebody else. */
export const recordMemberEvent = async (
  db: Queries,
  memberId: string,
  by: ActorAt,
  action: AuditAction,
  about?: Omit<AuditEntry, 'action'>,
): Promise<void> => {
  for (const { id: organizationId } of await store.findMemberOrganizations(db, memberId))
    await recordAudit(db, { ...by, organizationId }, { action, ...about });
};
