// The errors in a SimpleFIN response: codes in version 2 of the protocol (section "Error"), sentences in version 1. An unknown
// code counts as its prefix. An error about a connection or account in the response affects only the users who share it.
import { BankRefused, BankUnreachable } from '@bank-connection/connector-kit';
import type { AnsweredAccount } from './account.ts';
import { type Fields, toFields, toList, toText } from './fields.ts';

/** `needsUser`: the end user must sign in at the server or, for a connection, at its bank. */
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

/** SimpleFIN Bridge's only sentence that names a connection. */
const connectionSentence = /^Connection to (.+?) may need attention/i;

const decodeSentence = (value: unknown): AnswerError => {
  const [, name] = connectionSentence.exec(String(value)) ?? [];
  if (name === undefined) return { about: 'server', needsUser: false };
  const concerns = ({ bankNames }: AnsweredAccount): boolean =>
    bankNames.some((bankName) => bankName.toLowerCase() === name.toLowerCase());
  return { about: 'connection', needsUser: true, concerns };
};

/**
 * Adds the missing `known` accounts to a response, without balance and transactions. An error that matches no account may concern
 * any of them, because servers omit ids. Without `known`, only some accounts were requested: such an error may concern others,
 * and counts as a general error.
 */
export const withUnanswered = (answer: Answer, known: readonly AnsweredAccount[] | undefined): Answer => {
  const ids = new Set(answer.accounts.map(({ id }) => id));
  const accounts = [...answer.accounts, ...(known ?? []).filter(({ id }) => !ids.has(id))];
  const errors = answer.errors.map((error): AnswerError => {
    if (error.about === 'server' || accounts.some(error.concerns)) return error;
    return known ? { ...error, concerns: () => true } : { about: 'server', needsUser: false };
  });
  return { accounts, errors };
};

/** Throws if the errors concern everything: the access is invalid, or the response has only errors. */
export const throwServerError = ({ accounts, errors }: Answer): void => {
  const serverErrors = errors.filter(({ about }) => about === 'server');
  if (serverErrors.some(({ needsUser }) => needsUser)) throw new BankRefused('wrong_credentials');
  if (serverErrors.length > 0 && accounts.length === 0) throw new BankUnreachable('down');
};

/**
 * An account with its transactions. Throws if transactions are absent, which does not mean that there are none, or if an error
 * concerns the account. Errors that the end user can fix, such as by signing in at the bank, take precedence over temporary ones.
 */
export const findReadAccount = ({ accounts, errors }: Answer, accountId: string): AnsweredAccount => {
  const account = accounts.find(({ id }) => id === accountId);
  if (!account) throw new BankUnreachable('incomplete');
  const own = errors.filter((error) => error.about !== 'server' && error.concerns(account));
  if (own.some(({ needsUser }) => needsUser)) {
    throw new BankRefused('user_action_required', { repairedElsewhere: true });
  }
  if (own[0]?.about === 'connection') throw new BankUnreachable('down');
  if (own[0] || !Array.isArray(account.fields.transactions)) throw new BankUnreachable('incomplete');
  return account;
};
