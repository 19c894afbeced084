// Who is looking at the demo page, and the scoped tokens they were given. A real consumer keeps tokens in its
// database, with its users; the demo keeps them in memory only and forgets them when the service stops.
import { randomBytes } from '../random.ts';

export type Visitor = {
  /** What the widget is told to know them by, so that all of their connections share one end user. */
  readonly externalUserId: string;
  /** Newest first. A second one comes only where the first user's connections were all revoked. */
  readonly scopedTokens: string[];
  /** Which token reads which connection, oldest connection first. */
  readonly connections: Map<string, string>;
};

/** Memory must stay bounded however many look: the visitor who was away longest is forgotten first. */
export const visitorsMax = 200;
const connectionsMax = 20;

const randomSecret = (): string => randomBytes(18).toString('base64url');

/** The visitors of one demo, found by the secret in their cookie. */
export const makeVisitorStore = () => {
  const visitors = new Map<string, Visitor>();
  return {
    find(id: string | undefined): Visitor | undefined {
      const visitor = id === undefined ? undefined : visitors.get(id);
      if (id === undefined || !visitor) return undefined;
      visitors.delete(id);
      visitors.set(id, visitor);
      return visitor;
    },
    /** A new visitor, and the secret that their browser is to keep. */
    add(): { id: string; visitor: Visitor } {
      const id = randomSecret();
      const visitor = { externalUserId: `demo-${randomSecret()}`, scopedTokens: [], connections: new Map() };
      visitors.set(id, visitor);
      for (const oldest of visitors.keys()) {
        if (visitors.size <= visitorsMax) break;
        visitors.delete(oldest);
      }
      return { id, visitor };
    },
  };
};

/** Remembers what a connection is read with. */
export const saveConnection = (visitor: Visitor, connectionId: string, scopedToken: string): void => {
  if (!visitor.scopedTokens.includes(scopedToken)) visitor.scopedTokens.unshift(scopedToken);
  visitor.connections.set(connectionId, scopedToken);
  for (const oldest of visitor.connections.keys()) {
    if (visitor.connections.size <= connectionsMax) break;
    visitor.connections.delete(oldest);
  }
};
