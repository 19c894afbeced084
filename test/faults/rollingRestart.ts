// Restarts two processes behind Caddy, one after the other, under load: clients keep their connections open and do not retry.
// Prints the number of requests and their outcomes; exits with 1 if one failed. Needs `caddy` in the path, from Debian's package.
// Run it by hand: scripts/on-node24 node test/faults/rollingRestart.ts [DIRECTORY]. With the directory of an older version, the
// processes first run that version, and each restart is an upgrade.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { linkSandbox } from '../../client/index.ts';
import { spawnCli, temporaryDirectory } from '../support/cli.ts';
import { freePort } from '../support/freePort.ts';

const clients = 32;
const restarts = 6;
const directory = await temporaryDirectory();
const proxyPort = await freePort();
const proxyUrl = `http://localhost:${proxyPort}`;

const [, , olderVersion] = process.argv;

const start = async (PORT: number, version?: string) => {
  const child = spawnCli(
    ['serve', '--json'],
    {
      DATA_DIR: directory.path,
      PORT: String(PORT),
      BASE_URL: proxyUrl,
      ...{ API_REQUESTS_PER_MINUTE: '10000000', WIDGET_REQUESTS_PER_MINUTE: '10000000' },
      SHUTDOWN_DELAY_SECONDS: '2',
    },
    ['ignore', 'pipe', 'inherit'],
    { version },
  );
  const [output] = await once(child.stdout!, 'data');
  return { child, result: JSON.parse(String(output)) as Record<string, string> };
};

const ports = [await freePort(), await freePort()];
const processes = [await start(ports[0]!, olderVersion), await start(ports[1]!, olderVersion)];
const { applicationId, apiKey } = processes[0]!.result as { applicationId: string; apiKey: string };

const caddyfile = join(directory.path, 'Caddyfile');
await writeFile(
  caddyfile,
  `{
    admin off
    auto_https off
  }
  http://localhost:${proxyPort} {
    reverse_proxy ${ports.map((port) => `127.0.0.1:${port}`).join(' ')} {
      health_uri /health/ready
      health_interval 500ms
      lb_try_duration 5s
      lb_try_interval 50ms
      transport http {
        keepalive 60s
      }
    }
  }
`,
);
const caddy = spawn('caddy', ['run', '--config', caddyfile], { stdio: ['ignore', 'ignore', 'ignore'] });
await sleep(2000);

const linked = await linkSandbox({
  ...{ baseUrl: proxyUrl, applicationId, origin: proxyUrl },
  user: 'good',
  externalUserId: 'user-1',
});
const credentials = { Authorization: `Bearer ${apiKey}`, 'X-Scoped-Token': linked.scopedToken! };
const read = { method: 'GET', path: `/connections/${linked.connectionId}/accounts`, headers: credentials };
const body = JSON.stringify({ applicationId, origin: proxyUrl });
const create = {
  method: 'POST',
  path: '/connect/api/link-sessions',
  headers: { 'Content-Type': 'application/json', 'Content-Length': String(body.length) },
};

const outcomes = new Map<string, number>();
const send = (agent: Agent, at: number): Promise<string> =>
  new Promise((resolve) => {
    const isWrite = at % 10 === 0;
    const sent = request(
      `${proxyUrl}${isWrite ? create.path : read.path}`,
      { agent, ...(isWrite ? create : read) },
      (response) => {
        const outcome = `${isWrite ? 'POST' : 'GET'} ${response.statusCode}`;
        response.on('end', () => resolve(outcome)).on('error', () => resolve(`${outcome} broken off`));
        response.resume();
      },
    );
    sent.on('error', ({ code }: NodeJS.ErrnoException) => resolve(`failed: ${code}`));
    sent.end(isWrite ? body : undefined);
  });

const stopping = new AbortController();
const load = Array.from({ length: clients }, async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let at = 0; !stopping.signal.aborted; at++) {
    const outcome = await send(agent, at);
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  agent.destroy();
});

for (let at = 0; at < restarts; at++) {
  await sleep(2000);
  const index = at % 2;
  const { child } = processes[index]!;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const [code] = await exited;
  if (code !== 0) outcomes.set(`exit code ${code}`, 1);
  processes[index] = await start(ports[index]!);
}
await sleep(2000);
stopping.abort();
await Promise.all(load);
for (const { child } of processes) child.kill('SIGTERM');
caddy.kill('SIGTERM');
await sleep(4000);
await directory.remove();
for (const [outcome, count] of outcomes) console.log(`${outcome}: ${count}`);
process.exit([...outcomes.keys()].every((outcome) => /^(GET 200|POST 201)$/.test(outcome)) ? 0 : 1);
