// Texts for developers when the widget cannot be opened: the cause and the fix. They are in English and shown only in Sandbox,
// except for an unknown application, which has no environment, and for a wrong URL, with which nothing works.
import type { ApiClient, NewLinkSession } from './apiClient.ts';
import type { FailedReason } from './failedReason.ts';

const texts: Partial<Record<FailedReason, (session: NewLinkSession, detail: string) => string>> = {
  origin_not_allowed: ({ origin }) =>
    `The application doesn’t allow ${origin}. Add this origin in the dashboard.`,
  native_not_allowed: () =>
    'The application doesn’t allow native use, or this return URL isn’t registered. Check both in the dashboard.',
  wrong_address: (_, detail) =>
    `${detail} Load connect.js from there. In a native app, set baseUrl to that URL.`,
  unknown_application: ({ applicationId }) =>
    `The application “${applicationId}” doesn’t exist. Copy the application id from the dashboard.`,
  unknown_user: () =>
    'userSignature is missing, wrong or older than ten minutes. Sign externalUserId in your backend just before you open the widget.',
  unknown_connection: () =>
    'connectionId is not a connection of this application and user, or it was revoked. If you sign user ids, also sign connectionId.',
};

/** The text for a failure; undefined in Production, or if the environment is unknown. */
export const findDeveloperText = async (
  api: ApiClient,
  session: NewLinkSession,
  { reason, detail, signal }: { reason: FailedReason; detail?: string; signal: AbortSignal },
): Promise<string | undefined> => {
  const text = texts[reason]?.(session, detail ?? '');
  if (!text || reason === 'unknown_application' || reason === 'wrong_address') return text;
  const environment = await api.findEnvironment(session.applicationId, { signal }).catch(() => undefined);
  return environment === 'sandbox' ? text : undefined;
};
