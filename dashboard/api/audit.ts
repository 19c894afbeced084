// The audit log of an organization, page by page, and the address of its export.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { apiClient, type Schemas, unwrap } from './apiClient.ts';

export type AuditEvent = Schemas['AuditEvent'];
export type AuditAction = Schemas['AuditAction'];

export type AuditFilters = { memberId?: string; action?: AuditAction; from?: string; until?: string };

export const auditQuery = (organizationId: string, filters: AuditFilters, cursor?: string) =>
  queryOptions({
    queryKey: ['audit', organizationId, filters, cursor],
    queryFn: () =>
      unwrap(
        apiClient.GET('/dashboard/api/organizations/{organizationId}/audit', {
          params: { path: { organizationId }, query: { ...filters, cursor, limit: 50 } },
        }),
      ),
    placeholderData: keepPreviousData,
  });

/** Where the log with these filters is fetched as CSV. */
export const exportUrl = (organizationId: string, filters: AuditFilters): string => {
  const query = new URLSearchParams(
    Object.entries(filters).filter((entry): entry is [string, string] => Boolean(entry[1])),
  );
  return `/dashboard/api/organizations/${encodeURIComponent(organizationId)}/audit/export?${query}`;
};
