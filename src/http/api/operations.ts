// Door 1, the public interface: operationId -> handler. The compiler checks that none is missing.
import type { operations as Contract } from '../../../generated/api.ts';
import type { Handlers } from '../handler.ts';
import { getAccount } from './getAccount.ts';
import { getConnection } from './getConnection.ts';
import { getTransaction } from './getTransaction.ts';
import { listAccounts } from './listAccounts.ts';
import { listConnections } from './listConnections.ts';
import { listTransactions } from './listTransactions.ts';
import type { PrincipalByOperation } from './operation.ts';
import { revokeConnection } from './revokeConnection.ts';

export const operations = {
  listConnections,
  getConnection,
  revokeConnection,
  listAccounts,
  getAccount,
  listTransactions,
  getTransaction,
} satisfies Handlers<Contract, PrincipalByOperation>;
