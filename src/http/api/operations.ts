// The public API: operationId -> handler. The compiler checks that none is missing.
import type { operations as Contract } from '../../../generated/api.ts';
import type { Handlers } from '../handler.ts';
import * as accounts from './accounts.ts';
import * as connections from './connections.ts';
import type { PrincipalByOperation } from './operation.ts';
import * as transactions from './transactions.ts';

export const operations = { ...connections, ...accounts, ...transactions } satisfies Handlers<
  Contract,
  PrincipalByOperation
>;
