// A real OpenID provider that accepts any password.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

export const clientId = 'dashboard';
export const clientSecret = 'a secret between the two of them';

/**
 * A provider for the service at `baseUrl`. The subject is the login. Emails of `unverified-…` are unverified; for emails of
 * `unsaid-…` it does not report whether they are verified.
 */
export const startOidcProvider = async (
  baseUrl: string,
): Promise<{ issuer: string; close(): Promise<void> }> => {
  const server: Server = createServer((request, response) => provider.callback()(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [`${baseUrl}/dashboard/oidc/callback`],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    claims: { email: ['email', 'email_verified'], profile: ['name'] },
    cookies: { keys: ['a key of this test'] },
    pkce: { required: () => true },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
    findAccount: (_context: unknown, login: string) => ({
      accountId: login,
      claims: async () => ({
        sub: login,
        email: `${login.replace(/^(unverified|unsaid)-/, '')}@example.com`,
        ...(!login.startsWith('unsaid-') && { email_verified: !login.startsWith('unverified-') }),
        name: `Name of ${login}`,
      }),
    }),
  });
  return {
    issuer,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
