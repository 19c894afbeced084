// A short run of test/faults/kills.ts: processes are killed while they link, revoke, refresh, sweep, rotate and deliver.
import { test } from 'vitest';
import { doEverythingOnce, findProblems } from '../faults/killChecks.ts';
import { startInstallation } from '../faults/killInstallation.ts';
import { killOften } from '../faults/killRandomly.ts';
import { oneDatabase } from '../support/databases.ts';

const kills = 10;

// Concurrent, because most of the time is spent waiting.
test.concurrent.for(oneDatabase)(
  'kills at random moments lose nothing that was acknowledged, and block nothing ($name)',
  // Takes 40 seconds on an idle machine.
  { timeout: 600_000 },
  async (kind, { expect, onTestFinished, signal }) => {
    const database = await kind.createEmpty();
    onTestFinished(database.drop);
    const installation = await startInstallation(database.url);
    onTestFinished(installation.close);
    await killOften(installation, { kills, seed: 1, signal });
    await doEverythingOnce(installation);
    expect(await findProblems(installation)).toEqual([]);
    expect(installation.journal.linked.size).toBeGreaterThan(1);
  },
);
