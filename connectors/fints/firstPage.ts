// Page one of a statement. It may be read before the import, and then travels in the access.
import type { BankResponse } from './message.ts';

/** Days (YYYY-MM-DD), both included. */
export type Days = { from: string; to: string };

export type FirstPage = { range: Days; page: BankResponse };

/** How long a page is, in bytes. */
export const bytesOf = ({ segments }: BankResponse): number =>
  segments.reduce((sum, { text }) => sum + text.length, 0);
