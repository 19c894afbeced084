// A line of the log of who did what. Details are short texts that were never secret: names, roles, origins.
import type { components } from '../../generated/dashboard.ts';

export type AuditAction = components['schemas']['AuditAction'];

export type AuditEvent = {
  organizationId: string;
  id: string;
  at: string;
  action: AuditAction;
  memberId: string | null;
  email: string | null;
  subject: string | null;
  details: Record<string, string>;
  address: string | null;
};
