// Tests of camt.052 and camt.053 for cases missing from the files: reversals, batches, statuses, entities, damage.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseCamt } from '../camt.ts';
import { decodeStatement, StatementError } from '../statement.ts';

const document = (entries: string, { head = '', kind = 'BkToCstmrStmt', item = 'Stmt' } = {}): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><${kind}>
<GrpHdr><MsgId>1</MsgId></GrpHdr><${item}>${head}
${entries}</${item}></${kind}></Document>`;

type EntryParts = { amount?: string; mark?: string; status?: string; dates?: string; more?: string };

const entry = ({
  amount = '<Amt Ccy="EUR">12.30</Amt>',
  mark = 'DBIT',
  status = '<Sts>BOOK</Sts>',
  dates = '<BookgDt><Dt>2019-09-04</Dt></BookgDt><ValDt><Dt>2019-09-03</Dt></ValDt>',
  more = '',
}: EntryParts = {}): string =>
  `<Ntry>${amount}<CdtDbtInd>${mark}</CdtDbtInd>${status}${dates}${more}</Ntry>\n`;

const payment = (body: string): string => `<TxDtls>${body}</TxDtls>`;
const details = (...payments: string[]): string => `<NtryDtls>${payments.map(payment).join('')}</NtryDtls>`;

const entriesOf = async (xml: string) => (await parseCamt(xml)).flatMap(({ entries }) => entries);
const readEntry = async (parts: EntryParts) => (await entriesOf(document(entry(parts))))[0];

test('a reversal goes in the direction that its own indicator says', async () => {
  const status = '<RvslInd>true</RvslInd><Sts>BOOK</Sts>';
  expect(await readEntry({ mark: 'CRDT', status })).toMatchObject({ amount: '12.30' });
  expect(await readEntry({ mark: 'DBIT', status })).toMatchObject({ amount: '-12.30' });
});

const statuses: [xml: string, status: string][] = [
  ['<Sts>BOOK</Sts>', 'posted'],
  ['<Sts><Cd>BOOK</Cd></Sts>', 'posted'],
  ['<Sts>PDNG</Sts>', 'pending'],
  ['<Sts><Cd>PDNG</Cd></Sts>', 'pending'],
  ['<Sts><Cd>FUTR</Cd></Sts>', 'pending'],
];
test.each(statuses)('%s is %s', async (status, expected) => {
  expect(await readEntry({ status })).toMatchObject({ status: expected });
});

test('an entry that only informs is no booking', async () => {
  expect(await entriesOf(document(entry({ status: '<Sts>INFO</Sts>' }) + entry()))).toHaveLength(1);
});

const dates: [xml: string, expected: object][] = [
  [
    '<BookgDt><DtTm>2019-12-31T23:30:00-05:00</DtTm></BookgDt>',
    { date: '2019-12-31', entryDate: '2019-12-31' },
  ],
  ['<BookgDt><DtTm>2020-01-01T00:15:00.000+02:00</DtTm></BookgDt>', { date: '2020-01-01' }],
  ['<BookgDt><Dt>2020-01-01+01:00</Dt></BookgDt>', { date: '2020-01-01' }],
  ['<ValDt><Dt>2019-12-30</Dt></ValDt>', { date: '2019-12-30', valueDate: '2019-12-30' }],
];
test.each(dates)('%s is the day as it is written', async (xml, expected) => {
  expect(await readEntry({ dates: xml })).toMatchObject(expected);
});

test('an entry without days has the day on which the statement was made', async () => {
  const xml = document(entry({ dates: '' }), { head: '<CreDtTm>2019-09-22T08:00:00+02:00</CreDtTm>' });
  expect(await entriesOf(xml)).toMatchObject([{ date: '2019-09-22' }]);
});

test('amounts keep their digits', async () => {
  const amount = async (text: string) =>
    (await readEntry({ amount: `<Amt Ccy="EUR">${text}</Amt>`, mark: 'CRDT' }))?.amount;
  const written = ['1', '0.10', '007.50', '+5', '.5', '12345678901234567.89'];
  expect(await Promise.all(written.map(amount))).toEqual([
    ...['1', '0.10', '7.50', '5', '0.5', '12345678901234567.89'],
  ]);
});

test('the description is the other party and the remittance, and the reference the end-to-end id', async () => {
  const parties = '<RltdPties><Dbtr><Nm>Anna</Nm></Dbtr><Cdtr><Nm>Bakery &amp; Son</Nm></Cdtr></RltdPties>';
  const remittance = '<RmtInf><Ustrd>Bread </Ustrd><Ustrd>and rolls &#228;</Ustrd></RmtInf>';
  const more = details(`<Refs><EndToEndId>E1</EndToEndId></Refs>${parties}${remittance}`);
  expect(await readEntry({ more })).toMatchObject({
    description: 'Bakery & Son Bread and rolls ä',
    reference: 'E1',
  });
  expect(await readEntry({ more, mark: 'CRDT' })).toMatchObject({ description: 'Anna Bread and rolls ä' });
  const unnamed = details('<Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs>');
  expect(await readEntry({ more: `${unnamed}<AddtlNtryInf>Fee</AddtlNtryInf>` })).toMatchObject({
    ...{ description: 'Fee', reference: '' },
  });
});

test('the description is the reference where the statement says nothing else', async () => {
  const more = details('<Refs><EndToEndId>E1</EndToEndId></Refs>');
  expect(await readEntry({ more })).toMatchObject({ description: 'E1', reference: 'E1' });
});

test('version 1 has payments directly in the entry', async () => {
  const more = payment('<Refs><EndToEndId>E1</EndToEndId></Refs><RmtInf><Ustrd>Rent</Ustrd></RmtInf>');
  expect(await readEntry({ more })).toMatchObject({ description: 'Rent', reference: 'E1' });
});

test('references to characters are decoded, but not to those that XML does not have', async () => {
  const description = async (text: string) =>
    (await readEntry({ more: `<AddtlNtryInf>${text}</AddtlNtryInf>` }))?.description;
  expect(await description('&lt;&#228;&#xE4;&#x1F600;&gt;&quot;&apos;&amp;amp;')).toBe('<ää😀>"\'&amp;');
  expect(await description('&#0;&#xD800;&#xFFFF;&#x110000;')).toBe('&#0;&#xD800;&#xFFFF;&#x110000;');
});

test('a batch is one entry of its whole amount, described by what its payments have in common', async () => {
  const toAnna = '<RltdPties><Cdtr><Nm>Anna</Nm></Cdtr></RltdPties>';
  const rent = (month: string) => `<RmtInf><Ustrd>Rent ${month}</Ustrd></RmtInf>`;
  const batch = (...payments: string[]) => entriesOf(document(entry({ more: details(...payments) })));
  expect(await batch(toAnna + rent('May'), toAnna + rent('June'))).toMatchObject([
    { amount: '-12.30', description: 'Anna', reference: '' },
  ]);
  expect(await batch(rent('May'), rent('May'))).toMatchObject([{ description: 'Rent May' }]);
  expect(await batch(rent('May'), rent('June'), rent('July'))).toMatchObject([{ description: '3 payments' }]);
});

test('a report of booked and pending entries, with a prefix for its names', async () => {
  const report = { kind: 'BkToCstmrAcctRpt', item: 'Rpt' };
  const xml = document(entry() + entry({ status: '<Sts>PDNG</Sts>' }), report);
  const prefixed = xml.replace(/<(\/?)(?=[A-Z])/g, '<$1ns2:').replace('xmlns=', 'xmlns:ns2=');
  for (const text of [xml, prefixed]) {
    expect((await entriesOf(text)).map(({ status }) => status)).toEqual(['posted', 'pending']);
  }
});

test('a document in ISO 8859-1 is decoded as it declares', async () => {
  const xml = document(entry({ more: '<AddtlNtryInf>Käse</AddtlNtryInf>' })).replace('UTF-8', 'ISO-8859-1');
  expect((await entriesOf(decodeStatement(Buffer.from(xml, 'latin1'))))[0]!.description).toBe('Käse');
  const wrong = Buffer.from(xml.replace('ISO-8859-1', 'no-such-encoding'), 'latin1');
  expect(() => decodeStatement(wrong)).toThrow(StatementError);
});

const lineOf = async (xml: string): Promise<number> => {
  try {
    await parseCamt(xml);
  } catch (error) {
    if (error instanceof StatementError) return error.line;
    throw error;
  }
  throw new Error('The document was read.');
};

const damaged: [what: string, parts: EntryParts][] = [
  ['an amount that is none', { amount: '<Amt Ccy="EUR">1x.30</Amt>' }],
  ['a negative amount', { amount: '<Amt Ccy="EUR">-1.30</Amt>' }],
  ['no amount', { amount: '' }],
  ['no currency', { amount: '<Amt>1.30</Amt>' }],
  ['an unknown mark', { mark: 'DEBIT' }],
  ['an unknown status', { status: '<Sts>HELD</Sts>' }],
  ['no status', { status: '' }],
  ['a day that is none', { dates: '<BookgDt><Dt>2019-13-04</Dt></BookgDt>' }],
  ['a day in words', { dates: '<BookgDt><Dt>yesterday</Dt></BookgDt>' }],
  ['no day', { dates: '' }],
];
test.each(damaged)('%s is an error that names the line', async (_, parts) => {
  expect(await lineOf(document(`${entry()}${entry(parts)}${entry()}`))).toBe(5);
});

test.each(['<Ntry/>', '<Ntry></Ntry>', '<Ntry>12.30</Ntry>'])('the entry %s is an error', async (empty) => {
  expect(await lineOf(document(`${entry()}${empty}\n${entry()}`))).toBe(5);
});

test('a message without statements, and one after another, are errors', async () => {
  const whole = document(entry());
  const message = /<BkToCstmrStmt>[\s\S]*<\/BkToCstmrStmt>/.exec(whole)![0];
  const empty = '<BkToCstmrStmt><GrpHdr/></BkToCstmrStmt>';
  const report = message.replaceAll('BkToCstmrStmt', 'BkToCstmrAcctRpt');
  for (const content of ['<BkToCstmrStmt/>', empty, message + message, message + report]) {
    await expect(parseCamt(whole.replace(message, content))).rejects.toThrow(StatementError);
  }
  await expect(parseCamt(whole + whole)).rejects.toThrow(StatementError);
});

const emptyPages = [
  '<Document/>',
  '<?xml version="1.0"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.052.001.08">\n</Document>',
  '<n:Document xmlns:n="urn:x"></n:Document>',
  '<Document><BkToCstmrAcctRpt/></Document>',
  '<Document><BkToCstmrAcctRpt><GrpHdr><MsgId>1</MsgId></GrpHdr></BkToCstmrAcctRpt></Document>',
  '<Document><BkToCstmrAcctRptV02></BkToCstmrAcctRptV02></Document>',
];
test.each(emptyPages)('the empty page %s has no statements', async (xml) => {
  expect(await parseCamt(xml)).toEqual([]);
});

test('a report with something else than reports is an error', async () => {
  for (const content of ['<Rpx/>', '<GrpHdr/><Ntry/>', 'text']) {
    const xml = `<Document><BkToCstmrAcctRpt>${content}</BkToCstmrAcctRpt></Document>`;
    await expect(parseCamt(xml), content).rejects.toThrow(StatementError);
  }
});

test.each(['', '<Dt/>', '<Dt><Dt>2019-02-31</Dt></Dt>', '<Dt><Dt>0000-00-00</Dt></Dt>'])(
  'a balance with the day "%s" is left out, and no entry',
  async (day) => {
    const balance = (code: string) =>
      `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd>${day}</Bal>`;
    const [read] = await parseCamt(document(entry(), { head: balance('OPBD') + balance('CLBD') }));
    expect(read).toMatchObject({ entries: [{ amount: '-12.30' }], isWhole: true });
    expect(read).not.toHaveProperty('openingBalance');
    expect(read).not.toHaveProperty('closingBalance');
  },
);

test('what is no statement is an error', async () => {
  const whole = document(entry() + entry());
  for (const length of [0, 40, 200, whole.length - 30, whole.length - 1]) {
    await expect(parseCamt(whole.slice(0, length)), String(length)).rejects.toThrow(StatementError);
  }
  const notification = document(entry(), { kind: 'BkToCstmrDbtCdtNtfctn', item: 'Ntfctn' });
  for (const xml of [
    'text',
    '<a/>',
    '<Document>text</Document>',
    '<Document><a/></Document>',
    notification,
  ]) {
    await expect(parseCamt(xml), xml.slice(0, 20)).rejects.toThrow(StatementError);
  }
});

const malformed: [what: string, xml: string][] = [
  ['an end of another element', '<Document><a></b></Document>'],
  ['an end without a beginning', '</Document>'],
  ['an end with another prefix', '<n:Document></Document>'],
  ['an element without its end', '<Document><a></Document>'],
  ['two root elements', '<Document/><Document/>'],
  ['text before the root element', 'text<Document/>'],
  ['text after the root element', '<Document/>text'],
  ['a no-break space after the root element', '<Document/>\u00A0'],
  ['CDATA after the root element', '<Document/><![CDATA[text]]>'],
  ['a comment without its end', '<Document/><!-- comment'],
  ['an attribute that is repeated', '<Document a="1" b="2" a="3"/>'],
  ['an attribute without quotes', '<Document a=1/>'],
  ['an attribute with a tag', '<Document a="<b/>"/>'],
  ['attributes without space', '<Document a="1"b="2"/>'],
  ['a name that is a number', '<Document><1/></Document>'],
  ['an ampersand', '<Document>A & B</Document>'],
  ['a reference without its end', '<Document>&amp</Document>'],
  ['a declaration inside', '<Document><?xml version="1.0"?></Document>'],
];
test.each(malformed)('%s is an error that names the line', async (_, xml) => {
  const error = new StatementError(2, 'well-formed XML');
  await expect(parseCamt(`<?xml version="1.0"?>\n${xml}`)).rejects.toThrow(error);
});

test('comments and instructions are no content, and CDATA is text', async () => {
  const text = '<!-- <Ntry> -->Bread<?a <b> ?> <![CDATA[& rolls &lt;]]>';
  const xml = document(`<!-- ${entry()} -->${entry({ more: `<AddtlNtryInf>${text}</AddtlNtryInf>` })}`);
  expect(await entriesOf(xml)).toMatchObject([{ description: 'Bread & rolls &lt;' }]);
});

test('a document that defines a type or entities is refused', async () => {
  const bomb = '<!DOCTYPE d [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>';
  const xml = document(entry({ more: '<AddtlNtryInf>&b;</AddtlNtryInf>' }));
  expect(await lineOf(xml.replace('<Document', `${bomb}\n<Document`))).toBe(2);
  // Entities that XML does not define are not replaced.
  expect((await entriesOf(xml))[0]!.description).toBe('&b;');
});

test('a deep and a large document are read or refused, not crashed on', async () => {
  const deep = document(entry({ more: '<a>'.repeat(5000) + '</a>'.repeat(5000) }));
  await expect(parseCamt(deep)).rejects.toThrow(StatementError);
  expect(await entriesOf(document(entry().repeat(10_000)))).toHaveLength(10_000);
});

test('what is written is read, in the same order', async () => {
  const generated = fc.record({
    date: fc
      .date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10)),
    amount: fc
      .tuple(fc.nat({ max: 1e9 }), fc.nat({ max: 99_999 }))
      .map(([whole, part]) => `${whole}.${part}`),
    isPending: fc.boolean(),
    text: fc.stringMatching(/^[A-Za-z<>&"'][A-Za-z0-9<>&"' ]{0,40}[a-zäöü]$/),
  });
  const escapeXml = (text: string): string =>
    text.replace(/[<>&"']/g, (character) => `&#${character.codePointAt(0)};`);
  await fc.assert(
    fc.asyncProperty(fc.array(generated, { maxLength: 10 }), async (all) => {
      const entries = all.map(({ date, amount, isPending, text }) =>
        entry({
          ...{ amount: `<Amt Ccy="EUR">${amount}</Amt>`, mark: 'CRDT' },
          status: `<Sts>${isPending ? 'PDNG' : 'BOOK'}</Sts>`,
          dates: `<BookgDt><Dt>${date}</Dt></BookgDt>`,
          more: `<AddtlNtryInf>${escapeXml(text)}</AddtlNtryInf>`,
        }),
      );
      expect(await entriesOf(document(entries.join('')))).toMatchObject(
        all.map(({ date, amount, isPending, text }) => ({
          ...{ date, amount, currency: 'EUR', status: isPending ? 'pending' : 'posted' },
          description: text.replace(/ +/g, ' '),
        })),
      );
    }),
  );
});

test('one damaged character in an amount or a day never makes entries fewer', async () => {
  const xml = document(entry() + entry({ status: '<Sts>PDNG</Sts>' }));
  const starts = [...xml.matchAll(/\d+(?:\.\d+|-\d\d-\d\d)(?=<)/g)];
  const positions = starts.flatMap(({ index, 0: { length } }) =>
    Array.from({ length }, (_, at) => index + at),
  );
  const put = fc.oneof(fc.string({ minLength: 1, maxLength: 1 }), fc.constantFrom(...'<>&/-.+0'));
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...positions), put, async (position, character) => {
      let count: number;
      try {
        count = (await entriesOf(xml.slice(0, position) + character + xml.slice(position + 1))).length;
      } catch (error) {
        expect(error).toBeInstanceOf(StatementError);
        return;
      }
      expect(count).toBe(2);
    }),
    { numRuns: 500 },
  );
});
