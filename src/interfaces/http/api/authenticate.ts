// Authenticates requests of the public API: the API key identifies the application, the scoped token gives the end user's keys.
// Once the signature of the key is verified, the queries for both start together, because the database may be far away.
import type { Request } from 'express';
import {
  type AuthenticatedKey,
  authenticateApiKey,
  type VerifiedKey,
  verifyApiKey,
} from '../../../domain/applications/apiKeys.ts';
import { findConnectionOwner, type RetentionContext } from '../../../domain/connections/connection.ts';
import { readAccountRow } from '../../../flows/read/accounts.ts';
import { openGrant, type ReadGrant, readGrantRows } from '../../../flows/read/authorize.ts';
import { readTransactionRow } from '../../../flows/read/listTransactions.ts';
import { readAhead } from '../../../flows/read/pageAhead.ts';
import { InvalidScopedToken, MissingCredentials, Unauthenticated } from '../../../platform/values/errors.ts';
import { parseScopedToken } from '../../../platform/vault/scopedToken.ts';
import type { AuthenticationRequest } from '../contractRouter.ts';
import type { ApiNeeds } from '../needs.ts';

export type ApplicationPrincipal = AuthenticatedKey & { retention: RetentionContext };
/** The owner may belong to any application, and has not been awaited yet. */
export type KeyOnlyPrincipal = ApplicationPrincipal & {
  connectionOwner: ReturnType<typeof findConnectionOwner>;
};
export type ScopedTokenPrincipal<Ahead = unknown> = ApplicationPrincipal & { grant: ReadGrant; ahead: Ahead };

/** The operations await these once the credentials are accepted. */
export type AnswersAhead = {
  getAccount: ReturnType<typeof readAccountRow>;
  getTransaction: ReturnType<typeof readTransactionRow>;
  listTransactions: ReturnType<typeof readAhead> | undefined;
};

/**
 * Throws MissingCredentials or Unauthenticated for the API key, TooManyAttempts while its application has no free slot, and then
 * MissingCredentials or Forbidden for the scoped token if the operation needs one.
 */
export const authenticateApi = async (
  service: ApiNeeds,
  matched: AuthenticationRequest,
): Promise<KeyOnlyPrincipal | ScopedTokenPrincipal> => {
  if (matched.operation.security.includes('ScopedToken')) return authenticateScopedToken(service, matched);
  const { db, clock } = service;
  const key = await verifyKeyAndTakeSlot(service, matched);
  const connectionOwner = started(findConnectionOwner(db, matched.path.connectionId!));
  const authenticated = await authenticateApiKey(db, key, clock.real());
  return { ...toPrincipal(service, authenticated), connectionOwner };
};

/** The application of an API key. Throws like `authenticateApi` for the key. */
export const authenticateApplication = async (
  service: ApiNeeds,
  matched: AuthenticationRequest,
): Promise<ApplicationPrincipal> => {
  const key = await verifyKeyAndTakeSlot(service, matched);
  return toPrincipal(service, await authenticateApiKey(service.db, key, service.clock.real()));
};

/** The application of an API key, and the grant of a scoped token. Throws like `authenticateApi`. */
export const authenticateScopedToken = async (
  service: ApiNeeds,
  matched: AuthenticationRequest,
): Promise<ScopedTokenPrincipal> => {
  const { request, path, identified } = matched;
  const { db, clock } = service;
  const key = await verifyKeyAndTakeSlot(service, matched);
  const header = request.get('X-Scoped-Token');
  const token = header === undefined ? undefined : parseScopedToken(header);
  const { endUserId } = token ?? {};
  const rows = endUserId && started(readGrantRows(db, { endUserId, accountId: path.accountId }));
  const ahead = endUserId && startAhead(service, matched, endUserId);
  const principal = toPrincipal(service, await authenticateApiKey(db, key, clock.real()));
  identified(principal);
  if (header === undefined) throw new MissingCredentials('X-Scoped-Token');
  // One response for a malformed token, an unknown user, another application's user, a wrong secret, and a user whose
  // data is deleted.
  if (!token || !rows) throw new InvalidScopedToken();
  const grant = openGrant(await rows, token.secret, principal.application.id, principal.retention);
  return { ...principal, grant, ahead };
};

/** The signed content of the request's API key, returned once its application has a free slot. */
const verifyKeyAndTakeSlot = async (
  { apiKeySigner }: ApiNeeds,
  { request, slot }: AuthenticationRequest,
): Promise<VerifiedKey> => {
  const key = await verifyApiKey(apiKeySigner, readApiKey(request));
  if (key.applicationId !== undefined) await slot.take(key.applicationId);
  return key;
};

/** Starts an operation's query for the end user's data, which only the operation awaits. */
const startAhead = (
  { db, secrets }: ApiNeeds,
  { operation, path, query }: AuthenticationRequest,
  endUserId: string,
): AnswersAhead[keyof AnswersAhead] => {
  const { accountId = '', transactionId = '' } = path;
  const ids = { endUserId, accountId };
  if (operation.operationId === 'getAccount') return started(readAccountRow(db, ids));
  if (operation.operationId === 'getTransaction')
    return started(readTransactionRow(db, { ...ids, transactionId }));
  if (operation.operationId === 'listTransactions' && query)
    return started(readAhead(db, ids, query, secrets.cursors));
  return undefined;
};

/** A query whose result is awaited later, or never if the request is refused first. */
const started = <Result>(query: Promise<Result>): Promise<Result> => {
  query.catch(() => {});
  return query;
};

const readApiKey = (request: Request): string => {
  const header = request.get('Authorization');
  if (header === undefined) throw new MissingCredentials('Authorization');
  const [, apiKey] = /^Bearer +(\S+)$/i.exec(header) ?? [];
  if (!apiKey) throw new Unauthenticated();
  return apiKey;
};

const toPrincipal = ({ clock, config }: ApiNeeds, key: AuthenticatedKey): ApplicationPrincipal => ({
  ...key,
  retention: { clock, application: key.application, limits: config.limits },
});
