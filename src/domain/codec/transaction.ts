// A transaction's sealed text is the JSON of its private fields (amount, description and reference) without braces. The bytes
// are copied from the block to the response, so reading needs no parsing, and amounts stay decimal text.
import type { BankTransaction } from '../../../connectors/kit/contract.ts';
import type { components } from '../../../generated/api.ts';
import type { TransactionRow } from '../../platform/db/tables.ts';
import { fromDayNumber } from '../../platform/values/clock.ts';
import { CorruptData } from '../../platform/values/errors.ts';
import { base62Length, formatRefreshCursor, isRefreshTime, toBase62 } from '../../platform/values/ids.ts';
import { isDecimal } from '../../platform/values/json.ts';
import { type Block, textPrefixBytes } from './block.ts';

/** A row stores the index of its status. */
export const transactionStatuses = ['pending', 'posted', 'void'] as const;
export const statusPending = 0;
export const statusPosted = 1;
export const statusVoid = 2;

/** Identifies an account in the keys of its transactions. */
export type TransactionOwner = { endUserId: string; accountShortId: number };

/** The columns that a transaction in the API is built from. */
export type PublicTransactionRow = Pick<
  TransactionRow,
  'date' | 'seq' | 'refreshTime' | 'status' | 'block' | 'position'
>;

/** The API's text fields that no column stores. */
type PrivateText = Exclude<
  keyof components['schemas']['Transaction'],
  'id' | 'accountId' | 'amount' | 'date' | 'status' | 'transactionRefresh'
>;

/** The JSON text of the private fields. Throws if the amount is not decimal text. */
export const encodeFields = ({
  amount,
  description,
  reference,
}: Pick<BankTransaction, 'amount' | PrivateText>): Buffer => {
  if (!isDecimal(amount)) throw new Error('An amount must be decimal text.');
  const texts = JSON.stringify({ description, reference } satisfies Record<PrivateText, string>);
  return Buffer.from(`"amount":${amount},${texts.slice(1, -1)}`);
};

/** A transaction's text in a block: its id (16 bytes) in base 62, its date, and its fields. */
export const encodeText = (id: Uint8Array, date: number, fields: Buffer): Buffer => {
  const text = Buffer.allocUnsafe(textPrefixBytes + fields.length);
  text.write(toBase62(id), 'latin1');
  text.writeInt32LE(date, base62Length);
  fields.copy(text, textPrefixBytes);
  return text;
};

/** The bytes of a response before and after its transactions. */
export type Frame = { before: Buffer; after: Buffer };
const noFrame: Frame = { before: Buffer.alloc(0), after: Buffer.alloc(0) };

/** Prints an account's transactions as JSON within a frame, with commas between them. Throws CorruptData. */
export type PrintTransactions = (
  rows: readonly PublicTransactionRow[],
  accountId: string,
  getBlock: (block: number) => Block,
  frame?: Frame,
) => Buffer;

const beforeId = Buffer.from('{"id":"txn_');
// `","accountId":"","date":"YYYY-MM-DD","status":"pending","transactionRefresh":"txr_…",` and the text around it.
const plainFieldsBytes = 128;

/**
 * Prints transactions as the API returns them. Throws CorruptData if a plain column is malformed, or if a row's text is another
 * transaction's or has a different date.
 */
