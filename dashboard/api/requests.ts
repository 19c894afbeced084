// The log of an application's API requests.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { apiClient, type Schemas, unwrap } from './apiClient.ts';

export type LoggedRequest = Schemas['LoggedRequest'];
export type RequestOutcome = Schemas['RequestOutcome'];

export type RequestFilters = {
  requestId?: string;
  outcome?: RequestOutcome;
  operation?: string;
};

export const requestsQuery = (applicationId: string, filters: RequestFilters, cursor?: string) =>
  queryOptions({
    queryKey: ['requests', applicationId, filters, cursor],
    queryFn: () =>
      unwrap(
        apiClient.GET('/management/applications/{applicationId}/requests', {
          params: { path: { applicationId }, query: { ...filters, cursor, limit: 25 } },
        }),
      ),
    placeholderData: keepPreviousData,
    // Members often send a request to see it here.
    refetchInterval: 3_000,
  });
