// Which language the page and its loading panel have.

/** The language of the first BCP 47 tag with texts, English otherwise. Codes have two or three letters: `frr` is not `fr`. */
export const firstLanguage = (tags: readonly string[], texts: Readonly<Record<string, unknown>>): string =>
  tags.map((tag) => tag.toLowerCase().split('-')[0]!).find((language) => Object.hasOwn(texts, language)) ??
  'en';
