// What the loader itself says, while the page is not there to say it: the words of the page where it has the same
// ones, which a test compares.

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

/** The words of the first language that we speak, after its tag. */
export const loaderTextsFor = (wanted: readonly string[]): LoaderTexts => {
  const spoken = wanted.map((tag) => tag.slice(0, 2).toLowerCase());
  const lang = spoken.find((tag) => textsByLanguage[tag]) ?? 'en';
  return [lang, ...textsByLanguage[lang]!];
};
