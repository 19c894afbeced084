// The whole of a consumer: a page that connects a bank, and a backend that reads it. Run it, open it, connect
// (username `otp`, password `password`, code 123456 in the Sandbox), and watch the terminal.
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
// In your own program: from '@bank-connection/client'.
import { createClient, transactions, unwrap } from '../../client/index.ts';

const { BASE_URL = 'http://localhost:3000', APPLICATION_ID = '', API_KEY = '', PORT = '4000' } = process.env;
const service = createClient({ baseUrl: BASE_URL, apiKey: API_KEY, exactAmounts: true });

// Who is signed in is your business; here it is always the same person.
const userId = 'user-1';
// Store the token in your database, encrypted, with your user: it is given once and cannot be recovered.
const tokens = new Map<string, string>();

const page = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Quickstart</title>
<h1>Quickstart</h1>
<button id="connect">Connect a bank</button>
<pre id="data" role="status"></pre>
<script src="${BASE_URL}/connect.js"></script>
<script>
  const widget = ServiceConnect.init({
    applicationId: '${APPLICATION_ID}',
    externalUserId: '${userId}',
    async onSuccess({ connectionId, scopedToken }) {
      const answer = await fetch('/connected', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ connectionId, scopedToken }),
      });
      document.getElementById('data').textContent = await answer.text();
    },
  });
  document.getElementById('connect').onclick = () => widget.open();
</script>`;

/** Keeps the token, which comes with a user's first connection only, and reads what was connected. */
const connected = async (request: IncomingMessage): Promise<string> => {
  const { connectionId, scopedToken } = JSON.parse(await text(request));
  if (scopedToken) tokens.set(userId, scopedToken);
  const client = service.withScopedToken(tokens.get(userId) ?? '');
  const params = { path: { connectionId } };
  const { accounts } = await unwrap(client.GET('/connections/{connectionId}/accounts', { params }));
  const lines: string[] = [];
  for (const { id, name, currency, balance } of accounts) {
    lines.push(`${name}: ${balance.current} ${currency}`);
    let count = 0;
    for await (const { date, amount, description } of transactions(client, id)) {
      if (count++ < 5) lines.push(`  ${date}  ${amount.padStart(10)}  ${description}`);
    }
    lines.push(`  ${count} transactions`);
  }
  return lines.join('\n');
};

createServer(async (request, response) => {
  try {
    if (request.method === 'GET') return response.setHeader('Content-Type', 'text/html').end(page);
    // Only this page may hand over a token, whatever else is open in the user's browser.
    if (request.headers['sec-fetch-site'] !== 'same-origin') return response.writeHead(403).end();
    const answer = await connected(request);
    console.log(answer);
    response.setHeader('Content-Type', 'text/plain; charset=utf-8').end(answer);
  } catch (error) {
    console.error(error);
    response.writeHead(500).end('It did not work; the terminal says why.');
  }
}).listen(Number(PORT), '127.0.0.1', () => console.log(`Open http://localhost:${PORT}`));
