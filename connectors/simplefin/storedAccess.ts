// A connection's stored access: the access URL and, after a read, a line with the shared accounts as JSON. A refresh requests all
// accounts, so only this line shows which are missing.
import { BankRefused } from '@bank-connection/connector-kit';
import { type ParsedAccessUrl, parseAccessUrl } from './accessUrl.ts';
import type { AnsweredAccount } from './account.ts';

/** `known`: the shared accounts as of the last read. */
export type StoredAccess = { text: string; server: ParsedAccessUrl; known: AnsweredAccount[] };

/** Throws BankRefused for text that is not from a sign-in or a read. */
export const parseStoredAccess = (text: string): StoredAccess => {
  const [accessUrl = '', known = '[]'] = text.split('\n');
  const server = parseAccessUrl(accessUrl);
  if (!server) throw new BankRefused('user_action_required');
  return { text, server, known: JSON.parse(known) };
};

/** The fields that identify an account, and its bank as named in errors. */
const storedFields = ['id', 'serverId', 'connectionId', 'bankNames', 'fields', 'currency'];

/** The stored text with these accounts. */
export const withKnown = ({ text }: StoredAccess, known: readonly AnsweredAccount[]): string =>
  `${text.split('\n')[0]}\n${JSON.stringify(known, storedFields)}`;
