// The page's texts in its current language. English is part of the page; other languages are loaded before the first screen. If
// that fails, the page stays in English.
import { directionOf, firstLanguage, type Language } from '../../language.ts';
import type { LabelKey } from '../apiClient.ts';
import { en, type Texts } from './en.ts';

/** The texts of the current language. */
export let t: Texts = en;

const languageLoaders: Record<Language, () => Promise<Texts>> = {
  en: async () => en,
  ar: async () => (await import('./ar.ts')).ar,
  de: async () => (await import('./de.ts')).de,
  es: async () => (await import('./es.ts')).es,
  fr: async () => (await import('./fr.ts')).fr,
  it: async () => (await import('./it.ts')).it,
  nl: async () => (await import('./nl.ts')).nl,
  pl: async () => (await import('./pl.ts')).pl,
  pt: async () => (await import('./pt.ts')).pt,
};

/** Loads the list's first supported language, else English, and sets the document's language and direction. */
export const loadLanguage = async (preferred: readonly string[]): Promise<void> => {
  const wanted = firstLanguage(preferred, languageLoaders);
  t = await languageLoaders[wanted]().catch(() => en);
  const language = t === en ? 'en' : wanted;
  document.documentElement.lang = language;
  document.documentElement.dir = directionOf(language);
  document.title = t.title;
};

const language = (): string => document.documentElement.lang;

/** A day in UTC, formatted for the current language. */
export const longDate = (time: string): string =>
  new Date(time).toLocaleDateString(language(), { dateStyle: 'long', timeZone: 'UTC' });

/** The time of day in the user's time zone. */
export const shortTime = (time: string): string =>
  new Date(time).toLocaleTimeString(language(), { timeStyle: 'short' });

/** A number of days, formatted for the current language. */
export const dayCount = (days: number): string =>
  days.toLocaleString(language(), { style: 'unit', unit: 'day', unitDisplay: 'long' });

/** Text from the bank. If the page's own text for `labelKey` has a placeholder, `labelValue` replaces it. */
type Label = { label: string; labelKey?: LabelKey; labelValue?: string };

/** The page's own text if there is a `labelKey`, else the bank's text. */
export const labelText = ({ label, labelKey, labelValue }: Label): string =>
  labelKey ? t.labels[labelKey](labelValue) : label;
