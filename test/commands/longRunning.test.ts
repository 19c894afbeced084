// The commands that stay: serving, and working for those who serve without working.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '../../client/index.ts';
import { databases } from '../support/databases.ts';
import { driveToImport, hostOrigin, link, openLinkSession } from '../support/testService.ts';
import {
  runCli,
  type Settings,
  type LongRunningCommand,
  startLongRunning,
  temporaryDirectory,
} from '../support/cli.ts';

for (const database of databases) {
  describe(`on ${database.name}`, () => {
    let settings: Settings;
    let clean: () => Promise<void>;
    beforeAll(async () => {
      const directory = await temporaryDirectory();
      const made = await database.createEmpty();
      settings = { DATA_DIR: directory.path, DATABASE_URL: made.url, PORT: '0' };
      clean = async () => {
        await made.drop();
        await directory.remove();
      };
    });
    afterAll(() => clean());

    const make = async (...words: string[]): Promise<Record<string, string>> =>
      (await runCli(settings, ...words, '--json')).json();
    const shopWords = ['--name', 'Shop', '--environment', 'sandbox', '--origin', hostOrigin];

    test('serves without a worker until stopped, while another process works', async () => {
      const serving = await startLongRunning(settings, 'serve', '--no-worker');
      const { baseUrl, health } = serving.result as Record<string, string>;
      const url = baseUrl!.replace('localhost', '127.0.0.1');
      let working: LongRunningCommand | undefined;
      try {
        const shop = await make('applications', 'create', ...shopWords);
        const { apiKey } = await make('api-keys', 'create', '--application', shop.applicationId!);
        expect(await (await fetch(health!.replace('localhost', '127.0.0.1'))).json()).toEqual({
          status: 'ok',
        });
        const at = { url, application: { id: shop.applicationId!, apiKey: apiKey!, keyId: '' } };
        const waiting = await openLinkSession(at);
        expect((await driveToImport(waiting, { username: 'usd' })).state).toBe('importing');
        working = await startLongRunning(settings, 'worker');
        expect(working.result).toEqual({ working: true });
        expect((await waiting.waitForImport()).state).toBe('finished');
        const { scopedToken, connectionId } = await link(at, { username: 'jpy' });
        const client = createClient({ baseUrl: url, apiKey: apiKey!, scopedToken });
        const { data } = await client.GET('/connections');
        expect(data?.connections.map(({ id }) => id)).toEqual([connectionId]);
        // A command beside the worker ends when nothing is left to do, whoever of the two did it.
        const ran = await runCli(settings, 'refresh', 'run', '--json');
        expect(ran).toMatchObject({ code: 0, err: '' });
        const { refreshed, elsewhere, ...problems } = ran.json<Record<string, number>>();
        expect(refreshed! + elsewhere!).toBe(2);
        expect(problems).toEqual({ failed: [], stopped: [] });
        expect(await make('refresh', 'status')).toMatchObject({ scheduled: 2, due: 0 });
      } finally {
        expect(await working?.stop()).toBe(0);
        expect(await serving.stop('SIGINT')).toBe(0);
      }
    });

    test('shows the first key at the first start and never again', async () => {
      const { out } = await runCli(settings, 'applications', 'list', '--json');
      expect(JSON.parse(out).applications).toHaveLength(2);
      const serving = await startLongRunning(settings, 'serve');
      expect(serving.result).not.toHaveProperty('apiKey');
      expect(serving.result).toMatchObject({ port: expect.any(Number), reference: expect.any(String) });
      expect(await serving.stop()).toBe(0);
    });
  });
}
