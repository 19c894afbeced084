// Texts that banks send, and texts that are URLs.

const notPlain = /[^\P{Cc}\t\n\r]|\p{Cs}/u;

/** A text without control characters but tabs and line ends (Unicode category Cc); half surrogate pairs become U+FFFD. */
export const toPlainText = (text: string): string =>
  notPlain.test(text) ? text.toWellFormed().replace(/[^\P{Cc}\t\n\r]/gu, '') : text;

/** The URL that a text is. It must name its host after two slashes: `new URL` reads http:///x as http://x/. */
export const parseUrl = (text: string): URL | undefined =>
  /^[a-z]+:\/\/[^/\\]/i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
