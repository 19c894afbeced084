// A service that cannot be assembled stops what it has begun.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { OperatorError } from '../../src/errors.ts';
import { buildService } from '../../src/service.ts';
import { readConfig } from '../../src/settings/config.ts';
import { makeLog } from '../../src/telemetry/log.ts';
import { runCli, temporaryDirectory } from '../support/cli.ts';
import { databases } from '../support/databases.ts';

test('a start that fails late leaves no loop running', async () => {
  const directory = await temporaryDirectory();
  onTestFinished(directory.remove);
  const { url, drop } = await databases[0]!.create();
  onTestFinished(drop);
  const config = {
    ...readConfig({ DATA_DIR: directory.path, DATABASE_URL: url }, { workerPollMs: 1, webhookPollMs: 1 }),
    // The last setting that is read.
    get oidc(): never {
      throw new OperatorError('OIDC_ISSUER is wrong.');
    },
  };
  const clock = systemClock(() => new Map());
  let timesRead = 0;
  const real = (): Date => {
    timesRead += 1;
    return clock.real();
  };
  const build = buildService(config, makeLog('silent'), { worker: true, clock: { ...clock, real } });
  await expect(build).rejects.toThrow('OIDC_ISSUER is wrong.');
  // A worker that still runs reads the clock at each poll.
  const timesAtEnd = timesRead;
  await sleep(50);
  expect(timesRead).toBe(timesAtEnd);
});

for (const database of databases.filter(({ name }) => name === 'PostgreSQL')) {
  test('a command on a database that cannot be written says so in one line', async () => {
    const directory = await temporaryDirectory();
    onTestFinished(directory.remove);
    const { url, drop } = await database.create();
    onTestFinished(drop);
    const readOnly = new URL(url);
    readOnly.searchParams.set('options', '-c default_transaction_read_only=on');
    const settings = { DATA_DIR: directory.path, DATABASE_URL: readOnly.href };
    expect(await runCli(settings, 'organizations', 'create', '--name', 'Acme')).toMatchObject({
      err: expect.stringMatching(/^The database cannot be used: .*read-only transaction\.\n$/),
      code: 1,
    });
  });
}
