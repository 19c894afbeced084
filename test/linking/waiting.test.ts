// An import without a worker is reported as waiting, and continues when a worker starts.
import { describe, expect, onTestFinished, test } from 'vitest';
import { seconds } from '../../src/platform/values/clock.ts';
import { oneDatabase } from '../support/databases.ts';
import { driveToImport, openLinkSession, startService } from '../support/testService.ts';

describe.each(oneDatabase)('an import without a worker, on $name', (database) => {
  test('reports after ten seconds that it waits, and ends when a worker starts', async () => {
    const service = await startService({ database, worker: false });
    onTestFinished(service.close);
    const session = await openLinkSession(service);
    expect(await driveToImport(session)).toMatchObject({ state: 'importing' });
    service.advance(seconds(9));
    expect(await session.refresh()).not.toHaveProperty('waiting');
    service.advance(seconds(2));
    expect(await session.refresh()).toMatchObject({ state: 'importing', waiting: true });

    const { databaseUrl, secretsDir } = service.service.config;
    const worker = await startService({ existing: { databaseUrl, secretsDir } });
    onTestFinished(worker.close);
    worker.advance(seconds(11));
    expect(await session.waitForImport()).toMatchObject({ state: 'finished' });
  });
});
