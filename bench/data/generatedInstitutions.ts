// Institutions like those of a country with many small banks: some words are in thousands of names, others in one.
import type { Institution } from '../../connectors/kit/contract.ts';
import { makeSeededRandom } from '../soak/seededRandom.ts';

const kinds = [
  ...[
    'Sparkasse',
    'Kreissparkasse',
    'Volksbank',
    'Raiffeisenbank',
    'Volksbank Raiffeisenbank',
    'Sparda-Bank',
  ],
  ...['Spar- und Darlehenskasse', 'Savings Bank of', 'Credit Union of', 'Caisse d’Épargne', 'Banco de'],
];
const starts = [
  ...[
    'Alt',
    'Bad ',
    'Birken',
    'Eichen',
    'Eisen',
    'Frank',
    'Grün',
    'Hohen',
    'Karls',
    'Kirch',
    'Königs',
    'Linden',
  ],
  ...['Ludwigs', 'Mühl', 'Neu', 'Nord', 'Ober', 'Rosen', 'Salz', 'Schön', 'Süd', 'Unter', 'Wein', 'Wester'],
];
const middles = [
  ...['', 'acker', 'au', 'berg', 'born', 'brunn', 'eck', 'fels', 'franken', 'garten', 'hof', 'holz'],
  ...[
    'horn',
    'land',
    'markt',
    'moor',
    'see',
    'stein',
    'wald',
    'weide',
    'weser',
    'wetter',
    'wiesen',
    'winkel',
  ],
];
const ends = [
  ...[
    'bach',
    'brück',
    'burg',
    'dorf',
    'feld',
    'furt',
    'hausen',
    'heim',
    'ingen',
    'kirchen',
    'leben',
    'münster',
  ],
  ...['rode', 'stadt', 'tal', 'weiler'],
];
const regions = ['', '', ' am Main', ' an der Donau', ' im Allgäu', '-Mitte', ' und Umgebung', ' (Oder)'];
const forms = ['', '', ' eG', ' AG', ' eG Hauptstelle für den Landkreis und die angrenzenden Gemeinden'];
const countries = ['AT', 'CH', 'DE', 'ES', 'FR', 'GB', 'US'];

/** The same institutions in each run. One in five has an alias, one in 500 is popular. */
export const generateInstitutions = (count: number): Institution[] => {
  const { pick } = makeSeededRandom(1);
  const town = () => pick(starts) + pick(middles) + pick(ends);
  return Array.from({ length: count }, (_, at) => ({
    id: `bank-${at}`,
    name: `${pick(kinds)} ${town()}${pick(regions)}${pick(forms)}`,
    fields: [],
    country: pick(countries),
    codes: [
      String(10_000_000 + at),
      `BANK${pick(countries)}${at.toString(36).toUpperCase().padStart(2, '0')}`,
    ],
    ...(at % 5 === 0 && { aliases: [`${town()}er Bank`] }),
    ...(at % 500 === 0 && { popular: true as const }),
  }));
};
