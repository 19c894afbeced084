// A backend that uses webhooks to keep a copy of its users' transactions. It first connects a sandbox user. Run `sandbox advance
// --days 1` and watch the copy grow.
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import {
  createClient,
  linkSandbox,
  type SyncState,
  syncTransactions,
  type Transaction,
  unwrap,
  verifyWebhook,
  type WebhookEvent,
  WebhookVerificationError,
} from '@bank-connection/client';

const { BASE_URL: baseUrl = 'http://localhost:3000', APPLICATION_ID: applicationId = '' } = process.env;
const { API_KEY: apiKey = '', WEBHOOK_SECRET = '', ORIGIN: origin = '', PORT = '4000' } = process.env;

// In a real backend, these are database tables.
const tokens = new Map<string, string>();
const copies = new Map<string, { state: SyncState; transactions: Map<string, Transaction> }>();
const handled = new Set<string>();

/** Updates the copy of each account of a connection. */
const syncConnection = async (connectionId: string): Promise<void> => {
  const scopedToken = tokens.get(connectionId);
  if (!scopedToken) return;
  const client = createClient({ baseUrl, apiKey, scopedToken });
  const params = { path: { connectionId } };
  const { accounts } = await unwrap(client.GET('/connections/{connectionId}/accounts', { params }));
  for (const { id } of accounts) {
    const copy = copies.get(id) ?? { state: {}, transactions: new Map() };
    copies.set(id, copy);
    await syncTransactions(client, id, copy.state, {
      apply: (transactions, state) => {
        for (const transaction of transactions) copy.transactions.set(transaction.id, transaction);
        copy.state = state;
      },
    });
    console.log(`${id}: ${copy.transactions.size} transactions`);
  }
};

const handle = async (event: WebhookEvent): Promise<void> => {
  switch (event.type) {
    case 'connection.created':
    case 'transactions.updated':
      return syncConnection(event.data.connectionId);
    case 'connection.needs_reconnect':
      return console.log(`Ask the user of ${event.data.connectionId} to reconnect: ${event.data.reason}`);
    case 'connection.deleted':
      tokens.delete(event.data.connectionId);
  }
};

// Events are processed one after the other, because two about the same account would duplicate the work.
let queue = Promise.resolve();

const server = createServer(async (request, response) => {
  try {
    const event = verifyWebhook(WEBHOOK_SECRET, request.headers, await buffer(request));
    const id = String(request.headers['webhook-id']);
    console.log(`${event.type} ${id}`);
    if (!handled.has(id)) queue = queue.then(() => handle(event)).catch(console.error);
    handled.add(id);
    // A real backend stores the event first, and processes it after this response.
    response.writeHead(204).end();
  } catch (error) {
    response.writeHead(error instanceof WebhookVerificationError ? 400 : 500).end();
  }
});

process.once('SIGTERM', () => process.exit());
server.listen(Number(PORT), '127.0.0.1', async () => {
  const { connectionId, scopedToken } = await linkSandbox({ baseUrl, applicationId, origin, user: 'good' });
  tokens.set(connectionId, scopedToken!);
  await syncConnection(connectionId);
  console.log(`Connected ${connectionId}, waiting for webhooks`);
});
