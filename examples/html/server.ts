// Serves index.html with the settings filled in, and keeps what the page hands over, as a backend would.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';

const { BASE_URL = 'http://localhost:3000', APPLICATION_ID = '', PORT = '4000' } = process.env;
const page = readFileSync(join(import.meta.dirname, 'index.html'), 'utf8')
  .replaceAll('{{BASE_URL}}', BASE_URL)
  .replaceAll('{{APPLICATION_ID}}', APPLICATION_ID);

/** In your own program: encrypted, in your database, with the user who is signed in. */
const tokens = new Map<string, string>();

createServer(async (request, response) => {
  if (request.method === 'GET') return response.setHeader('Content-Type', 'text/html').end(page);
  // Only this page may hand over a token, whatever else is open in the user's browser.
  if (request.headers['sec-fetch-site'] !== 'same-origin') return response.writeHead(403).end();
  const { connectionId, scopedToken } = (await json(request)) as Record<string, string>;
  if (connectionId && scopedToken) tokens.set(connectionId, scopedToken);
  console.log(`${connectionId}: the token is kept (${tokens.size} in all)`);
  response.writeHead(204).end();
}).listen(Number(PORT), '127.0.0.1', () => console.log(`Open http://localhost:${PORT}`));
