// The sessions of the demo page and their scoped tokens. A real consumer stores tokens in its database, with its users;
// the demo keeps them in memory and loses them on a restart.
import { randomBytes } from 'node:crypto';
import type { Exchange } from './requests.ts';

export type DemoSession = {
  /** The widget's externalUserId: all connections of a session belong to one end user. */
  readonly externalUserId: string;
  /** Newest first. There is a second token only if all connections of the first were revoked. */
  readonly scopedTokens: string[];
  /** The scoped token of each connection by connection id, oldest connection first. */
  readonly connections: Map<string, string>;
  /** The latest requests to the service, oldest first. */
  readonly requests: Omit<Exchange, 'body'>[];
};

/** Bounds the memory: beyond this, the least recently used session is deleted. */
export const sessionsMax = 200;
const connectionsMax = 20;
const requestsMax = 40;

const randomSecret = (): string => randomBytes(18).toString('base64url');

/** Sessions by id. The id is the secret in the session cookie. */
export const makeSessionStore = () => {
  const sessions = new Map<string, DemoSession>();
  return {
    find(id: string | undefined): DemoSession | undefined {
      const session = id === undefined ? undefined : sessions.get(id);
      if (id === undefined || !session) return undefined;
      sessions.delete(id);
      sessions.set(id, session);
      return session;
    },
    create(): { id: string; session: DemoSession } {
      const id = randomSecret();
      const session = {
        externalUserId: `demo-${randomSecret()}`,
        scopedTokens: [],
        connections: new Map(),
        requests: [],
      };
      sessions.set(id, session);
      for (const oldest of sessions.keys()) {
        if (sessions.size <= sessionsMax) break;
        sessions.delete(oldest);
      }
      return { id, session };
    },
  };
};

export const saveConnection = (session: DemoSession, connectionId: string, scopedToken: string): void => {
  if (!session.scopedTokens.includes(scopedToken)) session.scopedTokens.unshift(scopedToken);
  session.connections.set(connectionId, scopedToken);
  for (const oldest of session.connections.keys()) {
    if (session.connections.size <= connectionsMax) break;
    session.connections.delete(oldest);
  }
};

/** Records a request without its response, which would take memory. */
export const noteRequest = (session: DemoSession, { body: _, ...request }: Exchange): void => {
  session.requests.push(request);
  if (session.requests.length > requestsMax) session.requests.shift();
};
