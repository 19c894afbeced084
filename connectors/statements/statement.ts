// A bank statement in any format: MT940, MT942, camt.052 or camt.053.

/** One booking. */
export type StatementEntry = {
  /** YYYY-MM-DD: the entry date, else the value date. */
  date: string;
  /** YYYY-MM-DD; absent if the statement has no such date. */
  entryDate?: string;
  valueDate?: string;
  /** Decimal text with the statement's digits; outflow is negative. */
  amount: string;
  /** ISO 4217; absent if the statement has none. */
  currency?: string;
  /** The counterparty and the purpose; empty only if the statement has neither. */
  description: string;
  /** The payer's or payee's reference; empty if there is none. */
  reference: string;
  status: 'pending' | 'posted';
};

/** A booked balance at the end of a day (YYYY-MM-DD). */
export type StatementBalance = { amount: string; currency: string; date: string };

export type Statement = {
  /** Verbatim from the statement; empty if missing there. */
  account: string;
  currency?: string;
  entries: StatementEntry[];
  /** Absent if its day is missing or impossible. */
  openingBalance?: StatementBalance;
  closingBalance?: StatementBalance;
  /** False if one of the balances is missing, or both and all entries: then the statement's start or end is missing. */
  isWhole: boolean;
};

/** A statement that cannot be parsed. `line` counts from 1. The message contains no part of the statement. */
export class StatementError extends Error {
  readonly line: number;
  constructor(line: number, expected: string) {
    super(`Line ${line} of the statement: expected ${expected}.`);
    this.line = line;
  }
}

/**
 * Decodes a statement: in the encoding of its XML declaration, else as UTF-8, else as Windows-1252, which has all printable
 * characters of ISO 8859-1. Throws StatementError for an unknown encoding.
 */
export const decodeStatement = (bytes: Uint8Array): string => {
  const head = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  const [, declared] = /^(?:\xEF\xBB\xBF)?<\?xml[^>]*\bencoding\s*=\s*["']([\w-]+)["']/.exec(head) ?? [];
  if (declared !== undefined) return decodeAs(declared, bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
};

const decodeAs = (encoding: string, bytes: Uint8Array): string => {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new StatementError(1, 'text in the declared encoding');
  }
};

/** Removes line breaks and repeated spaces. */
export const collapse = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Placeholders that banks write if there is no reference. */
const noReference = /^(NONREF|NOTPROVIDED|NOT PROVIDED|KREF\+|EREF\+)?$/i;

/** The first text that is a reference, else an empty one. */
export const firstReference = (...texts: (string | undefined)[]): string =>
  texts.map((text) => collapse(text ?? '')).find((text) => !noReference.test(text)) ?? '';
