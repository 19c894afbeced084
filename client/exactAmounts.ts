// Reads amounts as decimal text. JSON.parse reads numbers as binary floats: 12.50 becomes 12.5, and a number with more than 15
// digits may change. Node 20 lacks the reviver's `context.source`, so the numbers of amount fields are quoted before parsing, in
// one pass.
import type { Middleware } from 'openapi-fetch';
import type { AmountField } from './types.ts';

const amountFields: ReadonlySet<string> = new Set<AmountField>(['amount', 'current', 'available', 'limit']);

// A JSON string and, if it is the key of a number, the number. Strings are matched whole from left to right, so that text inside
// a string is never mistaken for a key.
const stringOrNumberField = /"((?:[^"\\]|\\.)*)"(?:(\s*:\s*)(-?\d[\d.eE+-]*))?/g;

/** Quotes the numbers of amount fields, digit for digit. */
export const quoteAmounts = (json: string): string =>
  json.replace(stringOrNumberField, (match, key: string, colon?: string, number?: string) =>
    number !== undefined && amountFields.has(key) ? `"${key}"${colon}"${number}"` : match,
  );

/** The openapi-fetch middleware that quotes the amounts of successful responses. */
export const exactAmounts: Middleware = {
  async onResponse({ response, options }) {
    const isJson = /^application\/json\b/.test(response.headers.get('content-type') ?? '');
    if (!response.ok || !response.body || !isJson || options.parseAs !== 'json') return undefined;
    const text = quoteAmounts(await response.text());
    const { status, statusText } = response;
    const headers = new Headers(response.headers);
    // Both describe the original bytes.
    headers.delete('content-length');
    headers.delete('content-encoding');
    return new Response(text, { status, statusText, headers });
  },
};