export const transactionsToJson: PrintTransactions = (
  rows,
  accountId,
  getBlock,
  { before, after } = noFrame,
) => {
  let bytesMax = before.length + rows.length * (plainFieldsBytes + accountId.length) + after.length;
  const blocks = rows.map((row) => {
    const open = getBlock(row.block);
    bytesMax += open.checkedTextLength(row);
    return open;
  });
  const json = Buffer.allocUnsafe(bytesMax);
  let at = before.copy(json);
  let last: PublicTransactionRow | undefined;
  let plainFieldsStart = 0;
  let plainFieldsEnd = 0;
  for (const [index, row] of rows.entries()) {
    const block = blocks[index]!;
    const { bytes } = block;
    const start = block.textStart(row.position);
    const idEnd = start + base62Length;
    const fieldsStart = start + textPrefixBytes;
    const fieldsEnd = block.textEnd(row.position);
    if (last) json[at++] = comma;
    // For a few bytes, a loop is faster than the runtime's copy.
    for (let from = 0; from < beforeId.length; from++) json[at++] = beforeId[from]!;
    for (let from = start; from < idEnd; from++) json[at++] = bytes[from]!;
    if (last && haveSamePlainFields(row, last)) {
      json.copyWithin(at, plainFieldsStart, plainFieldsEnd);
      at += plainFieldsEnd - plainFieldsStart;
    } else {
      plainFieldsStart = at;
      at += json.write(`","accountId":"${accountId}","date":"${plainFieldsToJson(row)}`, at, 'latin1');
      plainFieldsEnd = at;
    }
    // Takes two thirds as long as Buffer.copy.
    json.set(new Uint8Array(bytes.buffer, bytes.byteOffset + fieldsStart, fieldsEnd - fieldsStart), at);
    at += fieldsEnd - fieldsStart;
    json[at++] = closingBrace;
    last = row;
  }
  at += after.copy(json, at);
  return json.subarray(0, at);
};

const comma = 0x2c;
const closingBrace = 0x7d;

/** A transaction for other formats. `description` is JSON; `amount` is decimal text as the bank sent it. */
export type OpenTransaction = { id: string; date: number; amount: string; description: string };

/**
 * Opens the text of a row. Throws CorruptData if a plain column is malformed, or if the text is another transaction's or has a
 * different date.
 */
export const openTransaction = (row: PublicTransactionRow, block: Block): OpenTransaction => {
  const { date, position, status } = row;
  block.checkedTextLength(row);
  if (!isDay(date) || transactionStatuses[status] === undefined)
    throw new CorruptData('A plain column of a transaction is malformed.');
  const start = block.textStart(position);
  const id = block.bytes.toString('latin1', start, start + base62Length);
  const fields = block.bytes.toString('utf8', start + textPrefixBytes, block.textEnd(position));
  // JSON text escapes quotes, so these separators never occur in a description.
  const [, amount, description] = fieldsPattern.exec(fields) ?? [];
  if (amount === undefined || description === undefined)
    throw new CorruptData('The text of a transaction is malformed.');
  return { id: `txn_${id}`, date, amount, description };
};

const fieldsPattern = /^"amount":([^,]+),"description":("(?:[^"\\]|\\.)*"),"reference":/s;

// Adjacent rows usually share date, status and refresh.
const haveSamePlainFields = (left: PublicTransactionRow, right: PublicTransactionRow): boolean =>
  left.date === right.date && left.status === right.status && left.refreshTime === right.refreshTime;

// Plain columns go into the JSON unescaped, and anyone with write access to the database could put anything there.
const plainFieldsToJson = ({ date, status, refreshTime }: PublicTransactionRow): string => {
  const statusName = transactionStatuses[status];
  if (!isDay(date) || statusName === undefined || !isRefreshTime(refreshTime)) {
    throw new CorruptData('A plain column of a transaction is malformed.');
  }
  return `${printDay(date)}","status":"${statusName}","transactionRefresh":"${printRefresh(refreshTime)}",`;
};

// Years 0 to 9999, because their dates have ten characters.
const isDay = (date: number): boolean => date >= -719_528 && date <= 2_932_896;

// Dates and refreshes repeat often, and printing a date takes as long as the rest of a row.
const printedMax = 4096;
const rememberPrinted = (print: (value: number) => string): ((value: number) => string) => {
  const printed = new Map<number, string>();
  return (value) => {
    const known = printed.get(value);
    if (known !== undefined) return known;
    if (printed.size >= printedMax) printed.clear();
    const text = print(value);
    printed.set(value, text);
    return text;
  };
};
const printDay = rememberPrinted(fromDayNumber);
const printRefresh = rememberPrinted(formatRefreshCursor);
