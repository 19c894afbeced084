// The errors in a SimpleFIN answer: a list of codes in version 2 of the protocol (section "Error"), sentences in
// version 1. An unknown code counts as its prefix. What an error says of a connection or account concerns only those
// who share it.
import { BankRefused, BankUnreachable } from '@bank-connection/connector-kit';
import type { AnsweredAccount } from './account.ts';
import { type Fields, toFields, toList, toText } from './fields.ts';

/** `needsUser`: the end user has to sign in, at the server or, for a connection, at its bank. */
export type AnswerError =
  | { about: 'server'; needsUser: boolean }
  | { about: 'connection' | 'account'; needsUser: boolean; concerns(account: AnsweredAccount): boolean };

export type Answer = { accounts: AnsweredAccount[]; errors: AnswerError[] };

export const decodeErrors = ({ errlist, errors }: Fields): AnswerError[] =>
  Array.isArray(errlist) ? errlist.map(decodeError) : toList(errors).map(decodeSentence);

const decodeError = (value: unknown): AnswerError => {
  const { code, conn_id: connectionId, account_id: accountId } = toFields(value);
  const text = toText(code) ?? '';
  if (text.startsWith('con.') && connectionId !== undefined) {
    const concerns = (account: AnsweredAccount): boolean => account.connectionId === connectionId;
    return { about: 'connection', needsUser: text === 'con.auth', concerns };
  }
  if (text.startsWith('act.') && accountId !== undefined) {
    const concerns = (account: AnsweredAccount): boolean =>
      account.serverId === accountId && (connectionId === undefined || account.connectionId === connectionId);
    return { about: 'account', needsUser: false, concerns };
  }
  return { about: 'server', needsUser: text === 'gen.auth' };
};

/** SimpleFIN Bridge has no other sentence that names a connection. */
const connectionSentence = /^Connection to (.+?) may need attention/i;

const decodeSentence = (value: unknown): AnswerError => {
  const [, name] = connectionSentence.exec(String(value)) ?? [];
  if (name === undefined) return { about: 'server', needsUser: false };
  const concerns = ({ bankNames }: AnsweredAccount): boolean =>
    bankNames.some((bankName) => bankName.toLowerCase() === name.toLowerCase());
  return { about: 'connection', needsUser: true, concerns };
};

/** Throws where the errors concern everything: the access is not valid, or there is nothing but an error. */
export const throwServerError = ({ accounts, errors }: Answer): void => {
  const serverErrors = errors.filter(({ about }) => about === 'server');
  if (serverErrors.some(({ needsUser }) => needsUser)) throw new BankRefused('wrong_credentials');
  if (serverErrors.length > 0 && accounts.length === 0) throw new BankUnreachable('down');
};

/**
 * Throws where an error concerns this account. What the end user repairs at the server, such as a new sign-in at the
 * bank, comes before what only needs time.
 */
export const throwAccountError = (errors: readonly AnswerError[], account: AnsweredAccount): void => {
  const own = errors.filter((error) => error.about !== 'server' && error.concerns(account));
  if (own.some(({ needsUser }) => needsUser)) {
    throw new BankRefused('user_action_required', { repairedElsewhere: true });
  }
  const [first] = own;
  if (first) throw new BankUnreachable(first.about === 'connection' ? 'down' : 'incomplete');
};
