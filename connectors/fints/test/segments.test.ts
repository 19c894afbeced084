// The table of segments says the truth: what is called recorded is in the recordings, and what is composed is not.
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
