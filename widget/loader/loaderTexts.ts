// The texts of the loading panel. A test checks that texts shared with the page are equal.
import { firstLanguage, type Language } from '../language.ts';

type LanguageTexts = [loading: string, failed: string, again: string, close: string];
export type LoaderTexts = [lang: Language, ...LanguageTexts];

const textsByLanguage: Record<Language, LanguageTexts> = {
  en: ['One moment…', 'Couldn’t load. Check your network and try again.', 'Try again', 'Close'],
  ar: ['لحظة…', 'تعذّر التحميل. يُرجى التحقق من الشبكة.', 'إعادة المحاولة', 'إغلاق'],
  de: ['Einen Moment …', 'Laden nicht möglich. Prüfen Sie Ihre Verbindung.', 'Erneut versuchen', 'Schließen'],
  es: ['Un momento…', 'No se ha podido cargar. Revise su conexión.', 'Reintentar', 'Cerrar'],
  fr: ['Un instant…', 'Échec du chargement. Vérifiez votre connexion.', 'Réessayer', 'Fermer'],
  it: ['Un momento…', 'Caricamento non riuscito. Controlla la rete.', 'Riprova', 'Chiudi'],
  nl: ['Een moment…', 'Laden is niet gelukt. Controleer je netwerk.', 'Opnieuw proberen', 'Sluiten'],
  pl: ['Chwileczkę…', 'Nie udało się wczytać. Sprawdź sieć.', 'Spróbuj ponownie', 'Zamknij'],
  pt: ['Um momento…', 'Não foi possível carregar. Verifique a rede.', 'Tentar novamente', 'Fechar'],
};

/** The texts in the first supported language of the list, else in English. */
export const loaderTextsFor = (preferred: readonly string[]): LoaderTexts => {
  const lang = firstLanguage(preferred, textsByLanguage);
  return [lang, ...textsByLanguage[lang]];
};
