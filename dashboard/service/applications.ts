// Applications of an organization, and their access keys.
import { queryOptions } from '@tanstack/react-query';
import { answered, type Shape, service } from './conversation.ts';

export type Application = Shape['Application'];
export type ApiKey = Shape['ApiKey'];

export const applicationsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['applications', organizationId],
    queryFn: async () =>
      (
        await answered(
          service.GET('/dashboard/api/organizations/{organizationId}/applications', {
            params: { path: { organizationId } },
          }),
        )
      ).applications,
  });

export const createApplication = (organizationId: string, body: Shape['NewApplication']) =>
  answered(
    service.POST('/dashboard/api/organizations/{organizationId}/applications', {
      params: { path: { organizationId } },
      body,
    }),
  );

const here = (applicationId: string) => ({ params: { path: { applicationId } } });

export const applicationQuery = (applicationId: string) =>
  queryOptions({
    queryKey: ['application', applicationId],
    queryFn: () => answered(service.GET('/dashboard/api/applications/{applicationId}', here(applicationId))),
  });

export const updateApplication = (applicationId: string, body: Shape['ApplicationChange']) =>
  answered(service.PATCH('/dashboard/api/applications/{applicationId}', { ...here(applicationId), body }));

export const makeIdentitySecret = (applicationId: string) =>
  answered(service.POST('/dashboard/api/applications/{applicationId}/identity-secret', here(applicationId)));

export const apiKeysQuery = (applicationId: string) =>
  queryOptions({
    queryKey: ['keys', applicationId],
    queryFn: async () =>
      (await answered(service.GET('/dashboard/api/applications/{applicationId}/keys', here(applicationId))))
        .keys,
  });

export const createApiKey = (applicationId: string, body: Shape['NewApiKey']) =>
  answered(
    service.POST('/dashboard/api/applications/{applicationId}/keys', { ...here(applicationId), body }),
  );

export const revokeApiKey = (applicationId: string, keyId: string) =>
  answered(
    service.DELETE('/dashboard/api/applications/{applicationId}/keys/{keyId}', {
      params: { path: { applicationId, keyId } },
    }),
  );

export const institutionsQuery = (applicationId: string) =>
  queryOptions({
    queryKey: ['institutions', applicationId],
    queryFn: async () =>
      (
        await answered(
          service.GET('/dashboard/api/applications/{applicationId}/institutions', here(applicationId)),
        )
      ).institutions,
    staleTime: 300_000,
  });

export type Span = Shape['Span'];
export type Overview = Shape['Overview'];

export const overviewQuery = (applicationId: string, span: Span) =>
  queryOptions({
    queryKey: ['overview', applicationId, span],
    queryFn: () =>
      answered(
        service.GET('/dashboard/api/applications/{applicationId}/overview', {
          params: { path: { applicationId }, query: { span } },
        }),
      ),
    // The processes write their counts every ten seconds.
    refetchInterval: 15_000,
  });
