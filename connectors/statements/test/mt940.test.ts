// Tests of MT940 and MT942 for cases missing from the files: reversals, the turn of the year, balances, descriptions, damage.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseMt940 } from '../mt940.ts';
import { decodeStatement, StatementError } from '../statement.ts';

const statement = (...lines: string[]): string =>
  [':20:STARTUMSE', ':25:12030000/1234567890', ':28C:1/1', ...lines, '-'].join('\r\n');

const entriesOf = (...lines: string[]) => parseMt940(statement(...lines)).flatMap(({ entries }) => entries);

const lineOf = (text: string): number => {
  try {
    parseMt940(text);
  } catch (error) {
    if (error instanceof StatementError) return error.line;
    throw error;
  }
  throw new Error('The statement was read.');
};

test('a statement has its account, currency and balances', () => {
  const [read, ...others] = parseMt940(
    statement(':60F:D190821EUR1234,5', ':61:1909030904CR12,N033NONREF', ':62F:C190903USD0,'),
  );
  expect(others).toEqual([]);
  expect(read).toMatchObject({
    ...{ account: '12030000/1234567890', currency: 'EUR' },
    openingBalance: { amount: '-1234.5', currency: 'EUR', date: '2019-08-21' },
    closingBalance: { amount: '0', currency: 'USD', date: '2019-09-03' },
    entries: [{ amount: '12', currency: 'EUR' }],
  });
});

const marks: [mark: string, amount: string][] = [
  ['C', '12.30'],
  ['CR', '12.30'],
  ['CF', '12.30'],
  ['D', '-12.30'],
  ['DR', '-12.30'],
  // A reversal has the opposite sign of the original.
  ['RC', '-12.30'],
  ['RCR', '-12.30'],
  ['RD', '12.30'],
  ['RDR', '12.30'],
];
test.each(marks)('the mark %s makes %s', (mark, amount) => {
  expect(entriesOf(`:61:1909030904${mark}12,30NTRFNONREF`)).toMatchObject([{ amount }]);
});

const amounts: [text: string, amount: string][] = [
  ['9,', '9'],
  ['0,', '0'],
  ['000000000001,62', '1.62'],
  ['1234,5', '1234.5'],
  ['999999999999,99', '999999999999.99'],
  ['0,10', '0.10'],
];
test.each(amounts)('the amount %s is %s', (text, amount) => {
  expect(entriesOf(`:61:190903C${text}NTRFNONREF`)).toMatchObject([{ amount }]);
  expect(entriesOf(`:61:190903D${text}NTRFNONREF`)).toMatchObject([
    { amount: amount === '0' ? '0' : `-${amount}` },
  ]);
});

const years: [dates: string, valueDate: string, entryDate: string][] = [
  ['1912310102', '2019-12-31', '2020-01-02'],
  ['2001021231', '2020-01-02', '2019-12-31'],
  ['2006300701', '2020-06-30', '2020-07-01'],
  ['2002290301', '2020-02-29', '2020-03-01'],
  ['1902300301', '2019-02-28', '2019-03-01'],
  ['9912310103', '1999-12-31', '2000-01-03'],
];
test.each(years)(
  'the dates %s are the value date %s and the entry date %s',
  (dates, valueDate, entryDate) => {
    expect(entriesOf(`:61:${dates}C1,NTRFNONREF`)).toMatchObject([{ valueDate, entryDate, date: entryDate }]);
  },
);

test('without an entry date the date is the value date', () => {
  const [entry] = entriesOf(':61:191231C1,NTRFNONREF');
  expect(entry).toMatchObject({ date: '2019-12-31', valueDate: '2019-12-31' });
  expect(entry).not.toHaveProperty('entryDate');
});

