// Tests a running service as a consumer: creates an application, an API key and an organization token, and runs the test from
// docs/testing.md in a folder with the installed client. `BASE_URL=… node consumer.mjs COMMAND…`, where COMMAND is
// `bank-connection` in the service's container, such as `docker exec CONTAINER bank-connection`.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const { BASE_URL } = process.env;
const [program, ...words] = process.argv.slice(2);
const bankConnection = (...args) =>
  JSON.parse(execFileSync(program, [...words, ...args, '--json'], { encoding: 'utf8' }));

const origin = ['--origin', 'http://localhost:8080'];
const { applicationId, organizationId } = bankConnection(
  ...['applications', 'create', '--name', 'Shop', '--environment', 'sandbox', ...origin],
);
const { apiKey } = bankConnection('api-keys', 'create', '--application', applicationId);
const { link } = bankConnection('members', 'invite', '--email', 'owner@example.com', '--role', 'owner');

// The dashboard's own requests: only a member can create tokens.
let cookie = '';
const asMember = async (path, body) => {
  const response = await fetch(`${BASE_URL}/management/${path}`, {
    method: 'POST',
    headers: { origin: BASE_URL, 'dashboard-request': '1', 'content-type': 'application/json', cookie },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
  cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
  return response.json();
};
const token = new URL(link).hash.slice(1);
await asMember('invitation/accept', { token, name: 'Owner', password: 'correct horse battery staple' });
const { secret } = await asMember(`organizations/${organizationId}/tokens`, {
  name: 'CI',
  role: 'developer',
  scopes: ['read', 'webhooks', 'connections', 'sandbox'],
  expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
});

const document = readFileSync(new URL('../../docs/testing.md', import.meta.url), 'utf8');
const [, example] = /```js\n([\s\S]*?)```/.exec(document);
writeFileSync('bank.test.mjs', example);
const env = { ...process.env, APPLICATION_ID: applicationId, API_KEY: apiKey, MANAGEMENT_TOKEN: secret };
const { status } = spawnSync(process.execPath, ['--test', 'bank.test.mjs'], {
  ...{ env, stdio: 'inherit', timeout: 120_000 },
});
process.exitCode = status ?? 1;
