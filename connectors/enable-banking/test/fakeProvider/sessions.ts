// Authorizations and sessions of the fake provider: from /auth and the bank's decision to the session with its accounts.
import { createHash, randomUUID } from 'node:crypto';
import type { FakeAccount } from './account.ts';
import { daySeconds, toAspsp } from './bank.ts';
import { refusal, type Schemas } from './contract.ts';
import type { FakeRequest, Session, SessionAccount, SessionEnd, State } from './state.ts';

const hash = (text: string): string => createHash('sha256').update(text).digest('base64url');

const toHashes = ({ shown: { account_id: id }, hasOtherPrimaryHash }: FakeAccount) => {
  const known = [id?.iban, id?.other?.identification].flatMap((value) => (value ? [hash(value)] : []));
  const identification_hashes = hasOtherPrimaryHash ? known.toReversed() : known;
  return { identification_hash: identification_hashes[0] ?? hash(''), identification_hashes };
};

/** An account in responses with details. */
export const toResource = ({ uid, account }: SessionAccount): Schemas['Account'] => ({
  ...account.shown,
  ...toHashes(account),
  uid: account.hasNoUid ? null : uid,
});

/**
 * Refuses an unregistered redirect URL, an unknown bank, use or method, credentials without a method, and a consent that ends at
 * or after the latest possible second.
 */
export const startAuthorization = (state: State, { body }: FakeRequest) => {
  const request = body as Schemas['AuthorizationRequest'];
  const { aspsp, redirect_url, auth_method, credentials, access, psu_id = '' } = request;
  if (!state.application.redirect_urls.includes(redirect_url)) throw refusal(422, 'REDIRECT_URI_NOT_ALLOWED');
  const bank = state.banks.find(
    (one) => one.aspsp.name === aspsp.name && one.aspsp.country === aspsp.country,
  );
  if (!bank) throw refusal(422, 'WRONG_ASPSP_PROVIDED');
  const { psu_types, auth_methods, maximum_consent_validity } = toAspsp(bank);
  const psuType = request.psu_type ?? psu_types[0]!;
  const hasMethod = auth_methods.some(({ name, psu_type }) => name === auth_method && psu_type === psuType);
  const wrong = [
    !psu_types.includes(psuType),
    auth_method === undefined ? credentials !== undefined : !hasMethod,
    Date.parse(access.valid_until) >= state.now().getTime() + maximum_consent_validity * 1000,
  ];
  if (wrong.includes(true)) throw refusal(422, 'WRONG_REQUEST_PARAMETERS');
  const id = randomUUID();
  state.authorizations.set(id, { bank, request, psuType });
  const scheme = bank.namesPlainHttpPage ? 'http' : 'https';
  const url = `${scheme}://${state.pageHost}/page?authorization=${id}`;
  return { url, authorization_id: id, psu_id_hash: hash(psu_id) };
};

/** Exchanges a code, which is valid once. No other response has the details of all accounts. */
export const authorizeSession = (state: State, request: FakeRequest) => {
  const { code } = request.body as { code: string };
  const authorization = [...state.authorizations.values()].find((one) => one.code === code);
  if (!authorization) throw refusal(422, 'WRONG_AUTHORIZATION_CODE');
  const { bank, psuType, user = '', isUsed } = authorization;
  request.user = user;
  if (isUsed) throw refusal(422, 'ALREADY_AUTHORIZED');
  authorization.isUsed = true;
  const createdAt = state.now();
  const latest = createdAt.getTime() + (bank.consentDaysMax ?? Infinity) * daySeconds * 1000;
  const validUntil = new Date(Math.min(Date.parse(authorization.request.access.valid_until), latest));
  const accounts = bank.users[user]!.map(
    (account): SessionAccount => ({ uid: randomUUID(), account, reads: new Map(), pages: new Map() }),
  );
  const session: Session = { id: randomUUID(), bank, user, psuType, createdAt, validUntil, accounts };
  state.sessions.set(session.id, session);
  return { session_id: session.id, accounts: accounts.map(toResource), ...toSharedFields(session) };
};

const toSharedFields = ({ bank, psuType, validUntil }: Session) => ({
  aspsp: { name: bank.aspsp.name, country: bank.aspsp.country },
  psu_type: psuType,
  access: { valid_until: validUntil.toISOString() },
});

const endOf = ({ endedBy, validUntil }: Session, now: Date): SessionEnd | undefined =>
  endedBy ?? (now >= validUntil ? 'EXPIRED_SESSION' : undefined);

/** Refuses a session that has ended: with 401, or 404 if the provider has forgotten it. */
export const requireOpen = (state: State, session: Session, request: FakeRequest): void => {
  request.user = session.user;
  const end = endOf(session, state.now());
  if (end) throw refusal(end === 'SESSION_DOES_NOT_EXIST' ? 404 : 401, end);
};

const sessionOf = ({ sessions }: State, request: FakeRequest): Session => {
  const session = sessions.get(request.parameters.session_id!);
  request.user = session?.user;
  if (!session || session.endedBy === 'SESSION_DOES_NOT_EXIST') throw refusal(404, 'SESSION_DOES_NOT_EXIST');
  return session;
};

/** Returns a session with its status, even after its end. */
export const getSession = (state: State, request: FakeRequest) => {
  const session = sessionOf(state, request);
  const readable = session.accounts.filter(({ account }) => !account.hasNoUid);
  const end = endOf(session, state.now());
  return {
    status: (end?.replace('_SESSION', '') ?? 'AUTHORIZED') as Schemas['SessionStatus'],
    accounts: readable.map(({ uid }) => uid),
    accounts_data: readable.map(({ uid, account }) => ({ uid, ...toHashes(account) })),
    ...toSharedFields(session),
    ...{ psu_id_hash: hash(''), created: session.createdAt.toISOString() },
  };
};

export const deleteSession = (state: State, request: FakeRequest) => {
  const session = sessionOf(state, request);
  requireOpen(state, session, request);
  session.endedBy = 'CLOSED_SESSION';
  return { message: 'Closed.' };
};
