// The requests that add a passkey and sign in with one.
import { type Authenticator, makeAuthenticator } from './authenticator.ts';
import { anonymousUser, type DashboardUser, password } from './users.ts';

type Options = { challenge: string };

/** The body of the request that adds a passkey. */
export const startAdding = async (
  { client, url }: DashboardUser,
  authenticator: Authenticator = makeAuthenticator(url),
) => {
  const path = '/management/me/passkeys/challenge';
  const { challengeId, options } = (await client.POST(path, { body: { password } })).data!;
  return { challengeId, name: 'Laptop', response: authenticator.create(options as Options) };
};

export const finishAdding = ({ client }: DashboardUser, body: Awaited<ReturnType<typeof startAdding>>) =>
  client.POST('/management/me/passkeys', { body });

export const addPasskey = async (user: DashboardUser, authenticator?: Authenticator) =>
  finishAdding(user, await startAdding(user, authenticator));

export const startSignIn = async ({ client }: DashboardUser) => {
  const { data } = await client.POST('/management/sign-in/passkey/challenge');
  return { challengeId: data!.challengeId, options: data!.options as Options };
};

export const finishSignIn = ({ client }: DashboardUser, challengeId: string, response: object) =>
  client.POST('/management/sign-in/passkey', { body: { challengeId, response: { ...response } } });

/** A browser after a sign-in with this status; with an address, behind a proxy that reports it. */
export const signInByPasskey = async (
  { url }: { url: string },
  authenticator: Authenticator,
  from: { address?: string } = {},
) => {
  const browser = anonymousUser(url, 'by-passkey@example.com', from);
  const { challengeId, options } = await startSignIn(browser);
  const { response } = await finishSignIn(browser, challengeId, authenticator.get(options));
  return { ...browser, status: response.status };
};
