// The log on standard output: no line is lost, or delayed until the next one.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const logFile = fileURLToPath(new URL('../src/platform/telemetry/log.ts', import.meta.url));

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Runs a module with a `log`, and returns its process with the output so far. */
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

/** The output of a program with a `log` to a terminal without colors. */
const runInTerminal = (program: string) => {
  const source = `import { makeLog } from ${JSON.stringify(logFile)}; const log = makeLog('info'); ${program}`;
  const command = `${process.execPath} --input-type=module -e ${quote(source)}`;
  const env = { ...process.env, NO_COLOR: '1' };
  return spawnSync('script', ['-qec', command, '/dev/null'], { encoding: 'utf8', env });
};

test('is for people on a terminal, and has no color with NO_COLOR', async (ctx) => {
  const { stdout, error } = runInTerminal(
    `makeLog('info').info({ status: 200 }, 'request'); log.warn({ requestId: 'a1', err: new RangeError('secret') }, 'request failed')`,
  );
  ctx.skip(
    error !== undefined,
    'because the program `script` of util-linux, which makes terminals, is missing',
  );
  expect(stdout).toMatch(/^\d\d:\d\d:\d\d\.\d{3} INFO {2}request {2}status=200\r\n/);
  expect(stdout).toMatch(/WARN {2}request failed {2}requestId=a1 {2}kind=RangeError\r\n {4}at /);
  expect(stdout).not.toContain('secret');
});

test('escapes control characters of values on a terminal', async (ctx) => {
  const { stdout, error } = runInTerminal(
    String.raw`log.info({ path: '/a\x1b[2J\nb\x9b', tags: ['\x9b'] }, 'request\r')`,
  );
  ctx.skip(
    error !== undefined,
    'because the program `script` of util-linux, which makes terminals, is missing',
  );
  expect(stdout).toMatch(
    /INFO {2}request\\u000d {2}path=\/a\\u001b\[2J\\u000ab\\u009b {2}tags=\["\\u009b"\]\r\n$/,
  );
});

test('shows a line soon after it was written, with its time', async () => {
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
