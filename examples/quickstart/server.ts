// A complete consumer: a page that connects a bank, and a backend that reads it and lets other applications read it. Start it,
// open the page, connect (in the Sandbox: username `otp`, password `password`, code 123456) and see the result in the terminal.
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { createClient, transactions, unwrap } from '@bank-connection/client';

const { BASE_URL = 'http://localhost:3000', APPLICATION_ID = '', API_KEY = '', PORT = '4000' } = process.env;
const service = createClient({ baseUrl: BASE_URL, apiKey: API_KEY, exactAmounts: true });

// The signed-in user of your application; always the same here.
const userId = 'user-1';
// Store the token encrypted in your database, with your user. It is returned once and cannot be recovered.
const tokens = new Map<string, string>();

const page = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Quickstart</title>
<h1>Quickstart</h1>
<button id="connect">Connect a bank</button>
<pre id="data" role="status"></pre>
<button id="share" hidden>Read these accounts in another application</button>
<p id="token" role="status"></p>
<script src="${BASE_URL}/connect.js"></script>
<script>
  const widget = ServiceConnect.init({
    applicationId: '${APPLICATION_ID}',
    externalUserId: '${userId}',
    async onSuccess({ connectionId, scopedToken }) {
      const response = await fetch('/connected', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ connectionId, scopedToken }),
      });
      document.getElementById('data').textContent = await response.text();
      document.getElementById('share').hidden = false;
    },
  });
  document.getElementById('connect').onclick = () => widget.open();
  document.getElementById('share').onclick = async () => {
    const response = await fetch('/setup-token', { method: 'POST' });
    document.getElementById('token').textContent = await response.text();
  };
</script>`;

/** Stores the token, which is returned only for a user's first connection, and reads the new connection. */
const onConnected = async (request: IncomingMessage): Promise<string> => {
  const { connectionId, scopedToken } = JSON.parse(await text(request));
  if (scopedToken) tokens.set(userId, scopedToken);
  const client = service.withScopedToken(tokens.get(userId) ?? '');
  const params = { path: { connectionId } };
  const { accounts } = await unwrap(client.GET('/connections/{connectionId}/accounts', { params }));
  const lines: string[] = [];
  for (const { id, name, currency, balance } of accounts) {
    lines.push(`${name}: ${balance.current ?? 'unknown balance in'} ${currency}`);
    let count = 0;
    for await (const { date, amount, description } of transactions(client, id)) {
      if (count++ < 5) lines.push(`  ${date}  ${amount.padStart(10)}  ${description}`);
    }
    lines.push(`  ${count} transactions`);
  }
  return lines.join('\n');
};

/** Creates a setup token for an app that supports SimpleFIN, such as Actual Budget. The app must claim it within 30 minutes. */
const createSetupToken = async (): Promise<string> => {
  const client = service.withScopedToken(tokens.get(userId) ?? '');
  const body = { label: 'Quickstart', allAccounts: true };
  const { setupToken } = await unwrap(client.POST('/simplefin/accesses', { body }));
  return setupToken;
};

createServer(async (request, response) => {
  try {
    if (request.method === 'GET') return response.setHeader('Content-Type', 'text/html').end(page);
    // Refuses requests from other sites.
    if (request.headers['sec-fetch-site'] !== 'same-origin') return response.writeHead(403).end();
    if (request.url === '/setup-token') return response.end(await createSetupToken());
    const summary = await onConnected(request);
    console.log(summary);
    response.setHeader('Content-Type', 'text/plain; charset=utf-8').end(summary);
  } catch (error) {
    console.error(error);
    response.writeHead(500).end('Failed; see the terminal.');
  }
}).listen(Number(PORT), '127.0.0.1', () => console.log(`Open http://localhost:${PORT}`));

process.once('SIGTERM', () => process.exit());
