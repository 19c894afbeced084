// The consent in each language that the service has.
import { ar } from './ar.ts';
import { de } from './de.ts';
import { type ConsentTexts, en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { it } from './it.ts';
import { nl } from './nl.ts';
import { pl } from './pl.ts';
import { pt } from './pt.ts';

export type { ConsentTexts };

const textsByLanguage: Record<string, ConsentTexts> = { ar, de, en, es, fr, it, nl, pl, pt };

/** The texts for a BCP 47 tag, in English for a language that the service does not have. */
export const consentTextsFor = (tag: string): { language: string; texts: ConsentTexts } => {
  const language = tag.toLowerCase().split('-')[0]!;
  const texts = Object.hasOwn(textsByLanguage, language) ? textsByLanguage[language] : undefined;
  return texts ? { language, texts } : { language: 'en', texts: en };
};
