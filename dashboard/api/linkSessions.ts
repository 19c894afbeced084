// An application's link sessions, and their counts by step and by bank.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { apiClient, type Schemas, unwrap } from './apiClient.ts';

export type LinkSession = Schemas['LinkSession'];
export type LinkSessionOutcome = Schemas['LinkSessionOutcome'];
export type LinkSessionFailure = Schemas['LinkSessionFailure'];
export type LinkSessionStatistics = Schemas['LinkSessionStatistics'];

export type LinkSessionFilters = {
  outcome?: LinkSessionOutcome;
  institutionId?: string;
  linkSessionId?: string;
};

export const linkSessionsQuery = (applicationId: string, filters: LinkSessionFilters, cursor?: string) =>
  queryOptions({
    queryKey: ['linkSessions', applicationId, filters, cursor],
    queryFn: () =>
      unwrap(
        apiClient.GET('/management/applications/{applicationId}/link-sessions', {
          params: { path: { applicationId }, query: { ...filters, cursor, limit: 25 } },
        }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
  });

export const linkSessionStatisticsQuery = (applicationId: string, days: 7 | 30) =>
  queryOptions({
    queryKey: ['linkSessionStatistics', applicationId, days],
    queryFn: () =>
      unwrap(
        apiClient.GET('/management/applications/{applicationId}/link-session-statistics', {
          params: { path: { applicationId }, query: { days } },
        }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
  });
