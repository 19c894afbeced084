// Texts that are URLs.

/** The URL that a text is. It must name its host after two slashes: `new URL` reads http:///x as http://x/. */
export const parseUrl = (text: string): URL | undefined =>
  /^[a-z]+:\/\/[^/\\]/i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
