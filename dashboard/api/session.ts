// Sign-in, sign-out, invitations, password reset, and the order of roles.
import { queryOptions } from '@tanstack/react-query';
import { ApiError, apiClient, type Schemas, unwrap } from './apiClient.ts';
import { sessionQueryKey } from './queryClient.ts';

export type Session = Schemas['Session'];
export type Role = Schemas['Role'];
export type OrganizationMembership = Schemas['OrganizationMembership'];

export const sessionQuery = queryOptions({
  queryKey: sessionQueryKey,
  queryFn: async (): Promise<Session | null> => {
    try {
      return await unwrap(apiClient.GET('/management/session'));
    } catch (error) {
      if (error instanceof ApiError && error.code === 'unauthorized') return null;
      throw error;
    }
  },
  staleTime: 60_000,
});

export const signInOptionsQuery = queryOptions({
  queryKey: ['signInChoices'],
  queryFn: () => unwrap(apiClient.GET('/management/sign-in')),
});

export const signIn = (body: Schemas['SignIn']) => unwrap(apiClient.POST('/management/sign-in', { body }));

export const startPasskeySignIn = () => unwrap(apiClient.POST('/management/sign-in/passkey/challenge'));

export const signInWithPasskey = (body: Schemas['PasskeyAssertion']) =>
  unwrap(apiClient.POST('/management/sign-in/passkey', { body }));

export const startOidcSignIn = () => unwrap(apiClient.POST('/management/sign-in/oidc'));

export const signOut = () => unwrap(apiClient.DELETE('/management/session'));

export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['invitation', token],
    queryFn: () => unwrap(apiClient.POST('/management/invitation/view', { body: { token } })),
    enabled: token !== '',
  });

export const acceptInvitation = (body: Schemas['AcceptInvitation']) =>
  unwrap(apiClient.POST('/management/invitation/accept', { body }));

export const resetPassword = (body: Schemas['ResetPassword']) =>
  unwrap(apiClient.POST('/management/password-reset', { body }));

const roleRanks: Record<Role, number> = { viewer: 0, developer: 1, owner: 2 };

/** True if a role includes another. Only determines which controls the page shows; the service checks every request. */
export const hasRole = (role: Role, requiredRole: Role): boolean =>
  roleRanks[role] >= roleRanks[requiredRole];
