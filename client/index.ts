// The package's front door: everything that a consumer may import, and nothing else.
export { type Client, type ClientOptions, createClient } from './createClient.ts';
export {
  type TransactionPage,
  type TransactionQuery,
  transactionPages,
  transactions,
} from './transactions.ts';
export { ProblemError, unwrap } from './problemError.ts';
export type { Account, Amount, Balance, Connection, Problem, ProblemCode, Transaction } from './types.ts';
export { type SyncOptions, type SyncState, syncTransactions } from './syncTransactions.ts';
