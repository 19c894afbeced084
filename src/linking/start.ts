// A session begins: for a web page on an allowed origin, or a native application where those are allowed; for a user
// whom the backend vouches for where it must; and to reconnect none but a connection of the same application.

import type { Application } from '../applications/application.ts';
import { verifyIdentitySignature } from '../applications/identityVerification.ts';
import { findApplication } from '../applications/store.ts';
import { after, seconds } from '../clock.ts';
import { findConnection } from '../connections/access.ts';
import { Expired, Forbidden, NotFound, OriginNotAllowed, Unauthenticated } from '../errors.ts';
import { isId, makeId } from '../ids.ts';
import { findEndUser } from '../users/store.ts';
import { type Memory, makeSessionSecret, type OpenSession, openSession, type SessionRow } from './session.ts';
import { findSession, insertSession } from './store.ts';
import type { LinkingTools } from './tools.ts';

export type SessionRequest = {
  applicationId: string;
  origin: string;
  externalUserId?: string;
  /** The application's backend vouches for the external user id: HMAC-SHA256 in hex. */
  userSignature?: string;
  connectionId?: string;
};

/** Makes a session; its secret is answered once and kept nowhere. Throws NotFound, OriginNotAllowed, Forbidden. */
export const startSession = async (
  tools: LinkingTools,
  request: SessionRequest,
): Promise<{ session: OpenSession; secret: string; expiresAt: string }> => {
  const { applicationId } = request;
  const application = isId('app', applicationId)
    ? await findApplication(tools.db.read, applicationId)
    : undefined;
  if (!application) throw new NotFound('application');
  if (!allowsHost(application, request.origin)) throw new OriginNotAllowed();
  checkSignature(tools, application, request);
  const memory = request.connectionId ? await reconnectMemory(tools, application, request) : {};
  const secret = makeSessionSecret();
  const id = makeId('lks');
  const now = tools.clock.real();
  const row: SessionRow = {
    id,
    applicationId: application.id,
    secretHash: secret.hash,
    publicKey: secret.publicKey,
    origin: request.origin,
    externalUserId: request.externalUserId ?? null,
    reconnectId: request.connectionId ?? null,
    state: request.connectionId ? 'credentials' : 'consent',
    version: 1,
    busyUntil: null,
    memorySealed: secret.seal(memory, id),
    orderSealed: null,
    connectionId: null,
    endUserId: null,
    progress: null,
    failure: null,
    resultSealed: null,
    deliveredAt: null,
    createdAt: now.toISOString(),
    expiresAt: sessionEnd(tools),
  };
  await insertSession(tools.db.write, row);
  return {
    session: openSession(row, application, secret.text)!,
    secret: secret.text,
    expiresAt: row.expiresAt,
  };
};

/** What the page says of its host behind the native bridge; no web page has such an origin. */
const nativeHost = 'native';

const allowsHost = (application: Application, origin: string): boolean =>
  origin === nativeHost ? application.nativeAllowedAt !== null : application.origins.includes(origin);

// A signature that is there must be right, required or not: a wrong one is a mistake that its makers want to see.
const checkSignature = (tools: LinkingTools, application: Application, request: SessionRequest): void => {
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
export const sessionEnd = ({ clock, limits }: Pick<LinkingTools, 'clock' | 'limits'>): string =>
  after(clock.real(), seconds(limits.sessionMinutes * 60)).toISOString();

const reconnectMemory = async (
  tools: LinkingTools,
  application: Application,
  request: SessionRequest,
): Promise<Memory> => {
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
export const resumeSession = async (
  tools: Pick<LinkingTools, 'db' | 'clock'>,
  id: string,
  secret: string,
): Promise<OpenSession> => {
  const row = isId('lks', id) ? await findSession(tools.db.read, id) : undefined;
  const application = row && (await findApplication(tools.db.read, row.applicationId));
  const session = row && application && openSession(row, application, secret);
  if (!session) throw new Unauthenticated();
  // An import goes on as long as it takes; the worker ends it one way or the other.
  if (row.state !== 'importing' && row.expiresAt <= tools.clock.real().toISOString()) throw new Expired();
  return session;
};

/** A session after it has moved on. */
export const reloadSession = async (
  { db }: Pick<LinkingTools, 'db'>,
  session: OpenSession,
): Promise<OpenSession> => {
  const row = await findSession(db.read, session.row.id);
  if (!row) throw new Expired();
  return session.reopen(row);
};
