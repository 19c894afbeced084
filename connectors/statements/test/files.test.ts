// Tests real statement files: MT940 and MT942 against an independent parser's results (expected.json, from wolph/mt940), and camt
// (from genkgo/camt) against a table made by hand. The licenses are next to the files.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { addsUp } from '../addsUp.ts';
import { parseCamt } from '../camt.ts';
import { parseMt940 } from '../mt940.ts';
import { decodeStatement, type Statement } from '../statement.ts';
import expected from './files/mt940/expected.json' with { type: 'json' };

const directory = join(import.meta.dirname, 'files');
const read = (path: string): string => decodeStatement(readFileSync(join(directory, path)));
const entriesOf = (statements: Statement[]) => statements.flatMap(({ entries }) => entries);

const zones = ['America/Los_Angeles', 'UTC', 'Asia/Tokyo'];
const ownZone = process.env.TZ;
afterEach(() => {
  if (ownZone === undefined) delete process.env.TZ;
  else process.env.TZ = ownZone;
});

/** The other parser's result for an entry. An empty text or null stands for a value that it did not find. */
type Found = { date: string; entryDate: string; amount: string; currency: string | null; status: string };

describe.each(zones)('in the time zone %s', (zone) => {
  test.each(Object.entries(expected as Record<string, Found[]>))('%s is read as expected', (file, found) => {
    process.env.TZ = zone;
    const entries = entriesOf(parseMt940(read(join('mt940', file))));
    const comparable = entries.map(({ valueDate, entryDate = '', amount, currency = null }) => ({
      ...{ date: valueDate, entryDate, amount, currency, status: amount.startsWith('-') ? 'D' : 'C' },
    }));
    expect(found).toMatchObject(comparable);
    expect(entries.map(({ date }) => date)).toEqual(found.map((one) => one.entryDate || one.date));
    const isInterim = file === 'mBank-mt942.sta';
    expect(new Set(entries.map(({ status }) => status))).toEqual(new Set([isInterim ? 'pending' : 'posted']));
  });

  test.each(Object.entries(camtTable))('%s is read as it was by eye', async (file, rows) => {
    process.env.TZ = zone;
    const entries = entriesOf(await parseCamt(read(join('camt', file))));
    expect(
      entries.map(({ entryDate = '', valueDate = '', amount, currency, status, description }) =>
        [entryDate, valueDate, amount, currency, status, description].join(' | '),
      ),
    ).toEqual(rows);
  });

  test('the zone is the one that the test means', () => {
    process.env.TZ = zone;
    expect(Intl.DateTimeFormat().resolvedOptions().timeZone).toBe(zone);
  });
});

/** Entry date, value date, amount, currency, status and description of each entry. */
const camtTable: Record<string, string[]> = {
  'camt052.v1.xml': ['2007-10-18 | 2007-10-18 | -200000 | SEK | posted | Credit'],
  'camt052.v2.with-account-name.xml': [' |  | -200000 | SEK | posted | Company Name'],
  'camt052.v4.xml': [
    '2007-10-18 | 2007-10-18 | -200000 | SEK | pending | UNIFITS GmbH Example Remittance - 4 - V1',
  ],
  'camt052.v6.xml': [
    '2007-10-18 | 2007-10-18 | -200000 | SEK | pending | UNIFITS GmbH Example Remittance - 6 - V1',
  ],
  'camt053.v2.all-balance-types.xml': [
    '2014-12-31 | 2015-01-02 | 8.850 | EUR | posted | Transaction Description',
  ],
  'camt053.v2.minimal.ultimate.xml': [
    '2014-12-31 | 2015-01-02 | 8.85 | EUR | posted | DEBTOR NAME NM 4654654654654654',
  ],
  'camt053.v2.multi.statement.xml': [
    '2014-12-31 | 2015-01-02 | 8.85 | EUR | posted | Transaction Description 1',
    '2014-12-31 | 2015-01-02 | -7.00 | EUR | posted | Company Name 2 Transaction Description 2',
  ],
  'camt053.v2.with-party-ids.xml': [
    '2014-12-31 | 2015-01-02 | 8.85 | EUR | posted | NAME NAME 4654654654654654',
  ],
  'camt053.v3.xml': ['2014-12-31 | 2015-01-02 | 8.85 | EUR | posted | NAME NAME 4654654654654654'],
  'camt053.v8.xml': ['2014-12-31 | 2015-01-02 | 8.85 | EUR | posted | NAME NAME 4654654654654654'],
};

test('no file is left out', () => {
  const files = (format: string, ending: string) =>
    readdirSync(join(directory, format)).filter((name) => name.endsWith(ending));
  expect(Object.keys(expected).toSorted()).toEqual(files('mt940', '.sta').toSorted());
  expect(Object.keys(camtTable).toSorted()).toEqual(files('camt', '.xml').toSorted());
});

test('in files that nobody has shortened, the entries are the difference of the balances', () => {
  const whole = Object.keys(expected).flatMap((file) =>
    parseMt940(read(join('mt940', file))).flatMap((statement, index) => {
      const { openingBalance, closingBalance, entries } = statement;
      const canTell = openingBalance && closingBalance && entries.length > 0;
      return canTell && addsUp(statement) ? [`${file} ${index + 1}`] : [];
    }),
  );
  expect(whole).toEqual([
    'betterplace-sepa_snippet.sta 1',
    'betterplace-with_binary_character.sta 1',
    'betterplace-with_binary_character.sta 2',
    'jejik-postfinance.sta 1',
    'jejik-rabobank.sta 4',
    'sberbank-171011_01234945.sta 1',
    'self-provided-february_30.sta 1',
  ]);
});
