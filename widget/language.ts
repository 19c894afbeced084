// Selects the language of the page and its loading panel.
import type { components } from '../generated/widget.ts';

export type Language = components['schemas']['Language'];

/** The first BCP 47 tag's language for which there are texts, else English. Codes have two or three letters: `frr` is not `fr`. */
export const firstLanguage = (
  tags: readonly string[],
  texts: Readonly<Record<Language, unknown>>,
): Language =>
  tags
    .map((tag) => tag.toLowerCase().split('-')[0]!)
    .find((language): language is Language => Object.hasOwn(texts, language)) ?? 'en';

/** The direction in which a language is written. */
export const directionOf = (language: Language): 'rtl' | 'ltr' => (language === 'ar' ? 'rtl' : 'ltr');
