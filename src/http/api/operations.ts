// Door 1, the public interface: operationId -> handler. The compiler checks that none is missing.
import type { operations as Contract } from '../../../generated/api.ts';
import type { Handler, Handlers } from '../operation.ts';
import type { ApplicationCaller, ReaderCaller } from './credentials.ts';
import { getAccount } from './getAccount.ts';
import { getConnection } from './getConnection.ts';
import { getTransaction } from './getTransaction.ts';
import { listAccounts } from './listAccounts.ts';
import { listConnections } from './listConnections.ts';
import { listTransactions } from './listTransactions.ts';
import { revokeConnection } from './revokeConnection.ts';

/** The two operations for which the API key is enough; every other needs the scoped token too. */
type KeyOnly = 'getConnection' | 'revokeConnection';
type Callers = { [Id in keyof Contract]: Id extends KeyOnly ? ApplicationCaller : ReaderCaller };

/** A handler of the public interface. */
export type Operation<Id extends keyof Contract> = Handler<Contract[Id], Callers[Id]>;

export const operations = {
  listConnections,
  getConnection,
  revokeConnection,
  listAccounts,
  getAccount,
  listTransactions,
  getTransaction,
} satisfies Handlers<Contract, Callers>;
