// Serves index.html with the settings filled in, stores the scoped token and reads the new accounts, as a backend does.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import express from 'express';

const { BASE_URL = 'http://localhost:3000', APPLICATION_ID = '', API_KEY = '', PORT = '4000' } = process.env;
const page = readFileSync(join(import.meta.dirname, 'index.html'), 'utf8')
  .replaceAll('{{BASE_URL}}', BASE_URL)
  .replaceAll('{{APPLICATION_ID}}', APPLICATION_ID);

/** In your own backend, store tokens encrypted in the database, with the signed-in user. */
const tokens = new Map<string, string>();

const app = express();

app.get('/', (_request, response) => {
  response.type('html').send(page);
});

app.post('/connected', express.json(), async (request, response) => {
  // Refuses requests from other sites.
  if (request.get('sec-fetch-site') !== 'same-origin') return void response.sendStatus(403);
  const { connectionId, scopedToken } = request.body;
  tokens.set(connectionId, scopedToken);
  console.log(`${connectionId}: token stored (${tokens.size} in total)`);
  const headers = { Authorization: `Bearer ${API_KEY}`, 'X-Scoped-Token': scopedToken };
  const answer = await fetch(`${BASE_URL}/connections/${connectionId}/accounts`, { headers });
  console.log(await answer.json());
  response.sendStatus(answer.ok ? 204 : 502);
});

process.once('SIGTERM', () => process.exit());
app.listen(Number(PORT), '127.0.0.1', () => console.log(`Open http://localhost:${PORT}`));
