// The tokens with which programs manage an organization.
import { queryOptions } from '@tanstack/react-query';
import { apiClient, type Schemas, unwrap } from './apiClient.ts';

export type OrganizationToken = Schemas['OrganizationToken'];
export type TokenScope = Schemas['TokenScope'];

const tokensPath = '/management/organizations/{organizationId}/tokens';

export const tokensQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['tokens', organizationId],
    queryFn: async () =>
      (await unwrap(apiClient.GET(tokensPath, { params: { path: { organizationId } } }))).tokens,
  });

export const createToken = (organizationId: string, body: Schemas['NewOrganizationToken']) =>
  unwrap(apiClient.POST(tokensPath, { params: { path: { organizationId } }, body }));

export const revokeToken = (organizationId: string, tokenId: string) =>
  unwrap(apiClient.DELETE(`${tokensPath}/{tokenId}`, { params: { path: { organizationId, tokenId } } }));
