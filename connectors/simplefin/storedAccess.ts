// The stored data of a connection: the access URL and, after a reading, a line with the shared accounts as JSON. A refresh requests
// all accounts, so the missing ones can only be found by this line.
import { BankRefused } from '@bank-connection/connector-kit';
import { type ParsedAccessUrl, parseAccessUrl } from './accessUrl.ts';
import type { AnsweredAccount } from './account.ts';

/** `known`: the shared accounts at the last reading. */
export type StoredAccess = { text: string; server: ParsedAccessUrl; known: AnsweredAccount[] };

/** Throws BankRefused for a text that is not from a sign-in or a reading. */
export const parseStoredAccess = (text: string): StoredAccess => {
  const [accessUrl = '', known = '[]'] = text.split('\n');
  const server = parseAccessUrl(accessUrl);
  if (!server) throw new BankRefused('user_action_required');
  return { text, server, known: JSON.parse(known) };
};

/** The fields that identify an account, and its bank as it appears in errors. */
const storedFields = ['id', 'serverId', 'connectionId', 'bankNames', 'fields', 'currency'];

/** The text with these accounts. */
export const withKnown = ({ text }: StoredAccess, known: readonly AnsweredAccount[]): string =>
  `${text.split('\n')[0]}\n${JSON.stringify(known, storedFields)}`;
