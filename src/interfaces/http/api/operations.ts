// The public API: a handler for each operation. The compiler checks that none is missing.
import type { operations as Contract } from '../../../../generated/api.ts';
import { connectionToJson, findConnection } from '../../../domain/connections/connection.ts';
import { revokeConnection } from '../../../domain/connections/revokeConnection.ts';
import { institutionOf } from '../../../domain/institutions/registry.ts';
import { listAccounts, readAccount } from '../../../flows/read/accounts.ts';
import { listTransactions, readTransaction } from '../../../flows/read/listTransactions.ts';
import type { Handlers } from '../handler.ts';
import type { ApiNeeds } from '../needs.ts';
import type { AnswersAhead, KeyOnlyPrincipal, ScopedTokenPrincipal } from './authenticate.ts';

/** The two operations that need only the API key; every other one also needs the scoped token. */
type KeyOnly = 'getConnection' | 'revokeConnection';
type PrincipalByOperation = {
  [Id in keyof Contract]: Id extends KeyOnly
    ? KeyOnlyPrincipal
    : Id extends keyof AnswersAhead
      ? ScopedTokenPrincipal<AnswersAhead[Id]>
      : ScopedTokenPrincipal;
};

export const operations: Handlers<Contract, PrincipalByOperation, ApiNeeds> = {
  listConnections: async ({ grant, application }, { registry }) => ({
    connections: grant.connections.map((connection) =>
      connectionToJson(connection, institutionOf(registry, application.environment, connection)),
    ),
  }),

  getConnection: async ({ path, application, retention, connectionOwner }, { db, registry }) => {
    const { connectionId } = path;
    const connection = await findConnection(db, retention, connectionId, connectionOwner);
    const institution = institutionOf(registry, application.environment, connection);
    return { connection: connectionToJson(connection, institution) };
  },

  revokeConnection: ({ path, retention, connectionOwner }, { db, config, registry: { canRevoke } }) => {
    const eventsMax = config.limits.connectionEventsMax;
    return revokeConnection(db, retention, path.connectionId, { eventsMax, canRevoke, connectionOwner });
  },

  listAccounts: async ({ path, grant }, { db }) => ({
    accounts: await listAccounts(db, grant, path.connectionId),
  }),

  getAccount: async ({ path, grant, ahead }, { db }) => ({
    account: await readAccount(db, grant, path.accountId, ahead),
  }),

  listTransactions: ({ path, query, grant, ahead }, { db, secrets, config, yieldTurn }) =>
    listTransactions(
      db,
      grant,
      { accountId: path.accountId, query },
      { cursorKeys: secrets.cursors, chunkRows: config.limits.streamChunkRows, yieldTurn, ahead },
    ),

  getTransaction: ({ path, grant, ahead }, { db }) => readTransaction(db, grant, path.accountId, ahead),
};
