// The consent in Dutch. Not yet reviewed by a native speaker.
import type { ConsentTexts } from './en.ts';

const days = (count: number) => (count === 1 ? '1 dag' : `${count} dagen`);

export const nl: ConsentTexts = {
  title: ({ application }) => `Laat ${application} je bankgegevens lezen`,
  points: ({ application, company, operator, retentionDays }) => [
    {
      title: 'Jij kiest de rekeningen',
      text: `${company ?? application} krijgt de namen, de laatste vier cijfers van de nummers, de saldi en de transacties.`,
    },
    {
      title: 'Alleen lezen',
      text: `${application} kan geen geld overmaken en niets wijzigen bij je bank.`,
    },
    {
      title: 'Je inloggegevens zijn versleuteld',
      text: operator
        ? `${operator} stuurt ze naar je bank en bewaart ze alleen om je gegevens bij te werken.`
        : 'Ze worden naar je bank gestuurd en alleen bewaard om je gegevens bij te werken.',
    },
    {
      title: 'Je kunt altijd stoppen',
      text: `De toegang geldt tot je ${company ?? application} vraagt je bank te ontkoppelen. Bewaarde gegevens blijven ${days(retentionDays)} leesbaar en worden dan verwijderd.`,
    },
  ],
  agreement: 'Door ‘Akkoord en doorgaan’ te kiezen, ga je akkoord met het delen van deze gegevens.',
  privacy: (company) => `Privacybeleid van ${company}`,
  terms: (company) => `Voorwaarden van ${company}`,
};
