// Gives the demo access to the service's internals. Only the demo's process calls this, with connections of the demo's sessions.
import { findStoredAccount, findStoredTransactions } from '../../domain/connections/bankDataStore.ts';
import { breakCredentials, requestRefresh } from '../../domain/connections/refreshRequests.ts';
import { findDataKeys, findResourceOwner } from '../../domain/users/store.ts';
import { type Listener, startListening } from '../../domain/webhooks/listen.ts';
import type { WebhookRequest } from '../../domain/webhooks/sendWebhook.ts';
import { Conflict } from '../../platform/values/errors.ts';
import type { Service } from '../../service.ts';
import { DemoError } from '../demo/errors.ts';
import type { DemoEvent, DemoInside, StoredTable, StoredValue } from '../demo/inside.ts';
import { lookupApplication, lookupRefreshable } from './lookup.ts';

const transactionsMax = 25;
const shownBytes = 2048;
const eventsMax = 200;

export const makeDemoInside = (
  service: Service,
  applicationId: string,
): DemoInside & { close(): Promise<void> } => {
  const events: DemoEvent[] = [];
  let listener: Promise<Listener> | undefined;
  return {
    logoOf: (institutionId) => service.registry.find('sandbox', institutionId)?.profile.logo,
    readStoredRows: (account) => readStoredRows(service, account),
    makeBankAskAgain: (connectionId) => makeBankAskAgain(service, connectionId),
    readEvents: async () => {
      // Started only when somebody opens the page, because a listener queues every event of the application.
      listener ??= listen(service, applicationId, events);
      await listener.catch((error) => {
        listener = undefined;
        throw error;
      });
      return events;
    },
    close: async () => (await listener)?.stop(),
  };
};

/** Collects the application's webhooks in `events`. */
const listen = async (service: Service, applicationId: string, events: DemoEvent[]): Promise<Listener> => {
  const { config, clock, log, webhookEndpoints } = service;
  const deps = {
    ...webhookEndpoints,
    clock,
    send: async ({ headers, body }: WebhookRequest) => {
      events.push({ ...JSON.parse(body), id: headers['webhook-id'] });
      if (events.length > eventsMax) events.shift();
      return { status: 204 };
    },
    log: {
      attempted: () => {},
      failed: (err: unknown) => log.warn({ err }, 'webhooks not delivered to the demo'),
    },
  };
  return startListening(deps, await lookupApplication(service, applicationId), `${config.baseUrl}/demo`);
};

const makeBankAskAgain = async (service: Service, connectionId: string): Promise<void> => {
  const { db, secrets, linking } = service;
  const { connection, request } = await lookupRefreshable(service, connectionId);
  try {
    await secrets.workerPublicKeys.withCurrent(({ key: workerKey }) =>
      db.transaction(async (trx) => {
        await breakCredentials(trx, connection, { ...request, workerKey });
        await requestRefresh(trx, connection, request);
      }),
    );
  } catch (error) {
    throw error instanceof Conflict ? new DemoError(409, error.message) : error;
  }
  linking.wakeWorker();
};

const readStoredRows = async (
  { db: { read } }: Service,
  { connectionId, accountId: id }: { connectionId: string; accountId: string },
): Promise<StoredTable[]> => {
  // The connection belongs to the session, so its end user decides: accounts of other users are not found.
  const owner = await findResourceOwner(read, connectionId);
  const account = owner && (await findStoredAccount(read, { endUserId: owner.endUserId, id }));
  if (account?.connectionId !== connectionId) throw new DemoError(404, 'The account has no stored rows.');
  const { endUserId, shortId: accountShortId } = account;
  const key = { endUserId, accountShortId };
  const { transactions, blocks } = await findStoredTransactions(read, key, transactionsMax);
  const keyIds = blocks.map(({ dataKeyId }) => dataKeyId);
  const dataKeys = await findDataKeys(read, endUserId, keyIds);
  return [
    toTable('transactions', transactions),
    toTable('transaction_blocks', blocks),
    toTable('data_keys', dataKeys),
    toTable('accounts', [account]),
  ];
};

const toTable = (table: string, rows: object[]): StoredTable => ({
  table,
  rows: rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([column, value]) => [toSnakeCase(column), toValue(value)])),
  ),
});

const toSnakeCase = (column: string): string =>
  column.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const toValue = (value: string | number | null | Buffer): StoredValue =>
  value instanceof Uint8Array
    ? { hex: value.subarray(0, shownBytes).toString('hex'), bytes: value.length }
    : value;
