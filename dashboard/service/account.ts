// The member's own name, password, passkeys and sessions.
import { queryOptions } from '@tanstack/react-query';
import { answered, type Shape, service } from './conversation.ts';

export const ownSessionsQuery = queryOptions({
  queryKey: ['me', 'sessions'],
  queryFn: async () => (await answered(service.GET('/dashboard/api/me/sessions'))).sessions,
});

export const passkeysQuery = queryOptions({
  queryKey: ['me', 'passkeys'],
  queryFn: async () => (await answered(service.GET('/dashboard/api/me/passkeys'))).passkeys,
});

export const rename = (name: string) => answered(service.PATCH('/dashboard/api/me', { body: { name } }));

export const changePassword = (body: Shape['ChangePassword']) =>
  answered(service.PUT('/dashboard/api/me/password', { body }));

export const endSession = (sessionId: string) =>
  answered(service.DELETE('/dashboard/api/me/sessions/{sessionId}', { params: { path: { sessionId } } }));

export const endOtherSessions = () => answered(service.DELETE('/dashboard/api/me/sessions'));

export const startPasskey = (body: Shape['StartPasskey']) =>
  answered(service.POST('/dashboard/api/me/passkeys/challenge', { body }));

export const addPasskey = (body: Shape['NewPasskey']) =>
  answered(service.POST('/dashboard/api/me/passkeys', { body }));

export const removePasskey = (passkeyId: string) =>
  answered(service.DELETE('/dashboard/api/me/passkeys/{passkeyId}', { params: { path: { passkeyId } } }));
