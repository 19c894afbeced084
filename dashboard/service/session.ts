// Who is signed in, how one gets there, and what a role may do.
import { queryOptions } from '@tanstack/react-query';
import { answered, Refusal, type Shape, service } from './conversation.ts';
import { sessionKey } from './queries.ts';

export type Session = Shape['Session'];
export type Role = Shape['Role'];
export type OwnOrganization = Shape['OwnOrganization'];

export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: async (): Promise<Session | null> => {
    try {
      return await answered(service.GET('/dashboard/api/session'));
    } catch (error) {
      if (error instanceof Refusal && error.code === 'unauthorized') return null;
      throw error;
    }
  },
  staleTime: 60_000,
});

export const signInChoicesQuery = queryOptions({
  queryKey: ['signInChoices'],
  queryFn: () => answered(service.GET('/dashboard/api/sign-in')),
});

export const signIn = (body: Shape['SignIn']) => answered(service.POST('/dashboard/api/sign-in', { body }));

export const startPasskeySignIn = () => answered(service.POST('/dashboard/api/sign-in/passkey/challenge'));

export const signInWithPasskey = (body: Shape['PasskeyAnswer']) =>
  answered(service.POST('/dashboard/api/sign-in/passkey', { body }));

export const startOpenIdSignIn = () => answered(service.POST('/dashboard/api/sign-in/openid'));

export const signOut = () => answered(service.DELETE('/dashboard/api/session'));

export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['invitation', token],
    queryFn: () => answered(service.POST('/dashboard/api/invitation/view', { body: { token } })),
    enabled: token !== '',
  });

export const acceptInvitation = (body: Shape['AcceptInvitation']) =>
  answered(service.POST('/dashboard/api/invitation/accept', { body }));

export const resetPassword = (body: Shape['ResetPassword']) =>
  answered(service.POST('/dashboard/api/password-reset', { body }));

const ranks: Record<Role, number> = { viewer: 0, developer: 1, owner: 2 };

/** Whether a role may do what at least `needed` may. The service decides; the page only does not show the rest. */
export const mayAct = (role: Role, needed: Role): boolean => ranks[role] >= ranks[needed];
