// Searches an organization's applications, connections, API keys and requests.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { apiClient, unwrap } from './apiClient.ts';

export const searchQuery = (organizationId: string, text: string) =>
  queryOptions({
    queryKey: ['search', organizationId, text],
    queryFn: () =>
      unwrap(
        apiClient.GET('/management/organizations/{organizationId}/search', {
          params: { path: { organizationId }, query: { text } },
        }),
      ),
    placeholderData: keepPreviousData,
  });
