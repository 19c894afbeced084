// An organization's audit log: pages, and the URL of the CSV export.
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
        apiClient.GET('/management/organizations/{organizationId}/audit', {
          params: { path: { organizationId }, query: { ...filters, cursor, limit: 50 } },
        }),
      ),
    placeholderData: keepPreviousData,
  });

/** The URL of the CSV export with these filters. */
export const exportUrl = (organizationId: string, filters: AuditFilters): string => {
  const query = new URLSearchParams(
    Object.entries(filters).filter((filter): filter is [string, string] => Boolean(filter[1])),
  );
  return `/management/organizations/${encodeURIComponent(organizationId)}/audit/export?${query}`;
};
