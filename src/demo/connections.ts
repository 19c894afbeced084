// What the demo asks the service for one visitor, in the way that any consumer's backend would.
import { type Client, ProblemError, unwrap } from '../../client/index.ts';
import { DemoError } from './errors.ts';
import { saveConnection, type Visitor } from './visitors.ts';

/** Few enough for a screen; the page asks for more. */
const pageSize = 25;

type ServiceClient = Client<string>;

/** The token that reads a connection; only of the visitor's own connections. */
export const scopedTokenOf = (visitor: Visitor, connectionId: string): string => {
  const token = visitor.connections.get(connectionId);
  if (!token)
    throw new DemoError(404, 'This page does not know that connection. Reload it and connect again.');
  return token;
};

/** Takes what onSuccess gave the page: a token at a user's first connection, none at later ones. */
export const addConnection = async (
  service: ServiceClient,
  visitor: Visitor,
  { connectionId, scopedToken }: { connectionId?: unknown; scopedToken?: unknown },
): Promise<void> => {
  if (typeof connectionId !== 'string') throw new DemoError(400, 'The connection has no id.');
  const tokens = typeof scopedToken === 'string' ? [scopedToken] : visitor.scopedTokens;
  for (const token of tokens) {
    // The page could say anything: what counts is that the token opens the connection.
    if (!(await canRead(service.withScopedToken(token), connectionId))) continue;
    return saveConnection(visitor, connectionId, token);
  }
  throw new DemoError(
    409,
    'The scoped token of this connection is not here any more. Reload and connect again.',
  );
};

const canRead = async (client: ServiceClient, connectionId: string): Promise<boolean> => {
  const { response, error } = await client.GET('/connections/{connectionId}/accounts', {
    params: { path: { connectionId } },
  });
  if (response.ok) return true;
  if (response.status === 403 || response.status === 404) return false;
  throw new ProblemError(response, error);
};

/** The visitor's connections with their accounts; one that cannot be read says why and hides no other. */
export const listConnections = async (service: ServiceClient, visitor: Visitor) => {
  const read = async ([connectionId, token]: [string, string]) => {
    const client = service.withScopedToken(token);
    const params = { path: { connectionId } };
    try {
      const { connection } = await unwrap(client.GET('/connections/{connectionId}', { params }));
      const { accounts } = await unwrap(client.GET('/connections/{connectionId}/accounts', { params }));
      return { ...connection, accounts };
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      if (error.status !== 404)
        return { id: connectionId, problem: { title: error.title, detail: error.detail } };
      // Revoked, and gone after its 30 days.
      visitor.connections.delete(connectionId);
      return undefined;
    }
  };
  const all = await Promise.all([...visitor.connections].map(read));
  return all.filter((one) => one !== undefined);
};

/** One page of an account's transactions, newest first. */
export const listTransactions = (
  service: ServiceClient,
  visitor: Visitor,
  {
    connectionId,
    accountId,
    cursor,
  }: { connectionId: string; accountId: string; cursor: string | undefined },
) =>
  unwrap(
    service.withScopedToken(scopedTokenOf(visitor, connectionId)).GET('/accounts/{accountId}/transactions', {
      params: { path: { accountId }, query: { limit: pageSize, cursor } },
    }),
  );

/** Revokes one of the visitor's connections; it stays on the page, where it can still be read. */
export const revokeConnection = async (
  service: ServiceClient,
  visitor: Visitor,
  connectionId: string,
): Promise<void> => {
  scopedTokenOf(visitor, connectionId);
  await unwrap(service.DELETE('/connections/{connectionId}', { params: { path: { connectionId } } }));
};