describe('the description', () => {
  const describeBy = (...lines: string[]) => {
    const [entry] = entriesOf(':61:190903C1,NTRFOWNREF//BANKREF', ...lines);
    return [entry!.description, entry!.reference];
  };

  test('of German banks is the name and the remittance, and its reference the end-to-end id', () => {
    expect(
      describeBy(
        ':86:166?00GUTSCHRIFT?100399?20EREF+RE 2019-0815?21SVWZ+Rechnung 0815 vom?22 3.9.2019?23ABWA+Anna',
        '?30DRESDEFF508?31DE14?32Erika Mustermann Gm?33bH & Co',
      ),
    ).toEqual(['Erika Mustermann GmbH & Co Rechnung 0815 vom 3.9.2019', 'RE 2019-0815']);
  });

  test('takes the reference of the payer before the one of field 61, and none for "not provided"', () => {
    expect(describeBy(':86:166?20KREF+K1?21SVWZ+Miete')).toEqual(['Miete', 'K1']);
    expect(describeBy(':86:166?20EREF+NOTPROVIDED?21KREF+NONREF?22SVWZ+Miete')).toEqual(['Miete', 'OWNREF']);
  });

  test('is the booking text where there is neither name nor remittance', () => {
    expect(describeBy(':86:805?00ENTGELTABSCHLUSS?106666')).toEqual(['ENTGELTABSCHLUSS', 'OWNREF']);
  });

  test('may have another separator', () => {
    expect(describeBy(':86:166>00GUTSCHRIFT>20Miete>32Anna')).toEqual(['Anna Miete', 'OWNREF']);
  });

  test('keeps a text that looks like the beginning of a field or of structure', () => {
    expect(describeBy(':86:166?20Discount of?20 percent?32Anna')[0]).toBe('Anna Discount of?20 percent');
    expect(describeBy(':86:020/10 Rent 20-30 June')[0]).toBe('020/10 Rent 20-30 June');
  });

  test('is plain text otherwise, of one or several fields', () => {
    expect(describeBy(':86:Card payment', 'Shop', ':86:Amsterdam')).toEqual([
      'Card payment Shop Amsterdam',
      'OWNREF',
    ]);
  });

  test('of a full line goes on in the next one', () => {
    expect(describeBy(`:86:${'x'.repeat(65)}`, 'y')[0]).toBe(`${'x'.repeat(65)}y`);
  });

  test('is what field 61 says where there is no other', () => {
    const [entry] = entriesOf(':61:190903C1,NTRFNONREF//BANKREF', 'Standing order');
    expect(entry).toMatchObject({ description: 'Standing order', reference: '' });
  });

  test('is not that of the whole statement', () => {
    const [entry] = entriesOf(':61:190903C1,NTRFNONREF', ':62F:C190903EUR1,', ':86:Advertisement');
    expect(entry!.description).toBe('');
  });
});

const wrappedLines = [
  ...[':34 Debitk. 4', ':13:22 Uhr', ':20:22 Uhr', ':25:22', ':21:15 Kasse 3', ': ', ':940:', ':61:7 Tor B'],
  ...[':61:12.30', ':62F:Halle', ':64:12 Uhr', ':65:30', ':90C:Weg 3', ':NS:x', ':86:30 Uhr', ':60F:C1'],
];
test.each(wrappedLines)('a line %s of a description is text, and costs no entry and no word', (wrapped) => {
  const text = [':86:106?00KARTENZAHLUNG?20SVWZ+Markt 9.3.', `${wrapped}?21 Ende?32Anna`];
  const [first, second, ...others] = entriesOf(
    ...[':60F:C190901EUR10,', ':61:1909030904D4,NTRFNONREF', ...text],
    ...[':61:1909030904C1,NTRFNONREF', ':86:Zinsen', ':62F:C190904EUR7,'],
  );
  expect(others).toEqual([]);
  expect(first).toMatchObject({ amount: '-4', status: 'posted' });
  expect(first!.description).toBe(`Anna Markt 9.3.${wrapped} Ende`.replace(/ +/g, ' '));
  expect(second).toMatchObject({ amount: '1', description: 'Zinsen', status: 'posted' });
});

