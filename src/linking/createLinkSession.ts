// A session begins: for a web page on an allowed origin, or a native application where those are allowed; for a user
// whom the backend vouches for where it must; and to reconnect none but a connection of the same application.

import type { Application } from '../applications/application.ts';
import { verifyIdentitySignature } from '../applications/identityVerification.ts';
import { findApplication } from '../applications/store.ts';
import { addMilliseconds, seconds } from '../clock.ts';
import { findConnection } from '../connections/access.ts';
import { LinkSessionExpired, Forbidden, NotFound, OriginNotAllowed, Unauthenticated } from '../errors.ts';
import { isId, makeId } from '../ids.ts';
import { findEndUser } from '../users/store.ts';
import {
  type LinkSessionState,
  makeLinkSessionSecret,
  type OpenLinkSession,
  openLinkSession,
  type LinkSessionRow,
} from './linkSession.ts';
import { findLinkSession, insertLinkSession } from './store.ts';
import type { LinkingDeps } from './deps.ts';

export type LinkSessionRequest = {
  applicationId: string;
  origin: string;
  externalUserId?: string;
  /** The application's backend vouches for the external user id: HMAC-SHA256 in hex. */
  userSignature?: string;
  connectionId?: string;
};

/** Makes a session; its secret is answered once and kept nowhere. Throws NotFound, OriginNotAllowed, Forbidden. */
export const createLinkSession = async (
  tools: LinkingDeps,
  request: LinkSessionRequest,
): Promise<{ session: OpenLinkSession; secret: string; expiresAt: string }> => {
  const { applicationId } = request;
  const application = isId('app', applicationId)
    ? await findApplication(tools.db.read, applicationId)
    : undefined;
  if (!application) throw new NotFound('application');
  if (!allowsOrigin(application, request.origin)) throw new OriginNotAllowed();
  verifyUserSignature(tools, application, request);
  const memory = request.connectionId ? await reconnectState(tools, application, request) : {};
  const secret = makeLinkSessionSecret();
  const id = makeId('lks');
  const now = tools.clock.real();
  const row: LinkSessionRow = {
    id,
    applicationId: application.id,
    secretHash: secret.hash,
    publicKey: secret.publicKey,
    origin: request.origin,
    externalUserId: request.externalUserId ?? null,
    reconnectId: request.connectionId ?? null,
    state: request.connectionId ? 'credentials' : 'consent',
    version: 1,
    lockedUntil: null,
    stateSealed: secret.seal(memory, id),
    importRequestSealed: null,
    connectionId: null,
    endUserId: null,
    progress: null,
    failure: null,
    resultSealed: null,
    deliveredAt: null,
    createdAt: now.toISOString(),
    expiresAt: linkSessionExpiry(tools),
  };
  await insertLinkSession(tools.db.write, row);
  return {
    session: openLinkSession(row, application, secret.text)!,
    secret: secret.text,
    expiresAt: row.expiresAt,
  };
};

/** What the page says of its host behind the native bridge; no web page has such an origin. */
const nativeOrigin = 'native';

const allowsOrigin = (application: Application, origin: string): boolean =>
  origin === nativeOrigin ? application.nativeAllowedAt !== null : application.origins.includes(origin);

// A signature that is there must be right, required or not: a wrong one is a mistake that its makers want to see.
const verifyUserSignature = (
  tools: LinkingDeps,
  application: Application,
  request: LinkSessionRequest,
): void => {
  const { externalUserId, userSignature: signature } = request;
  if (externalUserId === undefined) return;
  if (signature === undefined) {
    if (application.identityRequiredAt) throw new Forbidden();
    return;
  }
  if (!verifyIdentitySignature(tools.serviceSecret, application, { externalUserId, signature }))
    throw new Forbidden();
};

/** When a session ends that takes no further step. */
export const linkSessionExpiry = ({ clock, limits }: Pick<LinkingDeps, 'clock' | 'limits'>): string =>
  addMilliseconds(clock.real(), seconds(limits.linkSessionMinutes * 60)).toISOString();

const reconnectState = async (
  tools: LinkingDeps,
  application: Application,
  request: LinkSessionRequest,
): Promise<LinkSessionState> => {
  const lifetime = {
    clock: tools.clock,
    environment: application.environment,
    retentionDays: tools.limits.retentionDays,
  };
  const connection = await findConnection(tools.db, application.id, request.connectionId!, lifetime).catch(
    (error) => {
      // Who may not know a connection learns nothing about it, not even whether it is there.
      throw error instanceof NotFound ? new Forbidden() : error;
    },
  );
  if (connection.revokedAt || connection.deliveryExpiresAt) throw new Forbidden();
  if (request.externalUserId !== undefined) {
    const user = await findEndUser(tools.db.read, connection.endUserId);
    if (user?.externalUserId !== request.externalUserId) throw new Forbidden();
  }
  return { institution: { id: connection.institutionId, name: connection.institutionName } };
};

/** The session of an id and a secret. Throws Unauthenticated where they do not fit, Expired where it is over. */
export const authenticateLinkSession = async (
  tools: Pick<LinkingDeps, 'db' | 'clock'>,
  id: string,
  secret: string,
): Promise<OpenLinkSession> => {
  const row = isId('lks', id) ? await findLinkSession(tools.db.read, id) : undefined;
  const application = row && (await findApplication(tools.db.read, row.applicationId));
  const session = row && application && openLinkSession(row, application, secret);
  if (!session) throw new Unauthenticated();
  // An import goes on as long as it takes; the worker ends it one way or the other.
  if (row.state !== 'importing' && row.expiresAt <= tools.clock.real().toISOString())
    throw new LinkSessionExpired();
  return session;
};

/** A session after it has moved on. */
export const reloadLinkSession = async (
  { db }: Pick<LinkingDeps, 'db'>,
  session: OpenLinkSession,
): Promise<OpenLinkSession> => {
  const row = await findLinkSession(db.read, session.row.id);
  if (!row) throw new LinkSessionExpired();
  return session.reopen(row);
};
