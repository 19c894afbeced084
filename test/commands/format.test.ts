// How answers look: columns that align, times that can be read, progress that does not scroll a terminal away.
import { expect, test } from 'vitest';
import { pluralize, keyValueTable, table, formatTime } from '../../src/commands/format.ts';
import { makeProgress } from '../../src/commands/progress.ts';

test('facts stand below each other, and what there is nothing to say about is left out', () => {
  const lines = keyValueTable([
    ['Key', 'key_1'],
    ['Expires', undefined],
    ['Application', 'app_1'],
    ['Accounts', 0],
    ['Note', ''],
  ]);
  expect(lines).toEqual(['Key          key_1', 'Application  app_1', 'Accounts     0']);
});

test('a table is as wide as it must be, without spaces at its end', () => {
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

test('moments and counts in words', () => {
  expect(formatTime('2024-05-01T12:30:00.123Z')).toBe('2024-05-01 12:30:00 UTC');
  expect(formatTime(null)).toBeUndefined();
  expect([0, 1, 2].map((many) => pluralize(many, 'key'))).toEqual(['0 keys', '1 key', '2 keys']);
});

const makeProgressRecorder = (isTTY: boolean) => {
  const texts: string[] = [];
  return { texts, progress: makeProgress({ isTTY, write: (text: string) => texts.push(text) }) };
};

test('on a terminal, progress is one line that changes and leaves nothing behind', () => {
  const { texts, progress } = makeProgressRecorder(true);
  progress.update('1 of 2');
  progress.update('2 of 2');
  progress.end();
  progress.end();
  expect(texts).toEqual(['\r\u001b[2K1 of 2', '\r\u001b[2K2 of 2', '\r\u001b[2K']);
});

test('elsewhere, progress that is over soon says nothing, and what stays is said', () => {
  const { texts, progress } = makeProgressRecorder(false);
  progress.update('1 of 2');
  progress.info('Warning.');
  progress.end();
  expect(texts).toEqual(['Warning.\n']);
});
