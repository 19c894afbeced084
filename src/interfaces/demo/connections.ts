// The demo's requests to the service for one session, as any consumer's backend sends them.
import { ProblemError, unwrap } from '../../../client/index.ts';
import { DemoError } from './errors.ts';
import type { DemoInside } from './inside.ts';
import type { Exchange, ServiceClient } from './requests.ts';
import { type DemoSession, saveConnection } from './sessions.ts';

const pageSize = 25;

/** The scoped token of one of the session's own connections. Throws DemoError. */
export const scopedTokenOf = (session: DemoSession, connectionId: string): string => {
  const token = session.connections.get(connectionId);
  if (!token) throw new DemoError(404, 'This connection does not exist. Reload the page and connect again.');
  return token;
};

/** Adds the result of onSuccess, which has a token only for the first connection of an end user. */
export const addConnection = async (
  service: ServiceClient,
  session: DemoSession,
  { connectionId, scopedToken }: { connectionId?: unknown; scopedToken?: unknown },
): Promise<void> => {
  if (typeof connectionId !== 'string') throw new DemoError(400, 'The connection has no id.');
  const tokens = typeof scopedToken === 'string' ? [scopedToken] : session.scopedTokens;
  for (const token of tokens) {
    // The page is not trusted: the token must be able to read the connection.
    if (!(await canRead(service.withScopedToken(token), connectionId))) continue;
    return saveConnection(session, connectionId, token);
  }
  throw new DemoError(409, 'This connection’s scoped token is lost. Reload the page and connect again.');
};

const canRead = async (client: ServiceClient, connectionId: string): Promise<boolean> => {
  const { response, error } = await client.GET('/connections/{connectionId}/accounts', {
    params: { path: { connectionId } },
  });
  if (response.ok) return true;
  if (response.status === 403 || response.status === 404) return false;
  throw new ProblemError(response, error);
};

/** The session's connections with their accounts, or with a problem if a connection cannot be read. */
export const listConnections = async (
  service: ServiceClient,
  session: DemoSession,
  { logoOf }: DemoInside,
) => {
  const read = async ([connectionId, token]: [string, string]) => {
    const client = service.withScopedToken(token);
    const params = { path: { connectionId } };
    try {
      const { connection } = await unwrap(client.GET('/connections/{connectionId}', { params }));
      const { accounts } = await unwrap(client.GET('/connections/{connectionId}/accounts', { params }));
      return { ...connection, accounts, logo: logoOf(connection.institution.id) };
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      if (error.status !== 404)
        return { id: connectionId, problem: { title: error.title, detail: error.detail } };
      // The connection was revoked, and deleted after the retention period.
      session.connections.delete(connectionId);
      return undefined;
    }
  };
  const connections = await Promise.all([...session.connections].map(read));
  return connections.filter((connection) => connection !== undefined);
};

/**
 * One page of an account's transactions, newest first, with the request and its response. Without the token, the response is
 * the service's refusal.
 */
export const listTransactions = async (
  clientWith: (note: (exchange: Exchange) => void) => ServiceClient,
  session: DemoSession,
  { connectionId, accountId, cursor }: { connectionId: string; accountId: string; cursor?: string },
  withToken: boolean,
) => {
  const token = scopedTokenOf(session, connectionId);
  let exchange: Exchange | undefined;
  const service = clientWith((noted) => {
    exchange = noted;
  });
  const client = withToken ? service.withScopedToken(token) : service;
  const params = { path: { accountId }, query: { limit: pageSize, cursor } };
  const answer = client.GET('/accounts/{accountId}/transactions', { params });
  return { ...(await (withToken ? unwrap(answer) : answer.then(() => undefined))), exchange };
};

/** A setup token, with which another app reads the accounts of one connection over SimpleFIN. */
export const createSetupToken = async (
  service: ServiceClient,
  session: DemoSession,
  connectionId: string,
): Promise<{ setupToken: string }> => {
  const client = service.withScopedToken(scopedTokenOf(session, connectionId));
  const params = { path: { connectionId } };
  const { accounts } = await unwrap(client.GET('/connections/{connectionId}/accounts', { params }));
  const body = { label: 'Demo', accountIds: accounts.map(({ id }) => id) };
  const { setupToken } = await unwrap(client.POST('/simplefin/accesses', { body }));
  return { setupToken };
};

/** Revokes one of the session's connections, which can still be read for the retention period. */
export const revokeConnection = async (
  service: ServiceClient,
  session: DemoSession,
  connectionId: string,
): Promise<void> => {
  scopedTokenOf(session, connectionId);
  await unwrap(service.DELETE('/connections/{connectionId}', { params: { path: { connectionId } } }));
};