const followers: [what: string, lines: string[]][] = [
  ['an entry', [':61:1909030904C1,NTRFNONREF']],
  ['an entry that is wrapped', [':61:19', '09030904C1,NTRFNONREF']],
  ['a closing balance', [':62F:C190904EUR0,']],
  ['an interim closing balance', [':62M:D190904EUR12,00']],
  ['a balance without a day', [':62F:CEUR0,']],
  ['sums', [':90D:1EUR12,', ':90C:0EUR0,']],
  ['the end and another statement', ['-', ':20:SECOND']],
  [
    'a balance, a description of the statement, and another statement',
    [':62F:C190904EUR0,', ':86:Hint', ':20:X'],
  ],
];
test.each(followers)('a description ends before %s', (_, lines) => {
  const [entry] = entriesOf(':61:1909030904C2,NTRFNONREF', ':86:106?00KARTE?20Markt', ...lines);
  expect(entry).toMatchObject({ amount: '2', description: 'Markt' });
});

const lenientLines: [what: string, line: string, expected: object][] = [
  ['a blank before the type', ':61:2103040305D12,35 NTRIKREF+', { amount: '-12.35', date: '2021-03-05' }],
  ['a blank before a type of digits', ':61:210304C50,00 N051NONREF', { amount: '50.00', date: '2021-03-04' }],
  [
    'four blanks instead of the entry date',
    ':61:240312    DD212,39NTRFNONREF',
    { amount: '-212.39', date: '2024-03-12', valueDate: '2024-03-12' },
  ],
];
test.each(lenientLines)('%s is read', (_, line, expected) => {
  const [entry, ...others] = entriesOf(line, ':86:Text');
  expect(others).toEqual([]);
  expect(entry).toMatchObject({ ...expected, description: 'Text' });
});

test('an unknown field after the closing balance costs nothing, and before it is an error', () => {
  const entry = ':61:1909030904C2,NTRFNONREF';
  const [read] = parseMt940(statement(':60F:C190901EUR1,', entry, ':62F:C190904EUR3,', ':65F:C190905EUR3,'));
  expect(read).toMatchObject({ closingBalance: { amount: '3' }, entries: [{ amount: '2' }] });
  expect(lineOf(statement(entry, ':65F:C190905EUR3,'))).toBe(5);
  // The next statement is parsed as strictly as the first.
  expect(lineOf(statement(':62F:C190904EUR3,', ':20:X', ':65F:C190905EUR3,'))).toBe(6);
});

test('a blank in a tag makes no other field of it', () => {
  const [read] = parseMt940(
    statement(': 60F:C190901EUR1,', ':61 :190903C2,NTRFNONREF', ':6 2F:C190904EUR3,'),
  );
  expect(read).toMatchObject({
    ...{ openingBalance: { amount: '1' }, closingBalance: { amount: '3' }, isWhole: true },
    entries: [{ amount: '2' }],
  });
});

test.each([' -', '\u001a', 'End of statement', ' -\r\n\u001a', 'Page 1 of 1\r\n:end'])(
  'the text %j after the last balance is no part of it',
  (end) => {
    const lines = [':20:X', ':60F:C190901EUR1,', ':61:190903C2,NTRFNONREF', ':62F:C190904EUR3,', end];
    expect(parseMt940(lines.join('\r\n'))).toMatchObject([
      { closingBalance: { amount: '3', date: '2019-09-04' }, entries: [{ amount: '2' }] },
    ]);
  },
);

test.each(['190800', '191332', '000000', '', '      '])(
  'a balance of the day "%s" is left out, and no entry',
  (day) => {
    const [read, ...others] = parseMt940(
      statement(`:60F:C${day}EUR1,`, ':61:190903C2,NTRFNONREF', `:62F:C${day}EUR3,`),
    );
    expect(others).toEqual([]);
    expect(read).toMatchObject({
      currency: 'EUR',
      isWhole: true,
      entries: [{ amount: '2', currency: 'EUR' }],
    });
    expect(read).not.toHaveProperty('openingBalance');
    expect(read).not.toHaveProperty('closingBalance');
  },
);

