// The member's own name, password, passkeys and sessions.
import { queryOptions } from '@tanstack/react-query';
import { apiClient, type Schemas, unwrap } from './apiClient.ts';

export const sessionsQuery = queryOptions({
  queryKey: ['me', 'sessions'],
  queryFn: async () => (await unwrap(apiClient.GET('/dashboard/api/me/sessions'))).sessions,
});

export const passkeysQuery = queryOptions({
  queryKey: ['me', 'passkeys'],
  queryFn: async () => (await unwrap(apiClient.GET('/dashboard/api/me/passkeys'))).passkeys,
});

export const updateProfile = (name: string) =>
  unwrap(apiClient.PATCH('/dashboard/api/me', { body: { name } }));

export const changePassword = (body: Schemas['ChangePassword']) =>
  unwrap(apiClient.PUT('/dashboard/api/me/password', { body }));

export const endSession = (sessionId: string) =>
  unwrap(apiClient.DELETE('/dashboard/api/me/sessions/{sessionId}', { params: { path: { sessionId } } }));

export const endOtherSessions = () => unwrap(apiClient.DELETE('/dashboard/api/me/sessions'));

export const startPasskeyRegistration = (body: Schemas['StartPasskeyRegistration']) =>
  unwrap(apiClient.POST('/dashboard/api/me/passkeys/challenge', { body }));

export const addPasskey = (body: Schemas['NewPasskey']) =>
  unwrap(apiClient.POST('/dashboard/api/me/passkeys', { body }));

export const removePasskey = (passkeyId: string) =>
  unwrap(apiClient.DELETE('/dashboard/api/me/passkeys/{passkeyId}', { params: { path: { passkeyId } } }));
