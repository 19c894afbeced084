// Checks the table of segments: those marked as recorded are in the recordings, and composed ones are not.
import { expect, test } from 'vitest';
import recordings from './recordings.json' with { type: 'json' };
import { said } from './segments.ts';

const everything = Object.values(recordings as Record<string, Record<string, string>>)
  .flatMap((file) => Object.values(file))
  .join('\n');

test.each(Object.entries(said))('%s is what the table says', (_, { source, text }) => {
  const body = text.replace(/'$/, '');
  expect(everything.includes(body)).toBe(source === 'recorded');
});
