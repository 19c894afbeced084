// Reads a file of bank entries row by row, however long it is, and says exactly where it is wrong.
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { CsvError, type Info, parse } from 'csv-parse';
import { toIsoDate } from '../../../clock.ts';
import { OperatorError } from '../../../errors.ts';
import { isDecimal } from '../../../json.ts';
import { sandboxUsers } from '../users.ts';

const requiredColumns = [
  'login',
  'account',
  'date',
  'transaction',
  'amount',
  'balance',
  'description',
  'reference',
] as const;
type Column = (typeof requiredColumns)[number] | 'currency';

/** One entry of the file. `line` is where its row ends, which no two rows share. */
export type LoadedRow = Record<Column, string> & { line: number };

/** The currency of a file that names none. */
const defaultCurrency = 'CZK';
const recordBytesMax = 64 * 1024;

/** What each column must be; the text goes on "must be …". */
const columnRules: Record<Column, { fits: (text: string) => boolean; what: string }> = {
  login: {
    fits: (text) => isName(text, 100) && !sandboxUsers.has(text),
    what: 'a name of 1 to 100 characters that is no username of the sandbox itself',
  },
  account: { fits: (text) => isName(text, 64), what: 'a name or number of 1 to 64 characters' },
  date: { fits: (text) => isDate(text), what: 'a date from 1900-01-01 to 2199-12-31, as YYYY-MM-DD' },
  transaction: {
    fits: (text) => text === '' || isName(text, 100),
    what: 'an id of up to 100 characters, or empty',
  },
  amount: { fits: (text) => isAmount(text), what: 'a decimal number like -12.34' },
  balance: { fits: (text) => isAmount(text), what: 'a decimal number like 1234.56' },
  description: { fits: (text) => text.length <= 500, what: 'a text of up to 500 characters' },
  reference: { fits: (text) => text.length <= 200, what: 'a text of up to 200 characters' },
  currency: { fits: (text) => /^[A-Z]{3}$/.test(text), what: 'a currency code of three capital letters' },
};

/**
 * The rows of CSV text. Columns stand in any order under a line of headings, other columns are passed over, and
 * `currency` may be left out. Throws OperatorError with file, line and column at the first thing that is wrong.
 */
export async function* csvRows(given: {
  bytes: Readable;
  gzip: boolean;
  file: string;
}): AsyncGenerator<LoadedRow> {
  const { bytes, gzip, file } = given;
  const parser = parse({
    bom: true,
    info: true,
    skip_empty_lines: true,
    max_record_size: recordBytesMax,
    relax_column_count: true,
  });
  // What goes wrong upstream destroys the parser, and is thrown where its records are awaited.
  if (gzip) pipeline(bytes, createGunzip(), parser, () => {});
  else pipeline(bytes, parser, () => {});
  let headings: Headings | undefined;
  try {
    for await (const { info, record } of parser as AsyncIterable<{ info: Info; record: string[] }>) {
      const place = `${file}, line ${info.lines}`;
      if (headings) yield readRow(record, headings, info.lines, place);
      else headings = readHeadings(record, place);
    }
  } catch (error) {
    throw toOperatorError(error, file);
  }
  if (!headings) throw new OperatorError(`${file} is empty: its first line must name the columns.`);
}

const toOperatorError = (error: unknown, file: string): unknown => {
  if (error instanceof CsvError) return new OperatorError(`${file}: ${error.message}.`);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code.startsWith('Z_'))
    return new OperatorError(`${file} is no whole gzip file: ${(error as Error).message}.`);
  return error;
};

type Headings = { width: number; at: Map<Column, number> };

const readHeadings = (names: string[], place: string): Headings => {
  const at = new Map<Column, number>();
  for (const column of [...requiredColumns, 'currency'] as const) {
    const index = names.findIndex((name) => name.trim().toLowerCase() === column);
    if (index >= 0) at.set(column, index);
    else if (column !== 'currency') {
      throw new OperatorError(
        `${place}: there is no column ${column}; needed are ${requiredColumns.join(', ')}.`,
      );
    }
  }
  return { width: names.length, at };
};

const readRow = (record: string[], { width, at }: Headings, line: number, place: string): LoadedRow => {
  if (record.length !== width) {
    throw new OperatorError(
      `${place}: the row has ${record.length} columns where the headings name ${width}.`,
    );
  }
  const read = (column: Column): string => {
    const index = at.get(column);
    const text = index === undefined ? defaultCurrency : record[index]!;
    // This character stands for bytes that are no UTF-8.
    if (text.includes('\uFFFD')) throw new OperatorError(`${place}, column ${column}: must be UTF-8 text.`);
    if (columnRules[column].fits(text)) return text;
    throw new OperatorError(`${place}, column ${column}: must be ${columnRules[column].what}.`);
  };
  return {
    line,
    login: read('login'),
    account: read('account'),
    date: read('date'),
    transaction: read('transaction'),
    amount: read('amount'),
    balance: read('balance'),
    description: read('description'),
    reference: read('reference'),
    currency: read('currency'),
  };
};

const isName = (text: string, lengthMax: number): boolean =>
  text.length >= 1 && text.length <= lengthMax && text.trim() === text && !/\p{Cc}/u.test(text);

const isDate = (text: string): boolean => {
  if (!/^(19|2[01])\d\d-\d\d-\d\d$/.test(text)) return false;
  const moment = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(moment.getTime()) && toIsoDate(moment) === text;
};

const isAmount = (text: string): boolean => text.length <= 24 && isDecimal(text);
