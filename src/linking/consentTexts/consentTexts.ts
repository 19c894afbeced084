// The consent in each language that the widget has.
import type { components } from '../../../generated/widget.ts';
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

type Language = components['schemas']['Language'];

const textsByLanguage: Record<Language, ConsentTexts> = { ar, de, en, es, fr, it, nl, pl, pt };

/** The texts for a BCP 47 tag, in English for a language that the service does not have. */
export const consentTextsFor = (tag: string): { language: Language; texts: ConsentTexts } => {
  const code = tag.toLowerCase().split('-')[0]!;
  const language = isLanguage(code) ? code : 'en';
  return { language, texts: textsByLanguage[language] };
};

const isLanguage = (code: string): code is Language => Object.hasOwn(textsByLanguage, code);
