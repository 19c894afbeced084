// Serves index.html with the settings filled in, and stores the scoped token, as a backend does.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';

const { BASE_URL = 'http://localhost:3000', APPLICATION_ID = '', PORT = '4000' } = process.env;
const page = readFileSync(join(import.meta.dirname, 'index.html'), 'utf8')
  .replaceAll('{{BASE_URL}}', BASE_URL)
  .replaceAll('{{APPLICATION_ID}}', APPLICATION_ID);

/** In your own backend: encrypted in your database, with the signed-in user. */
const tokens = new Map<string, string>();

createServer(async (request, response) => {
  if (request.method === 'GET') return response.setHeader('Content-Type', 'text/html').end(page);
  // Refuses requests from other sites.
  if (request.headers['sec-fetch-site'] !== 'same-origin') return response.writeHead(403).end();
  const { connectionId, scopedToken } = (await json(request)) as Record<string, string>;
  if (connectionId && scopedToken) tokens.set(connectionId, scopedToken);
  console.log(`${connectionId}: token stored (${tokens.size} in total)`);
  response.writeHead(204).end();
}).listen(Number(PORT), '127.0.0.1', () => console.log(`Open http://localhost:${PORT}`));
