// The signed-in member's name, password, passkeys and sessions.
import { queryOptions } from '@tanstack/react-query';
import { apiClient, type Schemas, unwrap } from './apiClient.ts';

export const sessionsQuery = queryOptions({
  queryKey: ['me', 'sessions'],
  queryFn: async () => (await unwrap(apiClient.GET('/management/me/sessions'))).sessions,
});

export const passkeysQuery = queryOptions({
  queryKey: ['me', 'passkeys'],
  queryFn: async () => (await unwrap(apiClient.GET('/management/me/passkeys'))).passkeys,
});

export const updateProfile = (name: string) => unwrap(apiClient.PATCH('/management/me', { body: { name } }));

export const changePassword = (body: Schemas['ChangePassword']) =>
  unwrap(apiClient.PUT('/management/me/password', { body }));

export const endSession = (sessionId: string) =>
  unwrap(apiClient.DELETE('/management/me/sessions/{sessionId}', { params: { path: { sessionId } } }));

export const endOtherSessions = () => unwrap(apiClient.DELETE('/management/me/sessions'));

export const startPasskeyRegistration = (body: Schemas['StartPasskeyRegistration']) =>
  unwrap(apiClient.POST('/management/me/passkeys/challenge', { body }));

export const addPasskey = (body: Schemas['NewPasskey']) =>
  unwrap(apiClient.POST('/management/me/passkeys', { body }));

export const removePasskey = (passkeyId: string) =>
  unwrap(apiClient.DELETE('/management/me/passkeys/{passkeyId}', { params: { path: { passkeyId } } }));
