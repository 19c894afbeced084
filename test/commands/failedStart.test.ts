// A service that cannot be assembled stops what it has begun.
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/platform/settings/config.ts';
import { makeLog } from '../../src/platform/telemetry/log.ts';
import { type Clock, systemClock } from '../../src/platform/values/clock.ts';
import { OperatorError } from '../../src/platform/values/errors.ts';
import { buildService } from '../../src/service.ts';
import { runCli, temporaryDirectory } from '../support/cli.ts';
import { databases } from '../support/databases.ts';

/** A clock that counts how often it is read, as each poll of a worker does. */
const countingClock = () => {
  const clock = systemClock(() => new Map());
  const counted = { reads: 0 };
  const real = (): Date => {
    counted.reads += 1;
    return clock.real();
  };
  return { counted, clock: { ...clock, real } };
};

test('a start that fails late leaves no loop running', async () => {
  const directory = await temporaryDirectory();
  onTestFinished(directory.remove);
  const { url, drop } = await databases[0]!.create();
  onTestFinished(drop);
  const settings = { DATA_DIR: directory.path, DATABASE_URL: url };
  const config = readConfig(settings, { workerPollMs: 1, webhookPollMs: 1 });
  const broken = {
    ...config,
    // The last setting that is read.
    get oidc(): never {
      throw new OperatorError('OIDC_ISSUER is wrong.');
    },
  };
  const build = (own: typeof config, clock: Clock) =>
    buildService(own, makeLog('silent'), { worker: true, clock });
  const failed = countingClock();
  await expect(build(broken, failed.clock)).rejects.toThrow('OIDC_ISSUER is wrong.');
  const readsAtEnd = failed.counted.reads;
  // A worker that still ran would poll as often as this one.
  const running = countingClock();
  const service = await build(config, running.clock);
  await expect.poll(() => running.counted.reads).toBeGreaterThan(20);
  await service.close();
  expect(failed.counted.reads).toBe(readsAtEnd);
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
