// An application's connections: state and history, but no account data.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { apiClient, type Schemas, unwrap } from './apiClient.ts';

export type Connection = Schemas['Connection'];
export type Consent = Schemas['Consent'];
export type ConnectionEvent = Schemas['ConnectionEvent'];
export type ConnectionState = Schemas['ConnectionState'];

export type ConnectionFilters = {
  search?: string;
  externalUserId?: string;
  institutionId?: string;
  state?: ConnectionState;
  refreshedBefore?: string;
};

export const pageSize = 25;

export const connectionsQuery = (applicationId: string, filters: ConnectionFilters, cursor?: string) =>
  queryOptions({
    queryKey: ['connections', applicationId, filters, cursor],
    queryFn: () =>
      unwrap(
        apiClient.GET('/management/applications/{applicationId}/connections', {
          params: { path: { applicationId }, query: { ...filters, cursor, limit: pageSize } },
        }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
  });

const connectionParams = (applicationId: string, connectionId: string) => ({
  params: { path: { applicationId, connectionId } },
});

export const connectionQuery = (applicationId: string, connectionId: string) =>
  queryOptions({
    queryKey: ['connection', applicationId, connectionId],
    queryFn: () =>
      unwrap(
        apiClient.GET(
          '/management/applications/{applicationId}/connections/{connectionId}',
          connectionParams(applicationId, connectionId),
        ),
      ),
    // A refresh requested on this page finishes within seconds.
    refetchInterval: 3_000,
  });

export const consentsQuery = (applicationId: string, connectionId: string) =>
  queryOptions({
    queryKey: ['consents', applicationId, connectionId],
    queryFn: async () =>
      (
        await unwrap(
          apiClient.GET(
            '/management/applications/{applicationId}/connections/{connectionId}/consents',
            connectionParams(applicationId, connectionId),
          ),
        )
      ).consents,
    refetchInterval: 15_000,
  });

export const refreshConnection = (applicationId: string, connectionId: string) =>
  unwrap(
    apiClient.POST(
      '/management/applications/{applicationId}/connections/{connectionId}/refresh',
      connectionParams(applicationId, connectionId),
    ),
  );

export const revokeConnection = (applicationId: string, connectionId: string) =>
  unwrap(
    apiClient.DELETE(
      '/management/applications/{applicationId}/connections/{connectionId}',
      connectionParams(applicationId, connectionId),
    ),
  );

export const breakSandboxCredentials = (applicationId: string, connectionId: string) =>
  unwrap(
    apiClient.POST(
      '/management/applications/{applicationId}/connections/{connectionId}/break-credentials',
      connectionParams(applicationId, connectionId),
    ),
  );
