// A file of bank entries for `sandbox load`, made by a rule, with whatever may be hard to keep exactly: money of
// any size and any number of zeros, texts of any script, and entries that are the same to the last letter.
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

/** How many entries each account has: around every page size that the tests walk by, and more than one page of each. */
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

/** The same rows every time. Accounts of one login stand side by side; days are full, and out of order. */
export const makeRows = (): SandboxFileRow[] =>
  counts.flatMap((count, account) =>
    Array.from({ length: count }, (_, at): SandboxFileRow => {
      const day = (at * 7) % 90;
      const twin = at % 10 === 9;
      // A twin is the entry before it once more, and a bank that gives it no id.
      const like = twin ? at - 1 : at;
      return {
        login: `file-${Math.floor(account / 2)}`,
        account: `${1000 + account}`,
        date: new Date(Date.UTC(2023, 0, 1 + (twin ? ((at - 1) * 7) % 90 : day))).toISOString().slice(0, 10),
        transaction: twin || at % 10 === 8 ? '' : `t${at}`,
        amount: pick(amounts, like + account),
        balance: pick(amounts, account),
        description: pick(texts, like * 3 + account),
        reference: at % 4 === 0 ? '' : `R ${like} ${pick(texts, like).slice(0, 20)}`,
      };
    }),
  );

const quoted = (text: string): string =>
  /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/** The rows as a file's text. */
export const formatRows = (rows: readonly SandboxFileRow[]): string =>
  [columns, ...rows.map((row) => columns.map((column) => quoted(row[column])))]
    .map((fields) => `${fields.join(',')}\n`)
    .join('');

/** The rows of a file's text, read by nothing that the service reads it with. */
export const parseRows = (text: string): SandboxFileRow[] =>
  parse(text, { columns: true }) as SandboxFileRow[];
