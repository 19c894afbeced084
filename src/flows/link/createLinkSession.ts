// Creates and authenticates link sessions. An application allows origins and native apps, and may require its backend to sign
// the external user id and the connection to reconnect. A session can only reconnect a connection of the same application.
import type { Application } from '../../domain/applications/application.ts';
import { verifyIdentitySignature } from '../../domain/applications/identityVerification.ts';
import {
  findActiveApplication,
  findApplication,
  recordFirstLinkSession,
} from '../../domain/applications/store.ts';
import { findConnection, verifyConnection } from '../../domain/connections/connection.ts';
import { type ConnectionKey, findLastConsent } from '../../domain/connections/consents.ts';
import { institutionOf } from '../../domain/institutions/registry.ts';
import { findEndUser } from '../../domain/users/store.ts';
import {
  Forbidden,
  LinkSessionExpired,
  NotFound,
  OriginNotAllowed,
  Unauthenticated,
  ValidationError,
} from '../../platform/values/errors.ts';
import { isId, makeId, makeIdNear } from '../../platform/values/ids.ts';
import { makeConsent } from './consent.ts';
import { type In, type LinkingDeps, linkSessionExpiry, type OpenLinkSession } from './linkSession.ts';
import { makeLinkSessionSecret, openLinkSession } from './sealedSession.ts';
import * as store from './store.ts';

export type LinkSessionRequest = {
  applicationId: string;
  origin: string;
  externalUserId?: string;
  /** The application backend's signature over both ids (identityVerification.ts). */
  userSignature?: string;
  connectionId?: string;
  /** True if the end user selects that connection's accounts again. */
  accountSelection?: boolean;
  /** The URL at which a native app receives the end user after an institution's own page. */
  returnAddress?: string;
  /** The language of the page, as a BCP 47 tag. */
  language?: string;
};

/** Creates a session and its secret, which is not stored. Throws NotFound, OriginNotAllowed, Forbidden or ValidationError. */
export const createLinkSession = async (
  deps: LinkingDeps,
  request: LinkSessionRequest,
): Promise<{ session: OpenLinkSession; secret: string }> => {
  const { applicationId } = request;
  const application = isId('app', applicationId)
    ? await findActiveApplication(deps.db.read, applicationId)
    : undefined;
  if (!application) throw new NotFound('application');
  if (!allowsOrigin(application, request) || !allowsReturnAddress(application, request))
    throw new OriginNotAllowed();
  verifyUserSignature(deps, application, request);
  const { connectionId, accountSelection } = request;
  if (accountSelection && connectionId === undefined) {
    const message = 'requires a connectionId';
    throw new ValidationError('invalid_request', [{ path: '/body/accountSelection', message }]);
  }
  const state: FirstState =
    connectionId === undefined
      ? { at: 'consent', institution: undefined }
      : await reconnectState(deps, application, { ...request, connectionId });
  const kept = {
    ...{ language: request.language, consent: undefined },
    ...(accountSelection && { selectsAccounts: accountSelection }),
  };
  const secret = makeLinkSessionSecret();
  const near = connectionId ?? request.externalUserId;
  const id = near === undefined ? makeId('lks') : makeIdNear('lks', near);
  const bound = {
    id,
    applicationId: application.id,
    origin: request.origin,
    externalUserId: request.externalUserId ?? null,
    reconnectConnectionId: connectionId ?? null,
  };
  const row = await store.insertLinkSession(deps.db.write, {
    ...bound,
    secretHash: secret.hash,
    state: state.at,
    version: 1,
    stateSealed: secret.seal({ kept, state }, bound),
    returnAddress: request.returnAddress,
    rejections: 0,
    createdAt: deps.clock.real().toISOString(),
    expiresAt: linkSessionExpiry(deps),
    reached: state.at,
    institutionId: state.institution?.id,
  });
  if (application.firstLinkSessionAt === null)
    await recordFirstLinkSession(deps.db.write, application.id, row.createdAt);
  return { session: openLinkSession(row, application, secret.text)!, secret: secret.text };
};

// Browsers report nothing else about such a page. `about:srcdoc` has the origin of its parent, unless it is sandboxed.
const opaqueOriginAdvice =
  'This page has no origin to allow. In a frame with a sandbox attribute, add allow-same-origin to that attribute. If the page was opened as a file or data: URL, serve it over HTTP instead.';

