// An organization's applications, with their API keys, institutions and metrics.
import { queryOptions } from '@tanstack/react-query';
import { apiClient, type Schemas, unwrap } from './apiClient.ts';

export type Application = Schemas['Application'];
export type ApiKey = Schemas['ApiKey'];

export const applicationsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['applications', organizationId],
    queryFn: async () =>
      (
        await unwrap(
          apiClient.GET('/management/organizations/{organizationId}/applications', {
            params: { path: { organizationId } },
          }),
        )
      ).applications,
  });

export const createApplication = (organizationId: string, body: Schemas['NewApplication']) =>
  unwrap(
    apiClient.POST('/management/organizations/{organizationId}/applications', {
      params: { path: { organizationId } },
      body,
    }),
  );

const applicationParams = (applicationId: string) => ({ params: { path: { applicationId } } });

export const applicationQuery = (applicationId: string) =>
  queryOptions({
    queryKey: ['application', applicationId],
    queryFn: () =>
      unwrap(apiClient.GET('/management/applications/{applicationId}', applicationParams(applicationId))),
  });

/** The consent text for end users, which contains the application's name. */
export const consentTextQuery = (applicationId: string, name: string) =>
  queryOptions({
    queryKey: ['application', applicationId, 'consent', name],
    queryFn: () =>
      unwrap(
        apiClient.GET('/management/applications/{applicationId}/consent', applicationParams(applicationId)),
      ),
  });

export const updateApplication = (applicationId: string, body: Schemas['ApplicationUpdate']) =>
  unwrap(
    apiClient.PATCH('/management/applications/{applicationId}', {
      ...applicationParams(applicationId),
      body,
    }),
  );

export const archiveApplication = (applicationId: string) =>
  unwrap(
    apiClient.POST('/management/applications/{applicationId}/archive', applicationParams(applicationId)),
  );

export const restoreApplication = (applicationId: string) =>
  unwrap(
    apiClient.POST('/management/applications/{applicationId}/restore', applicationParams(applicationId)),
  );

export const rateLimitQuery = (applicationId: string) =>
  queryOptions({
    queryKey: ['application', applicationId, 'rateLimit'],
    queryFn: () =>
      unwrap(
        apiClient.GET(
          '/management/applications/{applicationId}/rate-limit',
          applicationParams(applicationId),
        ),
      ),
  });

export const setRateLimit = (applicationId: string, requestsPerMinute: number | null) =>
  unwrap(
    apiClient.PUT('/management/applications/{applicationId}/rate-limit', {
      ...applicationParams(applicationId),
      body: { requestsPerMinute },
    }),
  );

export const setApplicationLogo = (applicationId: string, file: File) =>
  unwrap(
    apiClient.PUT('/management/applications/{applicationId}/logo', {
      ...applicationParams(applicationId),
      headers: { 'Content-Type': 'application/octet-stream' },
      body: file as never,
      bodySerializer: (body) => body,
    }),
  );

export const removeApplicationLogo = (applicationId: string) =>
  unwrap(apiClient.DELETE('/management/applications/{applicationId}/logo', applicationParams(applicationId)));

export const createIdentitySecret = (applicationId: string) =>
  unwrap(
    apiClient.POST(
      '/management/applications/{applicationId}/identity-secret',
      applicationParams(applicationId),
    ),
  );

export const apiKeysQuery = (applicationId: string) =>
  queryOptions({
    queryKey: ['apiKeys', applicationId],
    queryFn: async () =>
      (
        await unwrap(
          apiClient.GET(
            '/management/applications/{applicationId}/api-keys',
            applicationParams(applicationId),
          ),
        )
      ).apiKeys,
  });

export const createApiKey = (applicationId: string, body: Schemas['NewApiKey']) =>
  unwrap(
    apiClient.POST('/management/applications/{applicationId}/api-keys', {
      ...applicationParams(applicationId),
      body,
    }),
  );

export const revokeApiKey = (applicationId: string, keyId: string) =>
  unwrap(
    apiClient.DELETE('/management/applications/{applicationId}/api-keys/{keyId}', {
      params: { path: { applicationId, keyId } },
    }),
  );

export const institutionsQuery = (applicationId: string) =>
  queryOptions({
    queryKey: ['institutions', applicationId],
    queryFn: async () =>
      (
        await unwrap(
          apiClient.GET(
            '/management/applications/{applicationId}/institutions',
            applicationParams(applicationId),
          ),
        )
      ).institutions,
    staleTime: 300_000,
  });

export type TimeRange = Schemas['TimeRange'];
export type Overview = Schemas['Overview'];

export const overviewQuery = (applicationId: string, range: TimeRange) =>
  queryOptions({
    queryKey: ['overview', applicationId, range],
    queryFn: () =>
      unwrap(
        apiClient.GET('/management/applications/{applicationId}/overview', {
          params: { path: { applicationId }, query: { range } },
        }),
      ),
    // The service writes its metrics every 10 seconds.
    refetchInterval: 15_000,
  });
