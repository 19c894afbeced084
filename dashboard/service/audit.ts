// The audit log of an organization, page by page, and the address of its export.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { answered, type Shape, service } from './conversation.ts';

export type AuditEvent = Shape['AuditEvent'];
export type AuditAction = Shape['AuditAction'];

export type AuditFilters = { memberId?: string; action?: AuditAction; from?: string; until?: string };

export const auditQuery = (organizationId: string, filters: AuditFilters, cursor?: string) =>
  queryOptions({
    queryKey: ['audit', organizationId, filters, cursor],
    queryFn: () =>
      answered(
        service.GET('/dashboard/api/organizations/{organizationId}/audit', {
          params: { path: { organizationId }, query: { ...filters, cursor, limit: 50 } },
        }),
      ),
    placeholderData: keepPreviousData,
  });

/** Where the log with these filters is fetched as CSV. */
export const exportAddress = (organizationId: string, filters: AuditFilters): string => {
  const query = new URLSearchParams(
    Object.entries(filters).filter((entry): entry is [string, string] => Boolean(entry[1])),
  );
  return `/dashboard/api/organizations/${encodeURIComponent(organizationId)}/audit/export?${query}`;
};
