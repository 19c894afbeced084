// Who changes something, when, and in which organization. It is made once where a request or a command begins.
import type { AuditEventRow } from '../../platform/db/tables.ts';

/** Who acts, and from which IP address: a member, an organization token, or the operator at the command line. */
export type Actor = Pick<AuditEventRow, 'memberId' | 'tokenId' | 'email' | 'address'>;

/** Who acts, and when (real time). */
export type ActorAt = { actor: Actor; now: Date };

/** Who acts in which organization, and when. */
export type AuditContext = ActorAt & { organizationId: string };

export const operatorActor: Actor = { memberId: null, tokenId: null, email: null, address: null };

/** The operator, who acts at the command line or starts the service. */
export const byOperator = (organizationId: string, now: Date): AuditContext => ({
  organizationId,
  actor: operatorActor,
  now,
});
