// Reads a session. Starting needs no request, because the accounts are known. Histories and balances are separate requests, and
// banks count them per account.
import {
  BankRefused,
  BankUnreachable,
  type CallContext,
  type Connector,
  type Reading,
  throwIfAborted,
} from '@bank-connection/connector-kit';
import { toBankAccount } from './accounts.ts';
import { toBalance } from './balance.ts';
import { connect, dataOf, type EnableBankingDeps } from './client.ts';
import { startHistory } from './history.ts';
import { psuHeadersOf } from './psuHeaders.ts';
import type { Session, SessionAccount } from './state.ts';

/** The time after the consent during which a bank returns the whole history. */
export const historyWindowSeconds = 300;

/** Throws BankRefused('consent_expired'), and BankUnreachable('incomplete') for an account outside the session. */
export const startReading = (
  deps: EnableBankingDeps,
  session: Session,
  { accountIds, since }: Parameters<Connector['read']>[1],
  context: CallContext,
): Reading => {
  const { now, signal, user } = context;
  throwIfAborted(signal);
  if (session.validUntil <= now.toISOString()) throw new BankRefused('consent_expired');
  const accounts = session.accounts.filter(({ id }) => accountIds?.includes(id) ?? true);
  if (accountIds && accounts.length !== accountIds.length) throw new BankUnreachable('incomplete');
  const provider = connect(deps, context, psuHeadersOf(user, session.psuHeaders));
  const age = now.getTime() - Date.parse(session.authorizedAt);
  const isLongest = since === undefined && user !== undefined && age < historyWindowSeconds * 1000;
  return {
    accounts: accounts.map(toBankAccount),
    history: async (id) => {
      const { uid, currency } = findAccount(accounts, id);
      return startHistory({ deps, provider, uid, currency, since, isLongest, now, signal });
    },
    balance: async (id) => {
      const account = findAccount(accounts, id);
      const params = { path: { account_id: account.uid } };
      const { balances } = await dataOf(provider.GET('/accounts/{account_id}/balances', { params }));
      return toBalance(balances, account, now);
    },
    end: async () => ({}),
  };
};

const findAccount = (accounts: readonly SessionAccount[], id: string): SessionAccount => {
  const account = accounts.find((one) => one.id === id);
  if (!account) throw new BankUnreachable('incomplete');
  return account;
};
