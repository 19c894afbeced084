// Creates a session: the end user chooses the use and the method, and consents on the bank's own page.
import {
  BankRefused,
  BankUnreachable,
  type CallContext,
  type Label,
  parseUrl,
  type SignInResult,
} from '@bank-connection/connector-kit';
import { toSessionAccounts } from './accounts.ts';
import type { Bank, Use } from './bank.ts';
import { connect, dataOf, type EnableBankingDeps } from './client.ts';
import type { Schemas } from './schemas.ts';
import { decodeChallenge, decodeSession, encodeState } from './state.ts';

const useLabels: Record<Use, Label> = {
  personal: { label: 'Personal', labelKey: 'use_personal' },
  business: { label: 'Business', labelKey: 'use_business' },
};

/** Asks for the use if the bank serves both individuals and companies. */
export const startSignIn = async (
  deps: EnableBankingDeps,
  bank: Bank,
  context: CallContext,
): Promise<SignInResult> => {
  const [use, other] = bank.uses;
  if (other === undefined) return askMethod(deps, { bank, use: use! }, context);
  const options = bank.uses.map((id) => ({ id, ...useLabels[id] }));
  const label: Label = { label: 'What do you use the account for?', labelKey: 'choose_account_use' };
  return {
    kind: 'challenge',
    challenge: { kind: 'choice', ...label, options },
    challengeState: encodeState('use', { bank }),
  };
};

/**
 * Continues after a choice, or after the bank's page with the returned query. Throws BankRefused('wrong_answer') for an answer
 * that was not offered, and the refusals of the provider and the bank.
 */
export const answerChallenge = async (
  deps: EnableBankingDeps,
  { challengeState, answer }: { challengeState: string; answer: string },
  context: CallContext,
): Promise<SignInResult> => {
  const asked = decodeChallenge(challengeState);
  if (asked.kind === 'page') return finishSignIn(deps, asked, new URLSearchParams(answer), context);
  const { bank } = asked;
  if (asked.kind === 'use') {
    const use = bank.uses.find((one) => one === answer);
    if (use) return askMethod(deps, { bank, use }, context);
  } else {
    const method = bank.methods.find(({ use, name }) => use === asked.use && name === answer);
    if (method) return openPage(deps, { bank, ...method }, context);
  }
  throw new BankRefused('wrong_answer');
};

type Chosen = { bank: Bank; use: Use; name?: string };

/** Asks for the method if the bank offers several for this use. */
const askMethod = async (
  deps: EnableBankingDeps,
  { bank, use }: Chosen,
  context: CallContext,
): Promise<SignInResult> => {
  const options = bank.methods
    .filter((method) => method.use === use)
    .map(({ name: id, title: label }) => ({ id, label }));
  if (options.length === 0) return openPage(deps, { bank, use }, context);
  const label: Label = { label: 'How do you want to sign in?', labelKey: 'choose_method' };
  return {
    kind: 'challenge',
    challenge: { kind: 'choice', ...label, options },
    challengeState: encodeState('method', { bank, use }),
  };
};

/** The provider refuses a consent of exactly the maximum duration. */
const marginMs = 60_000;

const openPage = async (
  deps: EnableBankingDeps,
  { bank, use, name }: Chosen,
  context: CallContext,
): Promise<SignInResult> => {
  const { returnTo, user, now } = context;
  if (!returnTo) throw new BankRefused('user_action_required');
  const validUntil = new Date(now.getTime() + bank.seconds * 1000 - marginMs);
  const language = /^[a-z]{2}(?![a-z])/i.exec(user?.language ?? '')?.[0].toLowerCase();
  const body: Schemas['AuthorizationRequest'] = {
    access: { valid_until: validUntil.toISOString(), balances: true, transactions: true },
    aspsp: { name: bank.name, country: bank.country },
    ...{ state: returnTo.state, redirect_url: returnTo.url, psu_type: use },
    ...(name !== undefined && { auth_method: name }),
    ...(language !== undefined && { language }),
    ...(user && { psu_id: user.reference }),
  };
  const { url } = await dataOf(connect(deps, context).POST('/auth', { body }));
  const label: Label = { label: `Continue at ${bank.name}`, labelKey: 'open_bank_page' };
  return {
    kind: 'challenge',
    challenge: { kind: 'redirect', ...label, url: toSecureUrl(url) },
    challengeState: encodeState('page', { bank, state: returnTo.state }),
  };
};

/** The provider sometimes returns an http URL for its page, which is served only over https. */
const toSecureUrl = (text: string): string => {
  const url = parseUrl(text);
  if (url?.protocol === 'http:') url.protocol = 'https:';
  if (url?.protocol !== 'https:') throw new BankUnreachable('incomplete');
  return url.href;
};

/**
 * A query with a different state is not from this sign-in: an attacker may have sent the end user here (RFC 6749, section 10.12).
 */
const finishSignIn = async (
  deps: EnableBankingDeps,
  { bank, state }: { bank: Bank; state: string },
  query: URLSearchParams,
  context: CallContext,
): Promise<SignInResult> => {
  const [code, error] = [query.get('code'), query.get('error')];
  if (query.get('state') !== state) throw new BankRefused('wrong_answer');
  if (error === 'access_denied') throw new BankRefused('denied');
  if (error !== null) throw new BankUnreachable('down');
  if (!code) throw new BankRefused('wrong_answer');
  const given = await dataOf(connect(deps, context).POST('/sessions', { body: { code } }));
  const session = encodeState('session', {
    id: given.session_id,
    authorizedAt: context.now.toISOString(),
    validUntil: new Date(given.access.valid_until).toISOString(),
    psuHeaders: bank.psuHeaders,
    accounts: toSessionAccounts(given.accounts, bank.name),
  });
  return signedInBy(session);
};

/** Signs in with a stored session, without a request. The consent may end earlier than requested. */
const signedInBy = (session: string): SignInResult => ({
  ...{ kind: 'signedIn', access: session, deviceToken: session },
  expiresAt: decodeSession(session).validUntil,
});

/** Signs in without the end user and without a request. Throws BankRefused('consent_expired') once the consent has ended. */
export const resumeSession = (deviceToken: string | undefined, { now }: CallContext): SignInResult => {
  const { validUntil } = decodeSession(deviceToken);
  if (validUntil <= now.toISOString()) throw new BankRefused('consent_expired');
  return signedInBy(deviceToken!);
};
