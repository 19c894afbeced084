// The texts of the page in every language.
import type { Language } from '../../widget/language.ts';
import { ar } from '../../widget/page/texts/ar.ts';
import { de } from '../../widget/page/texts/de.ts';
import { en, type Texts } from '../../widget/page/texts/en.ts';
import { es } from '../../widget/page/texts/es.ts';
import { fr } from '../../widget/page/texts/fr.ts';
import { it } from '../../widget/page/texts/it.ts';
import { nl } from '../../widget/page/texts/nl.ts';
import { pl } from '../../widget/page/texts/pl.ts';
import { pt } from '../../widget/page/texts/pt.ts';

export const languages: Record<Language, Texts> = { en, de, es, fr, ar, it, nl, pl, pt };
