// The writer of the log before a sink that takes what it wants.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeLogWriter } from '../src/telemetry/logWriter.ts';

type Step = { line: string } | { takes: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    line: fc.string({ unit: 'binary', maxLength: 40 }).map((text) => `"${text.replaceAll('\n', ' ')}"\n`),
  }),
  fc.record({ takes: fc.nat(100) }),
);

const run = (steps: readonly Step[], maxWaitingBytes: number) => {
  let takes = 0;
  let written = Buffer.alloc(0);
  const writer = makeLogWriter({
    sink: (bytes) => {
      const sent = Math.min(takes, bytes.length);
      takes -= sent;
      written = Buffer.concat([written, bytes.subarray(0, sent)]);
      return sent;
    },
    droppedLine: (count) => `dropped ${count}\n`,
    maxWaitingBytes,
  });
  const given: string[] = [];
  for (const next of steps) {
    if ('line' in next) {
      given.push(next.line);
      writer.write(next.line);
    } else {
      takes = next.takes;
      writer.flush();
    }
  }
  takes = Infinity;
  writer.flush();
  return { given, written: written.toString(), writer };
};

test('every line is written whole and in order, or is counted where it would have been', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), fc.integer({ min: 50, max: 500 }), (steps, limit) => {
      const { given, written, writer } = run(steps, limit);
      const lines = written.split('\n').slice(0, -1);
      let at = 0;
      for (const line of lines) {
        const dropped = /^dropped (\d+)$/.exec(line);
        if (dropped) at += Number(dropped[1]);
        else expect(`${line}\n`).toBe(given[at++]);
      }
      expect(at).toBe(given.length);
      expect(writer.isEmpty()).toBe(true);
    }),
  );
});

test('lines wait in bounded memory', () => {
  const taken: number[] = [];
  const sink = (bytes: Buffer) => {
    taken.push(bytes.length);
    return 0;
  };
  const writer = makeLogWriter({ sink, droppedLine: String });
  for (let line = 0; line < 100_000; line++) writer.write(`${'x'.repeat(99)}\n`);
  writer.flush();
  expect(Math.max(...taken)).toBeLessThanOrEqual(1_048_576);
  // A sink that takes nothing is asked again later, and not for each line.
  expect(taken.length).toBeLessThan(10);
});
