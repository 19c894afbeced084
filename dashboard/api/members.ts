// An organization's members and invitations.
import { queryOptions } from '@tanstack/react-query';
import { apiClient, type Schemas, unwrap } from './apiClient.ts';
import type { Role } from './session.ts';

export type Member = Schemas['Member'];
export type Invitation = Schemas['Invitation'];

const organizationParams = (organizationId: string) => ({ params: { path: { organizationId } } });

export const membersQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['members', organizationId],
    queryFn: async () =>
      (
        await unwrap(
          apiClient.GET(
            '/management/organizations/{organizationId}/members',
            organizationParams(organizationId),
          ),
        )
      ).members,
    refetchInterval: 15_000,
  });

export const invitationsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['invitations', organizationId],
    queryFn: async () =>
      (
        await unwrap(
          apiClient.GET(
            '/management/organizations/{organizationId}/invitations',
            organizationParams(organizationId),
          ),
        )
      ).invitations,
    refetchInterval: 15_000,
  });

export const renameOrganization = (organizationId: string, name: string) =>
  unwrap(
    apiClient.PATCH('/management/organizations/{organizationId}', {
      ...organizationParams(organizationId),
      body: { name },
    }),
  );

export const companyQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['company', organizationId],
    queryFn: () =>
      unwrap(
        apiClient.GET(
          '/management/organizations/{organizationId}/company',
          organizationParams(organizationId),
        ),
      ),
  });

export const setCompany = (organizationId: string, body: Schemas['Company']) =>
  unwrap(
    apiClient.PUT('/management/organizations/{organizationId}/company', {
      ...organizationParams(organizationId),
      body,
    }),
  );

export const setPasskeyRequirement = (organizationId: string, body: Schemas['PasskeyRequirement']) =>
  unwrap(
    apiClient.PUT('/management/organizations/{organizationId}/passkey-requirement', {
      ...organizationParams(organizationId),
      body,
    }),
  );

export const createInvitation = (organizationId: string, body: Schemas['NewInvitation']) =>
  unwrap(
    apiClient.POST('/management/organizations/{organizationId}/invitations', {
      ...organizationParams(organizationId),
      body,
    }),
  );

export const revokeInvitation = (organizationId: string, invitationId: string) =>
  unwrap(
    apiClient.DELETE('/management/organizations/{organizationId}/invitations/{invitationId}', {
      params: { path: { organizationId, invitationId } },
    }),
  );

const memberParams = (organizationId: string, memberId: string) => ({
  params: { path: { organizationId, memberId } },
});

export const changeRole = (organizationId: string, memberId: string, role: Role) =>
  unwrap(
    apiClient.PATCH('/management/organizations/{organizationId}/members/{memberId}', {
      ...memberParams(organizationId, memberId),
      body: { role },
    }),
  );

export const removeMember = (organizationId: string, memberId: string) =>
  unwrap(
    apiClient.DELETE(
      '/management/organizations/{organizationId}/members/{memberId}',
      memberParams(organizationId, memberId),
    ),
  );

export const createResetLink = (organizationId: string, memberId: string) =>
  unwrap(
    apiClient.POST(
      '/management/organizations/{organizationId}/members/{memberId}/reset-link',
      memberParams(organizationId, memberId),
    ),
  );
