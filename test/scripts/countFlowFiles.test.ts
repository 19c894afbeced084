// Counts the files of src/ and connectors/ that a request, a link and a refresh run. Only with TEST_ALL, because it builds the pages.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';

const run = promisify(execFile);
const script = join(import.meta.dirname, '../../scripts/countFlowFiles.ts');

const filesMax = { 'GET of transactions': 37, link: 112, 'scheduled refresh': 70 };

describe.runIf(process.env.TEST_ALL)('the flows', () => {
  test('run no more files than before', { timeout: 300_000 }, async () => {
    const { stdout } = await run(process.execPath, [script]);
    for (const [flow, max] of Object.entries(filesMax)) {
      const line = stdout.split('\n').find((one) => one.includes(` ${flow} `)) ?? '';
      const [, src, connectors] = /src +(\d+) +connectors +(\d+)/.exec(line) ?? [];
      expect(Number(src) + Number(connectors), stdout).toBeLessThanOrEqual(max);
    }
  });
});