test('a statement with one of its balances only, or with nothing, is not whole', () => {
  const [opening, entry, closing] = [':60M:C190901EUR1,', ':61:190903C2,NTRFNONREF', ':62M:C190904EUR3,'];
  const wholeness = (...lines: string[]) => parseMt940(statement(...lines)).map(({ isWhole }) => isWhole);
  expect(wholeness(opening, entry, closing)).toEqual([true]);
  expect(wholeness(opening, closing)).toEqual([true]);
  expect(wholeness(entry)).toEqual([true]);
  expect(wholeness(opening, entry)).toEqual([false]);
  expect(wholeness(entry, closing)).toEqual([false]);
  expect(wholeness()).toEqual([false]);
  expect(wholeness(':34F:EUR0,')).toEqual([true]);
  expect(wholeness(opening, entry, ':20:Y', opening, entry, closing)).toEqual([false, true]);
});

test('a statement of several parts opens with the first balance and closes with the last', () => {
  const part = (before: string, after: string) => [
    ...[`:60M:C190901EUR${before},`, ':61:190903C2,NTRFNONREF', `:62M:C190904EUR${after},`],
  ];
  expect(parseMt940(statement(...part('1', '3'), ...part('3', '5')))).toMatchObject([
    { openingBalance: { amount: '1' }, closingBalance: { amount: '5' }, entries: [{}, {}] },
  ]);
});

test('an interim report (MT942) is pending', () => {
  const head = [':34F:EUR0,', ':13D:1909041200+0100'];
  const entries = entriesOf(...head, ':61:1909030904CR12,N033NONREF', ':90C:1EUR12,');
  expect(entries).toMatchObject([{ status: 'pending', currency: 'EUR' }]);
});

test('an expected credit or debit is pending', () => {
  expect(entriesOf(':34F:EUR0,', ':61:190903EC12,NTRFNONREF', ':61:190903ED12,NTRFNONREF')).toMatchObject([
    { amount: '12', status: 'pending' },
    { amount: '-12', status: 'pending' },
  ]);
  expect(entriesOf(':61:190903EC12,NTRFNONREF')).toMatchObject([{ status: 'pending' }]);
});

test('blocks of SWIFT, lines before the first field, and a missing end are no problem', () => {
  const body = ':20:X\r\n:61:190903C1,NTRFNONREF\r\n:86:Salary';
  for (const text of [
    `{1:F01BANKDEFFAXXX0000000000}{2:O9400000}{4:\r\n${body}\r\n-}{5:{CHK:0}}`,
    `BANKDEFF\n940\nBANKDEFF\n${body.replaceAll('\r', '')}\n-${'X'.repeat(3)}`,
    `\u0001\r\n${body}\r\n-\u0003`,
    body,
  ]) {
    expect(parseMt940(text).flatMap(({ entries }) => entries)).toMatchObject([
      { amount: '1', description: 'Salary' },
    ]);
  }
});

test('a line that is wrapped anywhere before its reference is the same line', () => {
  const line = ':61:1909030904CR1234,56NTRF';
  for (let at = 4; at < line.length; at++) {
    const wrapped = [line.slice(0, at), `${line.slice(at)}NONREF`];
    expect(entriesOf(...wrapped), String(at)).toMatchObject([{ date: '2019-09-04', amount: '1234.56' }]);
  }
});

test('a text that ends in the middle of an amount is an error', () => {
  const line = ':61:1909030904CR1234,56NTR';
  for (let end = 4; end <= line.length; end++) expect(lineOf(`:20:X\r\n${line.slice(0, end)}`)).toBe(2);
});

test('an empty text has no statements', () => {
  expect(parseMt940('')).toEqual([]);
  expect(parseMt940('\r\n')).toEqual([]);
});

test('a text in UTF-8, and one in ISO 8859-1, are decoded', () => {
  expect(decodeStatement(Buffer.from('Käse', 'utf8'))).toBe('Käse');
  expect(decodeStatement(Buffer.from('Käse', 'latin1'))).toBe('Käse');
});

