// The first page of a statement. If it is read before the import, it is stored in the access.
import type { BankResponse } from './message.ts';

/** Days (YYYY-MM-DD), inclusive. */
export type Days = { from: string; to: string };

export type FirstPage = { range: Days; page: BankResponse };

/** The length of a page in bytes. */
export const bytesOf = ({ segments }: BankResponse): number =>
  segments.reduce((sum, { text }) => sum + text.length, 0);
