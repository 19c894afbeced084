// JSON.parse reads every number as a binary float, and the text that was sent is gone: 12.50 becomes 12.5, and
// beyond 15 digits the value itself changes. The reviver's view of the source text would do, but Node 20 does
// not have it. So the numbers of the money fields are put in quotes before the text is parsed: one pass, on
// every version, and 20 digits cost no more than two.
import type { Middleware } from 'openapi-fetch';
import type { AmountField } from './types.ts';

const amountFields: ReadonlySet<string> = new Set<AmountField>(['amount', 'current', 'available', 'limit']);

// A whole JSON string and, where it is a key whose value is a number, that number. Strings are consumed whole
// from the left, so nothing inside of one can be taken for a key.
const stringOrNumberField = /"((?:[^"\\]|\\.)*)"(?:(\s*:\s*)(-?\d[\d.eE+-]*))?/g;

/** The same JSON text with the money fields' numbers as strings, digit for digit. */
export const quoteAmounts = (json: string): string =>
  json.replace(stringOrNumberField, (found, key: string, colon?: string, number?: string) =>
    number !== undefined && amountFields.has(key) ? `"${key}"${colon}"${number}"` : found,
  );

/** Gives the answers of the service their amounts as decimal text. */
export const exactAmounts: Middleware = {
  async onResponse({ response, options }) {
    const isJson = /^application\/json\b/.test(response.headers.get('content-type') ?? '');
    if (!response.ok || !response.body || !isJson || options.parseAs !== 'json') return undefined;
    const text = quoteAmounts(await response.text());
    const { status, statusText } = response;
    const headers = new Headers(response.headers);
    // Both described the bytes on the wire, not this text.
    headers.delete('content-length');
    headers.delete('content-encoding');
    return new Response(text, { status, statusText, headers });
  },
};