/** True if pages from an origin may open an application's widget. Throws NotFound. Never returns other origins. */
export const checkEmbedding = async (
  { db }: Pick<LinkingDeps, 'db'>,
  { applicationId, origin }: { applicationId: string; origin: string },
): Promise<{ allowed: boolean; environment: Application['environment']; advice?: string }> => {
  const application = isId('app', applicationId) ? await findApplication(db.read, applicationId) : undefined;
  if (!application) throw new NotFound('application');
  const { environment, origins } = application;
  if (origins.includes(origin)) return { allowed: true, environment };
  const unknown = `The application does not allow ${origin}. Add this origin in the dashboard.`;
  return { allowed: false, environment, advice: origin === 'null' ? opaqueOriginAdvice : unknown };
};

/** The origin that the page reports in a native app; no web page has it. */
export const nativeOrigin = 'native';

const allowsOrigin = (application: Application, { origin }: LinkSessionRequest): boolean =>
  origin === nativeOrigin ? application.nativeAllowedAt !== null : application.origins.includes(origin);

const allowsReturnAddress = (
  application: Application,
  { origin, returnAddress }: LinkSessionRequest,
): boolean =>
  returnAddress === undefined ||
  (origin === nativeOrigin && application.returnAddresses.includes(returnAddress));

// Even an optional signature must be valid, so that integrators notice a wrong one. It is verified before the connection is
// read, so that nobody learns anything about a connection without a required signature.
const verifyUserSignature = (
  deps: LinkingDeps,
  application: Application,
  request: LinkSessionRequest,
): void => {
  const { externalUserId, connectionId, userSignature: signature } = request;
  if (signature === undefined) {
    const isAnonymous = externalUserId === undefined && connectionId === undefined;
    if (application.identityRequiredAt && !isAnonymous) throw new Forbidden();
    return;
  }
  const signed = { externalUserId, connectionId, signature, now: deps.clock.real() };
  if (!verifyIdentitySignature(deps.identityServiceSecrets, application, signed)) throw new Forbidden();
};

type FirstState = In<'consent'> | In<'credentials'>;

const reconnectState = async (
  deps: LinkingDeps,
  application: Application,
  request: LinkSessionRequest & { connectionId: string },
): Promise<FirstState> => {
  const { db, clock, limits } = deps;
  const retention = { clock, application, limits };
  const connection = await findConnection(db, retention, request.connectionId).catch((error) => {
    // The response must not reveal whether the connection exists.
    throw error instanceof NotFound ? new Forbidden() : error;
  });
  if (connection.revokedAt || connection.deliveryExpiresAt) throw new Forbidden();
  if (request.externalUserId !== undefined || application.identityRequiredAt) {
    const user = await findEndUser(db.read, connection.endUserId);
    if (user?.externalUserId !== (request.externalUserId ?? null)) throw new Forbidden();
  }
  verifyConnection(connection, application, deps.signingPublicKeys);
  const { endUserId, id: connectionId } = connection;
  const isCurrent =
    !request.accountSelection && (await hasCurrentConsent(deps, application, { endUserId, connectionId }));
  const institution = institutionOf(deps.registry, application.environment, connection);
  return isCurrent ? { at: 'credentials', institution, error: undefined } : { at: 'consent', institution };
};

/** True if the last accepted consent still has the same text in its language. Throws InvalidSignature. */
const hasCurrentConsent = async (
  deps: LinkingDeps,
  application: Application,
  connection: ConnectionKey,
): Promise<boolean> => {
  const consentDeps = { db: deps.db.read, signingKeys: deps.signingPublicKeys };
  const last = await findLastConsent(consentDeps, connection);
  return last !== undefined && (await makeConsent(deps, application, last.language)).hash === last.textHash;
};

/** The session with this id and secret. Throws Unauthenticated if they do not match, or LinkSessionExpired. */
export const authenticateLinkSession = async (
  deps: Pick<LinkingDeps, 'db' | 'clock'>,
  id: string,
  secret: string,
): Promise<OpenLinkSession> => {
  const row = isId('lks', id) ? await store.findLinkSession(deps.db.read, id) : undefined;
  const application = row && (await findApplication(deps.db.read, row.applicationId));
  const session = row && application && openLinkSession(row, application, secret);
  if (!session) throw new Unauthenticated();
  if (application.archivedAt) throw new LinkSessionExpired();
  // An importing session does not expire: the worker finishes or fails it.
  if (row.state !== 'importing' && row.expiresAt <= deps.clock.real().toISOString())
    throw new LinkSessionExpired();
  return session;
};

/** The session as currently stored. Throws LinkSessionExpired if it was deleted. */
export const reloadLinkSession = async (
  { db }: Pick<LinkingDeps, 'db'>,
  session: OpenLinkSession,
): Promise<OpenLinkSession> => {
  const row = await store.findLinkSession(db.read, session.row.id);
  if (!row) throw new LinkSessionExpired();
  return session.reopen(row);
};
