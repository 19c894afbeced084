// The texts of the loading panel. Those that the page has too are equal to the page's texts (a test compares them).

type LanguageTexts = [title: string, loading: string, failed: string, again: string, close: string];
export type LoaderTexts = [lang: string, ...LanguageTexts];

const textsByLanguage: Record<string, LanguageTexts> = {
  en: ['Connect your bank', 'One moment…', 'This could not be loaded.', 'Try again', 'Close'],
  de: [
    'Bank verbinden',
    'Einen Moment …',
    'Das konnte nicht geladen werden.',
    'Noch einmal versuchen',
    'Schließen',
  ],
  es: ['Conecte su banco', 'Un momento…', 'No se ha podido cargar.', 'Intentar de nuevo', 'Cerrar'],
  fr: ['Connecter votre banque', 'Un instant…', 'Le chargement a échoué.', 'Réessayer', 'Fermer'],
};

/** The texts in the first supported language of the list, English otherwise. */
export const loaderTextsFor = (preferred: readonly string[]): LoaderTexts => {
  const tags = preferred.map((tag) => tag.slice(0, 2).toLowerCase());
  const lang = tags.find((tag) => textsByLanguage[tag]) ?? 'en';
  return [lang, ...textsByLanguage[lang]!];
};
