// Tests statements as German banks send them: joined pages, balances that must add up, and descriptions that look like fields.
import type { BankTransaction } from '@bank-connection/connector-kit';
import { expect, test } from 'vitest';
import { expectSignedIn, giro, read, readAccount, signIn, startBank } from './fixture.ts';
import { said } from './segments.ts';

type Read = Promise<BankTransaction[]>;

/** The account's transactions if the bank responds with these pages. */
const readPages = async (institutionId: string, pages: string[]): Read => {
  const bank = await startBank();
  const { access } = expectSignedIn(await signIn(bank, 'free', { institutionId }));
  const reading = await read(bank, access, { accountIds: [giro] });
  let sent = 0;
  bank.intercept = ({ orders }) => {
    if (orders[0] !== 'HKKAZ' && orders[0] !== 'HKCAZ') return undefined;
    const page = pages[sent]!;
    sent += 1;
    const more = sent < pages.length ? `+3040::Mehr.:PAGE${sent}` : '';
    return { segments: said.done.text.replace(/'$/, `${more}'`) + page };
  };
  return (await readAccount(reading, giro)).transactions;
};

const readMt940 = (...pages: string[]): Read =>
  readPages(
    'dkb',
    pages.map((text) => `HIKAZ:4:5:3+@${text.length}@${text}'`),
  );
const readCamt = (...documents: string[]): Read =>
  readPages(
    'dkb-camt',
    documents.map((text) => `HICAZ:4:1:3+DE02+camt+@${text.length}@${text}'`),
  );

const lines = (...texts: string[]): string => texts.join('\r\n');
const head = [':20:STARTUMS', ':25:10020030/1234567890', ':28C:1/1'];
const opening = ':60F:C190901EUR100,00';
const entry = (day: string, amount: string) => `:61:1909${day}09${day}D${amount}NTRFNONREF`;
const closing = (amount: string) => `:62F:C190921EUR${amount}`;
const statement = (...body: string[]): string => lines(...head, ...body, '-');

const incomplete = { name: 'Error', reason: 'incomplete' };

test('pages that end anywhere are read as one text', async () => {
  const parts = [
    [...head, opening, entry('04', '1,50')],
    [':86:166?00KARTE?20Markt'],
    ['?32Anna', entry('05', '2,50')],
  ];
  const rest = [[':86:166?20Kiosk', closing('96,00')], ['-']];
  const expected = [
    { date: '2019-09-04', amount: '-1.50', description: 'Anna Markt' },
    { date: '2019-09-05', amount: '-2.50', description: 'Kiosk' },
  ];
  const pages = [...parts, ...rest].map((part) => lines(...part));
  expect(await readMt940(...pages)).toMatchObject(expected);
  expect(await readMt940(...pages.map((page) => `${page}\r\n`))).toMatchObject(expected);
  const ended = statement(opening, entry('04', '1,50'), closing('98,50'));
  expect(await readMt940(ended, ended.replaceAll('0904', '0905'))).toMatchObject([
    { date: '2019-09-04' },
    { date: '2019-09-05' },
  ]);
});

const unbalanced: [what: string, text: string][] = [
  ['an entry less than the balances say', statement(opening, entry('04', '1,50'), closing('96,00'))],
  ['no entry where the balances differ', statement(opening, closing('96,00'))],
  ['no closing balance', statement(opening, entry('04', '1,50'))],
  ['no opening balance', statement(entry('04', '1,50'), closing('98,50'))],
  ['neither a balance nor an entry', statement()],
  [
    'a second statement that does not add up',
    statement(opening, closing('100,00')) + lines('', ...head, opening, entry('04', '1,'), closing('98,')),
  ],
  [
    'an entry that was damaged into text',
    statement(
      opening,
      entry('04', '1,50'),
      ':86:a',
      entry('05', '2,50').replace(':61:', ':6X:'),
      closing('96,00'),
    ),
  ],
];
test.each(unbalanced)('a statement with %s is incomplete', async (_, text) => {
  await expect(readMt940(text)).rejects.toMatchObject(incomplete);
});

const readable: [what: string, body: string[]][] = [
  ['whose balances add up', [opening, entry('04', '1,5'), closing('98,50')]],
  ['without balances', [entry('04', '1,5')]],
  ['whose balances are both zero', [':60F:C190901EUR0,00', entry('04', '1,5'), ':62F:C190921EUR0,00']],
  ['of an account that is overdrawn', [':60F:C190901EUR1,', entry('04', '1,5'), ':62F:D190921EUR0,5']],
  ['whose closing balance has no day', [opening, entry('04', '1,5'), ':62F:C000000EUR7,00']],
  [
    'whose opening balance has an impossible day',
    [':60F:C191341EUR7,00', entry('04', '1,5'), closing('98,50')],
  ],
  ['with an expected entry', [opening, entry('04', '1,5'), ':61:190922ED9,NTRFNONREF', closing('98,50')]],
];
test.each(readable)('a statement %s is read', async (_, body) => {
  const [first] = await readMt940(statement(...body));
  expect(first).toMatchObject({ date: '2019-09-04', amount: '-1.5', status: 'posted' });
});

test('a line of a description that looks like a field changes neither what is posted nor how many there are', async () => {
  const text = [':86:106?00KARTE?20Markt', ':13:22 Debitk. 4', ':20:22 Uhr?32Anna'];
  const body = [opening, entry('04', '1,50'), ...text, entry('05', '2,50'), ...text, closing('96,00')];
  const transactions = await readMt940(statement(...body));
  expect(transactions.map(({ date, status }) => [date, status])).toEqual([
    ['2019-09-04', 'posted'],
    ['2019-09-05', 'posted'],
  ]);
  expect(transactions[0]!.description).toBe('Anna Markt:13:22 Debitk. 4:20:22 Uhr');
});

const camtEntry = (amount: string, day: string, status: string) =>
  `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>${status}</Sts><BookgDt><Dt>${day}</Dt></BookgDt></Ntry>`;
const camtBalance = (code: string, amount: string) =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2019-09-04</Dt></Dt></Bal>`;
const report = (...content: string[]) =>
  `<Document><BkToCstmrAcctRpt><GrpHdr/><Rpt>${content.join('')}</Rpt></BkToCstmrAcctRpt></Document>`;

test('camt: the booked entries must add up, those that are pending are none, and an empty page is empty', async () => {
  const booked = camtEntry('1.50', '2019-09-04', 'BOOK');
  const pending = camtEntry('7.00', '2019-09-05', 'PDNG');
  const [from, to] = [camtBalance('PRCD', '100.00'), camtBalance('CLBD', '98.5')];
  const pages = ['<Document/>', report(from, to, booked, pending), report(from, pending)];
  const empty = '<Document><BkToCstmrAcctRpt><GrpHdr/></BkToCstmrAcctRpt></Document>';
  expect(await readCamt(...pages, empty)).toMatchObject([
    { amount: '-1.50', status: 'posted' },
    { amount: '-7.00', status: 'pending' },
    { amount: '-7.00', status: 'pending' },
  ]);
  await expect(readCamt(report(from, to, pending))).rejects.toMatchObject(incomplete);
});
