// Members of an organization and invitations to it.
import { queryOptions } from '@tanstack/react-query';
import { answered, type Shape, service } from './conversation.ts';
import type { Role } from './session.ts';

export type Member = Shape['Member'];
export type Invitation = Shape['Invitation'];

const here = (organizationId: string) => ({ params: { path: { organizationId } } });

export const membersQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['members', organizationId],
    queryFn: async () =>
      (
        await answered(
          service.GET('/dashboard/api/organizations/{organizationId}/members', here(organizationId)),
        )
      ).members,
    refetchInterval: 15_000,
  });

export const invitationsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['invitations', organizationId],
    queryFn: async () =>
      (
        await answered(
          service.GET('/dashboard/api/organizations/{organizationId}/invitations', here(organizationId)),
        )
      ).invitations,
    refetchInterval: 15_000,
  });

export const renameOrganization = (organizationId: string, name: string) =>
  answered(
    service.PATCH('/dashboard/api/organizations/{organizationId}', {
      ...here(organizationId),
      body: { name },
    }),
  );

export const invite = (organizationId: string, body: Shape['NewInvitation']) =>
  answered(
    service.POST('/dashboard/api/organizations/{organizationId}/invitations', {
      ...here(organizationId),
      body,
    }),
  );

export const withdrawInvitation = (organizationId: string, invitationId: string) =>
  answered(
    service.DELETE('/dashboard/api/organizations/{organizationId}/invitations/{invitationId}', {
      params: { path: { organizationId, invitationId } },
    }),
  );

const one = (organizationId: string, memberId: string) => ({
  params: { path: { organizationId, memberId } },
});

export const changeRole = (organizationId: string, memberId: string, role: Role) =>
  answered(
    service.PATCH('/dashboard/api/organizations/{organizationId}/members/{memberId}', {
      ...one(organizationId, memberId),
      body: { role },
    }),
  );

export const removeMember = (organizationId: string, memberId: string) =>
  answered(
    service.DELETE(
      '/dashboard/api/organizations/{organizationId}/members/{memberId}',
      one(organizationId, memberId),
    ),
  );

export const makeResetLink = (organizationId: string, memberId: string) =>
  answered(
    service.POST(
      '/dashboard/api/organizations/{organizationId}/members/{memberId}/reset-link',
      one(organizationId, memberId),
    ),
  );
