// The one place that screens take their words from. English is always there; another language is loaded before
// the first screen shows, and English stays where that fails.
import { en, type Texts } from './en.ts';

/** The words of the chosen language. */
export let t: Texts = en;

const languageLoaders: Record<string, () => Promise<Texts>> = {
  de: async () => (await import('./de.ts')).de,
  es: async () => (await import('./es.ts')).es,
  fr: async () => (await import('./fr.ts')).fr,
};
const rightToLeftLanguages = ['ar', 'fa', 'he', 'ur'];

/** Chooses the first language that we speak, and tells the document which it is. */
export const loadLanguage = async (wanted: readonly string[]): Promise<void> => {
  const spoken = wanted.map((tag) => tag.toLowerCase().split('-')[0]!);
  const language = spoken.find((tag) => tag === 'en' || Object.hasOwn(languageLoaders, tag)) ?? 'en';
  const texts = language === 'en' ? en : await languageLoaders[language]!().catch(() => en);
  t = texts;
  document.documentElement.lang = texts === en ? 'en' : language;
  document.documentElement.dir = rightToLeftLanguages.includes(document.documentElement.lang) ? 'rtl' : 'ltr';
  document.title = t.title;
};
