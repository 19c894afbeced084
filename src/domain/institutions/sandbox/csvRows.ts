// Parses a CSV file of transactions as a stream of rows, and reports errors with line and column.
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { CsvError, type Info, parse } from 'csv-parse';
import { sandboxUsers } from '../../../../connectors/sandbox/users.ts';
import { toIsoDate } from '../../../platform/values/clock.ts';
import { OperatorError } from '../../../platform/values/errors.ts';
import { isDecimal } from '../../../platform/values/json.ts';
import { isPlainText } from '../../../platform/values/text.ts';

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
const columns = [...requiredColumns, 'currency'] as const;
type Column = (typeof columns)[number];

/** One row of the file. `line` is the number of its last line, which is unique. */
export type LoadedRow = Record<Column, string> & { line: number };

/** For files without a currency column. */
const defaultCurrency = 'CZK';
const recordBytesMax = 64 * 1024;

/** Each column's rule; `what` completes the sentence "must be …". */
const columnRules: Record<Column, { isValid: (text: string) => boolean; what: string }> = {
  login: {
    isValid: (text) => isName(text, 100) && !sandboxUsers.has(text),
    what: 'a name of 1 to 100 characters that is not a built-in sandbox username',
  },
  account: { isValid: (text) => isName(text, 64), what: 'a name or number of 1 to 64 characters' },
  date: { isValid: (text) => isDate(text), what: 'a date from 1900-01-01 to 2199-12-31, as YYYY-MM-DD' },
  transaction: {
    isValid: (text) => text === '' || isName(text, 100),
    what: 'an id of up to 100 characters, or empty',
  },
  amount: { isValid: (text) => isAmount(text), what: 'a decimal number like -12.34' },
  balance: { isValid: (text) => isAmount(text), what: 'a decimal number like 1234.56' },
  description: { isValid: (text) => text.length <= 500, what: 'text of up to 500 characters' },
  reference: { isValid: (text) => text.length <= 200, what: 'text of up to 200 characters' },
  currency: { isValid: (text) => /^[A-Z]{3}$/.test(text), what: 'a currency code of three capital letters' },
};

export type CsvFile = {
  bytes: Readable;
  /** Its name in messages; a name ending in .gz means gzip. */
  file: string;
  /** Counted after unpacking. */
  bytesMax: number;
  rowsMax: number;
};

const isGzip = ({ file }: CsvFile): boolean => file.endsWith('.gz');

/**
 * The rows of a CSV file. The first line names the columns, in any order; other columns are ignored and `currency` is optional.
 * Throws OperatorError with file, line and column at the first error, or as soon as the file exceeds a limit.
 */
export async function* csvRows(input: CsvFile): AsyncGenerator<LoadedRow> {
  const { bytes, file, rowsMax } = input;
  const parser = parse({
    bom: true,
    info: true,
    skip_empty_lines: true,
    max_record_size: recordBytesMax,
    relax_column_count: true,
  });
  // An upstream error destroys the parser, and its iterator then throws that error.
  const limit = (unpacked: AsyncIterable<Buffer>) => limitBytes(unpacked, input);
  if (isGzip(input)) pipeline(bytes, createGunzip(), limit, parser, () => {});
  else pipeline(bytes, limit, parser, () => {});
  let headings: Headings | undefined;
  let rows = 0;
  try {
    for await (const { info, record } of parser as AsyncIterable<{ info: Info; record: string[] }>) {
      const location = `${file}, line ${info.lines}`;
      if (!headings) {
        headings = readHeadings(record, location);
        continue;
      }
      rows += 1;
      if (rows > rowsMax) throw new OperatorError(`${file} has more than ${rowsMax} rows.`);
      yield readRow(record, headings, info.lines, location);
    }
  } catch (error) {
    throw toOperatorError(error, file);
  }
  if (!headings) throw new OperatorError(`${file} is empty: the first line must name the columns.`);
}

async function* limitBytes(chunks: AsyncIterable<Buffer>, csv: CsvFile): AsyncGenerator<Buffer> {
  const { file, bytesMax } = csv;
  let count = 0;
  for await (const chunk of chunks) {
    count += chunk.length;
    if (count > bytesMax)
      throw new OperatorError(
        `${file} has more than ${bytesMax} bytes${isGzip(csv) ? ' after unpacking' : ''}.`,
      );
    yield chunk;
  }
}

const toOperatorError = (error: unknown, file: string): unknown => {
  if (error instanceof CsvError) return new OperatorError(`${file}: ${error.message}.`);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code.startsWith('Z_'))
    return new OperatorError(`${file} is not a complete gzip file: ${(error as Error).message}.`);
  return error;
};

type Headings = { width: number; indexByColumn: Map<Column, number> };

const readHeadings = (names: string[], location: string): Headings => {
  const indexByColumn = new Map<Column, number>();
  for (const column of columns) {
    const index = names.findIndex((name) => name.trim().toLowerCase() === column);
    if (index >= 0) indexByColumn.set(column, index);
    else if (column !== 'currency') {
      throw new OperatorError(
        `${location}: the column ${column} is missing. Required columns: ${requiredColumns.join(', ')}.`,
      );
    }
  }
  return { width: names.length, indexByColumn };
};

const readRow = (
  record: string[],
  { width, indexByColumn }: Headings,
  line: number,
  location: string,
): LoadedRow => {
  if (record.length !== width) {
    throw new OperatorError(
      `${location}: the row has ${record.length} columns but the first line has ${width}.`,
    );
  }
  const read = (column: Column): string => {
    const index = indexByColumn.get(column);
    const text = index === undefined ? defaultCurrency : record[index]!;
    // The decoder replaces invalid UTF-8 with this character.
    if (text.includes('\uFFFD'))
      throw new OperatorError(`${location}, column ${column}: must be UTF-8 text.`);
    if (columnRules[column].isValid(text)) return text;
    throw new OperatorError(`${location}, column ${column}: must be ${columnRules[column].what}.`);
  };
  const values = Object.fromEntries(columns.map((column) => [column, read(column)]));
  return { ...(values as Record<Column, string>), line };
};

const isName = (text: string, lengthMax: number): boolean =>
  text.length >= 1 && text.length <= lengthMax && text.trim() === text && isPlainText(text);

const isDate = (text: string): boolean => {
  if (!/^(19|2[01])\d\d-\d\d-\d\d$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && toIsoDate(day) === text;
};

const isAmount = (text: string): boolean => text.length <= 24 && isDecimal(text);
