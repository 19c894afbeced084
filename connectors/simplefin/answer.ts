// Decodes a SimpleFIN server's response to `GET /accounts`, in version 1 or 2 of the protocol, or both at once.
import { BankUnreachable } from '@bank-connection/connector-kit';
import type { AnsweredAccount } from './account.ts';
import { type Answer, decodeErrors } from './answerErrors.ts';
import { type Fields, toFields, toList, toText } from './fields.ts';

/** Throws BankUnreachable('incomplete') for an invalid body. */
export const decodeAnswer = (body: Buffer): Answer => {
  const fields = toFields(parseJson(body));
  if (!Array.isArray(fields.accounts)) throw new BankUnreachable('incomplete');
  const connections = new Map(
    toList(fields.connections).map((connection) => [toFields(connection).conn_id, toFields(connection)]),
  );
  const accounts = distinguish(fields.accounts.map((account) => toAccount(toFields(account), connections)));
  return { accounts, errors: decodeErrors(fields) };
};

/** A SyntaxError must not become the cause, because its message quotes the server's data. */
const parseJson = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString());
  } catch {
    throw new BankUnreachable('incomplete');
  }
};

const toAccount = (fields: Fields, connections: Map<unknown, Fields>): AnsweredAccount => {
  const serverId = toText(fields.id);
  if (serverId === undefined) throw new BankUnreachable('incomplete');
  const connection = connections.get(fields.conn_id);
  const bank = toFields(fields.org);
  const names = [connection?.org_name, bank.name, connection?.name, fields.conn_name, bank.domain];
  const bankNames = names.flatMap((name) => toText(name) ?? []);
  return { id: serverId, serverId, connectionId: toText(fields.conn_id), bankNames, fields };
};

/**
 * An id is unique only within a bank or connection. The first account keeps its id; the others get their bank or connection as a
 * prefix.
 */
const distinguish = (accounts: AnsweredAccount[]): AnsweredAccount[] => {
  const ids = new Set<string>();
  return accounts.map((account) => {
    const { serverId, connectionId, bankNames } = account;
    const id = ids.has(serverId) ? `${connectionId ?? bankNames[0] ?? ''}/${serverId}` : serverId;
    if (ids.has(id)) throw new BankUnreachable('incomplete');
    ids.add(id);
    return { ...account, id };
  });
};

/** The ids that an account with this id in the service may have at the server. */
export const possibleServerIds = (id: string): string[] => {
  const parts = id.split('/');
  return parts.map((_, index) => parts.slice(index).join('/'));
};
