// Formatting of results and of progress.
import { expect, test } from 'vitest';
import { formatTime, makeProgress, table } from '../../src/interfaces/commands/command.ts';

test('a table has columns of minimal width and no trailing spaces', () => {
  const rows = [
    ['a', 'long text', undefined],
    ['longer', 'b', 'c'],
  ];
  expect(table(['ONE', 'TWO', 'THREE'], rows)).toEqual([
    'ONE     TWO        THREE',
    'a       long text',
    'longer  b          c',
  ]);
});

test('times are of UTC, to the second', () => {
  expect(formatTime('2024-05-01T12:30:00.123Z')).toBe('2024-05-01 12:30:00 UTC');
});

const makeProgressRecorder = (isTTY: boolean) => {
  const texts: string[] = [];
  return { texts, progress: makeProgress({ isTTY, write: (text: string) => texts.push(text) }) };
};

test('on a terminal, progress is one changing line, which is removed at the end', () => {
  const { texts, progress } = makeProgressRecorder(true);
  progress.update('1 of 2');
  progress.update('2 of 2');
  progress.end();
  progress.end();
  expect(texts).toEqual(['\r\u001b[2K1 of 2', '\r\u001b[2K2 of 2', '\r\u001b[2K']);
});

test('elsewhere, short progress prints nothing but its messages', () => {
  const { texts, progress } = makeProgressRecorder(false);
  progress.update('1 of 2');
  progress.info('Warning.');
  progress.end();
  expect(texts).toEqual(['Warning.\n']);
});