test('what cannot be read is an error that names the line and nothing else', () => {
  expect(lineOf('There are no transactions.')).toBe(1);
  for (const line of [
    ':61:1909030904CR12N033NONREF',
    ':61:1909030904CR12.30N033NONREF',
    ':61:1909030904X12,30N033NONREF',
    ':61:1913030904CR12,30N033NONREF',
    ':61:1909320904CR12,30N033NONREF',
    ':61:1909031304CR12,30N033NONREF',
    ':61:',
    ':60F:C190821EUR12',
    ':62F:C19x821EUR12,',
    ':6X:1909030904CR12,30N033NONREF',
  ]) {
    expect(lineOf(statement(line)), line).toBe(4);
  }
  expect(() => parseMt940(statement(':61:1909030904CR12x30N033SECRET'))).not.toThrow(/SECRET|12x30/);
});

const day = fc.date({ min: new Date('1990-01-01'), max: new Date('2079-06-01'), noInvalidDate: true });
const entry = fc.record({
  valueDate: day.map((date) => date.toISOString().slice(0, 10)),
  daysLater: fc.integer({ min: -20, max: 20 }),
  isOutflow: fc.boolean(),
  whole: fc.integer({ min: 1, max: 999_999_999 }),
  cents: fc.integer({ min: 0, max: 99 }),
  text: fc.stringMatching(/^[A-Za-z][A-Za-z0-9 ,./]{0,40}[a-z]$/),
});
type GeneratedEntry = typeof entry extends fc.Arbitrary<infer Value> ? Value : never;

const entryDateOf = ({ valueDate, daysLater }: GeneratedEntry): string =>
  new Date(Date.parse(valueDate) + daysLater * 86_400_000).toISOString().slice(0, 10);

const write = (entries: GeneratedEntry[]): string =>
  statement(
    ':60F:C190821EUR1,',
    ...entries.flatMap((one) => {
      const dates =
        one.valueDate.replaceAll('-', '').slice(2) + entryDateOf(one).replaceAll('-', '').slice(4);
      const amount = `${one.whole},${String(one.cents).padStart(2, '0')}`;
      return [`:61:${dates}${one.isOutflow ? 'D' : 'C'}${amount}NTRFNONREF`, `:86:${one.text}`];
    }),
  );

test('what is written is read, in the same order', () => {
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 20 }), (entries) => {
      const read = parseMt940(write(entries)).flatMap((one) => one.entries);
      expect(read).toMatchObject(
        entries.map((one) => ({
          ...{ valueDate: one.valueDate, entryDate: entryDateOf(one), status: 'posted' },
          amount: `${one.isOutflow ? '-' : ''}${one.whole}.${String(one.cents).padStart(2, '0')}`,
          description: one.text.replace(/ +/g, ' '),
        })),
      );
    }),
  );
});

test('one damaged character in a statement line never makes entries fewer', () => {
  const one = fc.record({
    entries: fc.array(entry, { minLength: 1, maxLength: 3 }),
    at: fc.nat(),
    put: fc.string({ minLength: 1, maxLength: 1 }),
  });
  fc.assert(
    fc.property(one, ({ entries, at, put }) => {
      const lines = write(entries).split('\r\n');
      const index = lines.findIndex((line) => line.startsWith(':61:'));
      const line = lines[index]!;
      // Dates, mark and amount. A damaged tag may be another field's tag.
      const start = ':61:'.length;
      const position = start + (at % (line.indexOf('NTRF') - start));
      lines[index] = line.slice(0, position) + put + line.slice(position + 1);
      let count: number;
      try {
        count = parseMt940(lines.join('\r\n')).flatMap((read) => read.entries).length;
      } catch (error) {
        expect(error).toBeInstanceOf(StatementError);
        return;
      }
      expect(count).toBe(entries.length);
    }),
    { numRuns: 500 },
  );
});
