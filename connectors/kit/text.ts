// Texts that banks send, and texts that are URLs.

const notPlain = /[^\P{Cc}\t\n\r]|\p{Cs}/u;

/** A text without control characters except tabs and line ends (Unicode category Cc); half surrogate pairs become U+FFFD. */
export const toPlainText = (text: string): string =>
  notPlain.test(text) ? text.toWellFormed().replace(/[^\P{Cc}\t\n\r]/gu, '') : text;

/** The URL in a text. It must have its host after two slashes: `new URL` reads http:///x as http://x/. */
export const parseUrl = (text: string): URL | undefined =>
  /^[a-z]+:\/\/[^/\\]/i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
