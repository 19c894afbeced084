// Injects a fault into a running service, and records the responses before, during and after it, and the acknowledged
// revocations.
import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createClient, linkSandbox } from '../../client/index.ts';
import { afterFile } from '../support/cleanups.ts';
import { type Settings, spawnCli, temporaryDirectory } from '../support/cli.ts';

/** Well below the limit of a request, so that even a busy machine responds in time. */
export const databaseRequestMs = 1000;
const answerMsMax = 5000;

export type FaultService = Awaited<ReturnType<typeof startFaultService>>;

/** Starts `serve` in its own process, with the first application. `wrapper` is a program that becomes the service. */
export const startFaultService = async (
  settings: Settings,
  { args = [], wrapper = [] }: { args?: string[]; wrapper?: readonly string[] } = {},
) => {
  const directory = await temporaryDirectory();
  const child = spawnCli(
    ['serve', '--json', ...args],
    {
      DATA_DIR: join(directory.path, 'data'),
      ...{ PORT: '0', LOG_LEVEL: 'error', DATABASE_REQUEST_MS: String(databaseRequestMs) },
      ...settings,
    },
    ['ignore', 'pipe', 'pipe'],
    { wrapper },
  );
  let log = '';
  child.stderr!.on('data', (text) => {
    log += text;
  });
  const exited = once(child, 'exit');
  afterFile(async () => {
    child.kill('SIGKILL');
    await exited;
    await directory.remove();
  });
  const [output] = await Promise.race([once(child.stdout!, 'data'), exited]);
  if (child.exitCode !== null) throw new Error(`The service did not start: ${log}`);
  const { baseUrl, applicationId, apiKey } = JSON.parse(String(output)) as Record<string, string>;
  const url = baseUrl!.replace('localhost', '127.0.0.1');
  return {
    child,
    url,
    /** The first application, which allows the service's own pages. */
    origin: baseUrl!,
    applicationId: applicationId!,
    apiKey: apiKey!,
    /** The text of its log. */
    log: () => log,
    stop: async (): Promise<number | null> => {
      child.kill('SIGTERM');
      const [code] = await exited;
      return code;
    },
  };
};

export type Linked = { connectionId: string; scopedToken: string };

export const linkUser = async (
  { url: baseUrl, applicationId, origin }: FaultService,
  externalUserId: string,
  user: 'good' | 'large' | 'slow' = 'good',
): Promise<Linked> => {
  const options = { baseUrl, applicationId, origin, user, externalUserId };
  const { connectionId, scopedToken } = await linkSandbox(options);
  return { connectionId, scopedToken: scopedToken! };
};

/** A response, as in the table of outcomes. No response may take more than five seconds or be a 500. */
export const ask = async (
  { url, apiKey }: Pick<FaultService, 'url' | 'apiKey'>,
  path: string,
  { method = 'GET', scopedToken }: { method?: string; scopedToken?: string } = {},
): Promise<string> => {
  const startedAt = performance.now();
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${apiKey}`,
      ...(scopedToken && { 'X-Scoped-Token': scopedToken }),
    },
  });
  await response.arrayBuffer();
  expect(performance.now() - startedAt).toBeLessThan(answerMsMax);
  const retryAfter = response.headers.get('Retry-After');
  return retryAfter ? `${response.status}, Retry-After` : String(response.status);
};

/** The concurrent responses of a service to a health check, a read, and a revocation. */
export const askAll = async (service: FaultService, read: Linked, revoked: Linked) => {
  const [health, accounts, revocation] = await Promise.all([
    ask(service, '/health'),
    ask(service, `/connections/${read.connectionId}/accounts`, read),
    ask(service, `/connections/${revoked.connectionId}`, { method: 'DELETE' }),
  ]);
  return { health, read: accounts, revoke: revocation };
};

/** Every acknowledged revocation took effect, and every other connection can still be read. */
export const expectKept = async (
  service: FaultService,
  linked: readonly Linked[],
  acknowledged: ReadonlySet<string>,
): Promise<void> => {
  const client = createClient({ baseUrl: service.url, apiKey: service.apiKey });
  for (const { connectionId, scopedToken } of linked) {
    const request = { params: { path: { connectionId } } };
    const { data } = await client.GET('/connections/{connectionId}', request);
    if (acknowledged.has(connectionId)) expect(data).toMatchObject({ connection: { status: 'revoked' } });
    const read = `/connections/${connectionId}/accounts`;
    expect(await ask(service, read, { scopedToken })).toBe('200');
  }
};
