// An application's SimpleFIN accesses, without the data that they read.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { apiClient, type Schemas, unwrap } from './apiClient.ts';

export type SimplefinAccess = Schemas['SimplefinAccess'];

export type SimplefinAccessFilters = { externalUserId?: string };

export const simplefinAccessesQuery = (
  applicationId: string,
  filters: SimplefinAccessFilters,
  cursor?: string,
) =>
  queryOptions({
    queryKey: ['simplefinAccesses', applicationId, filters, cursor],
    queryFn: () =>
      unwrap(
        apiClient.GET('/management/applications/{applicationId}/simplefin-accesses', {
          params: { path: { applicationId }, query: { ...filters, cursor, limit: 25 } },
        }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
  });

export const revokeSimplefinAccess = (applicationId: string, accessId: string) =>
  unwrap(
    apiClient.DELETE('/management/applications/{applicationId}/simplefin-accesses/{accessId}', {
      params: { path: { applicationId, accessId } },
    }),
  );
