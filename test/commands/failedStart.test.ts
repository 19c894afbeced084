// A service that fails to start stops the parts that it has already started.
import { expect, onTestFinished, test } from 'vitest';
import { type Config, readConfig } from '../../src/platform/settings/config.ts';
import { makeLog } from '../../src/platform/telemetry/log.ts';
import { type Clock, systemClock } from '../../src/platform/values/clock.ts';
import { OperatorError } from '../../src/platform/values/errors.ts';
import { buildService } from '../../src/service.ts';
import { runCli, temporaryDirectory } from '../support/cli.ts';
import { databases } from '../support/databases.ts';
import { countOpenHandles, expectNoOpenHandles } from '../support/openHandles.ts';

/** A clock that counts how often it is read, as each poll of a loop does. */
const countingClock = () => {
  const clock = systemClock(() => new Map());
  const counted = { reads: 0 };
  const real = (): Date => {
    counted.reads += 1;
    return clock.real();
  };
  return { counted, clock: { ...clock, real } };
};

/** Settings that throw at the read with this number. `reads` counts the reads. */
const failingAt = (config: Config, number: number) => {
  const counted = { reads: 0 };
  const proxy = new Proxy(config, {
    get: (target, name) => {
      counted.reads += 1;
      if (counted.reads === number) throw new OperatorError('This setting is wrong.');
      return target[name as keyof Config];
    },
  });
  return { counted, config: proxy };
};

test('a start that fails at any step closes everything that it has opened', async () => {
  const directory = await temporaryDirectory();
  onTestFinished(directory.remove);
  const { url, drop } = await databases[0]!.create();
  onTestFinished(drop);
  const settings = { DATA_DIR: directory.path, DATABASE_URL: url, METRICS_PORT: '1' };
  const polls = { workerPollMs: 1, webhookPollMs: 1, rateLimitFlushMs: 1, metricsFlushSeconds: 0.001 };
  const config = readConfig(settings, polls);
  const build = (own: Config, clock: Clock) => buildService(own, makeLog('silent'), { worker: true, clock });
  const whole = failingAt(config, 0);
  await (
    await build(
      whole.config,
      systemClock(() => new Map()),
    )
  ).close();
  // The last setting is read once all loops have started.
  expect(whole.counted.reads).toBeGreaterThan(9);
  const before = countOpenHandles();
  const failed: { counted: { reads: number }; atEnd: number }[] = [];
  for (let number = 1; number <= whole.counted.reads; number++) {
    const { counted, clock } = countingClock();
    await expect(build(failingAt(config, number).config, clock)).rejects.toThrow('This setting is wrong.');
    await expectNoOpenHandles(before);
    failed.push({ counted, atEnd: counted.reads });
  }
  // A loop that is still running would poll as often as this one.
  const running = countingClock();
  const service = await build(config, running.clock);
  await expect.poll(() => running.counted.reads).toBeGreaterThan(20);
  await service.close();
  expect(failed.filter(({ counted, atEnd }) => counted.reads !== atEnd)).toEqual([]);
});

for (const database of databases.filter(({ name }) => name === 'PostgreSQL')) {
  test('a command on a read-only database reports it in one line', async () => {
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
