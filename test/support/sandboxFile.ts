// A generated file of transactions for `sandbox load`, with values that are hard to preserve exactly: amounts of any size
// and with any number of zeros, texts in any script, and identical transactions.
import { parse } from 'csv-parse/sync';

export type SandboxFileRow = {
  login: string;
  account: string;
  date: string;
  transaction: string;
  amount: string;
  balance: string;
  description: string;
  reference: string;
};

const columns = [
  'login',
  'account',
  'date',
  'transaction',
  'amount',
  'balance',
  'description',
  'reference',
] as const satisfies (keyof SandboxFileRow)[];

/** The number of transactions of each account: about one page, and several pages, for each page size of the tests. */
const counts = [1, 2, 6, 7, 8, 50, 99, 100, 101, 131, 700, 1001];

const amounts = [
  '0',
  '0.00',
  '-0.01',
  '1',
  '-1250.00',
  '20.000',
  '1100.10',
  '0.1',
  '-0.30',
  '1.000000',
  '12345678901234567890.12',
  '-99999999999999999999.99',
  '9007199254740993',
  '0.000000000000000000001',
  '-0.30000000000000004',
  '2.50',
];

const texts = [
  'CASH DEPOSIT',
  'Zinsgutschrift für März — 2 % p. a.',
  'TRANSFER, "NOW", AND HERE',
  'two\nlines\r\nand a third',
  '  spaces at both ends  ',
  '咖啡店 ☕️ ￥300',
  'مدفوعات البطاقة',
  '👩‍👩‍👧‍👦 Füße \u0301 e\u0301',
  "back\\slash \\n \\u0041 'single' `tick`",
  '</script><script>alert(1)</script>',
  '\u2028\u2029\u0085\u00a0',
  'a zero \u0000 and a bell \u0007',
  '{"amount": 1}',
  '=1+1',
  '%00%0A&amp;',
  'x'.repeat(500),
  '',
];

const pick = <Item>(items: readonly Item[], at: number): Item => items[at % items.length]!;

/** Returns the same rows every time. Accounts of one login are adjacent; days have many transactions and are out of order. */
export const makeRows = (): SandboxFileRow[] =>
  counts.flatMap((count, account) =>
    Array.from({ length: count }, (_, at): SandboxFileRow => {
      const day = (at * 7) % 90;
      const isDuplicate = at % 10 === 9;
      // A duplicate repeats the previous transaction, without the bank's id.
      const source = isDuplicate ? at - 1 : at;
      return {
        login: `file-${Math.floor(account / 2)}`,
        account: `${1000 + account}`,
        date: new Date(Date.UTC(2023, 0, 1 + (isDuplicate ? ((at - 1) * 7) % 90 : day)))
          .toISOString()
          .slice(0, 10),
        transaction: isDuplicate || at % 10 === 8 ? '' : `t${at}`,
        amount: pick(amounts, source + account),
        balance: pick(amounts, account),
        description: pick(texts, source * 3 + account),
        reference: at % 4 === 0 ? '' : `R ${source} ${pick(texts, source).slice(0, 20)}`,
      };
    }),
  );

const quote = (text: string): string =>
  /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/** The CSV text of the rows. */
export const formatRows = (rows: readonly SandboxFileRow[]): string =>
  [columns, ...rows.map((row) => columns.map((column) => quote(row[column])))]
    .map((fields) => `${fields.join(',')}\n`)
    .join('');

/** The rows of CSV text, parsed without the service's code. */
export const parseRows = (text: string): SandboxFileRow[] =>
  parse(text, { columns: true }) as SandboxFileRow[];
