// Sanitizes texts from banks, and parses URLs.

const notPlain = /[^\P{Cc}\t\n\r]|\p{Cs}/u;

/** Removes control characters except tabs and line breaks (Unicode category Cc), and replaces unpaired surrogates with U+FFFD. */
export const toPlainText = (text: string): string =>
  notPlain.test(text) ? text.toWellFormed().replace(/[^\P{Cc}\t\n\r]/gu, '') : text;

/** The URL in a text. A host must follow the two slashes: `new URL` parses http:///x as http://x/. */
export const parseUrl = (text: string): URL | undefined =>
  /^[a-z]+:\/\/[^/\\]/i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
