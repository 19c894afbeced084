// The log on standard output: no line is lost or waits for the next one.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const logFile = fileURLToPath(new URL('../src/log.ts', import.meta.url));

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Runs a module that has a `log`, and returns its process with the output so far. */
const run = (body: string) => {
  const source = `import { makeLog } from ${JSON.stringify(logFile)}; const log = makeLog('info'); ${body}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const output = { text: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output.text += text;
  });
  return { child, output };
};

const linesOf = ({ text }: { text: string }) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { msg: string; time: string });

test('has every line of a process that exits', async () => {
  const { child, output } = run('for (let at = 0; at < 500; at++) log.info(String(at)); process.exit(0);');
  await once(child, 'close');
  expect(linesOf(output).map(({ msg }) => msg)).toEqual(Array.from({ length: 500 }, (_, at) => String(at)));
});

test('is for people on a terminal, and has no colour with NO_COLOR', async (ctx) => {
  const program = "log.warn({ requestId: 'a1', err: new RangeError('secret') }, 'request failed')";
  const source = `import { makeLog } from ${JSON.stringify(logFile)}; makeLog('info').info({ status: 200 }, 'request'); const log = makeLog('info'); ${program}`;
  const command = `${process.execPath} --input-type=module -e ${quote(source)}`;
  const inTerminal = (env: Record<string, string>) =>
    spawnSync('script', ['-qec', command, '/dev/null'], {
      encoding: 'utf8',
      env: { ...process.env, ...env },
    });
  const { stdout, error } = inTerminal({ NO_COLOR: '1' });
  ctx.skip(
    error !== undefined,
    'because the program `script` of util-linux, which makes terminals, is missing',
  );
  expect(stdout).toMatch(/^\d\d:\d\d:\d\d\.\d{3} INFO {2}request {2}status=200\r\n/);
  expect(stdout).toMatch(/WARN {2}request failed {2}requestId=a1 {2}kind=RangeError\r\n {4}at /);
  expect(stdout).not.toContain('secret');
});

test('has a line soon after it was written, with its time', async () => {
  const before = Date.now();
  const { child, output } = run("log.info('started'); setInterval(() => {}, 1000);");
  try {
    await expect.poll(() => output.text, { timeout: 10_000 }).toContain('started"}\n');
    const { time } = linesOf(output)[0]!;
    expect(time).toBe(new Date(time).toISOString());
    expect(Date.parse(time)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(time)).toBeLessThanOrEqual(Date.now());
  } finally {
    child.kill();
    await once(child, 'close');
  }
});
