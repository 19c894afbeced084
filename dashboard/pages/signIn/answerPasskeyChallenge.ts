// Asks the browser for a passkey for this site, and returns its response to the service's challenge.
import { startAuthentication } from '@simplewebauthn/browser';
import type { Schemas } from '../../api/apiClient.ts';
import { startPasskeySignIn } from '../../api/session.ts';

/** Throws ApiError and WebAuthn errors. */
export const answerPasskeyChallenge = async (): Promise<Schemas['PasskeyAssertion']> => {
  const { challengeId, options } = await startPasskeySignIn();
  const response = await startAuthentication({ optionsJSON: options as never });
  return { challengeId, response: response as never };
};
