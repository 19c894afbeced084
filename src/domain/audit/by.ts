// The author, time and organization of a change, created once at the start of a request or a command.
import type { AuditEventRow } from '../../platform/db/tables.ts';

/** The author, with their IP address: a member, an organization token, or the operator at the command line. */
export type Actor = Pick<AuditEventRow, 'memberId' | 'tokenId' | 'email' | 'address'>;

/** The author, and the real time. */
export type ActorAt = { actor: Actor; now: Date };

/** The author, the real time and the organization. */
export type AuditContext = ActorAt & { organizationId: string };

export const operatorActor: Actor = { memberId: null, tokenId: null, email: null, address: null };

/** The operator, at the command line or when the service starts. */
export const byOperator = (organizationId: string, now: Date): AuditContext => ({
  organizationId,
  actor: operatorActor,
  now,
});
