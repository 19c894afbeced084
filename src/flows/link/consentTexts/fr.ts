// The consent in French.
import type { ConsentTexts } from './en.ts';

const days = (count: number) => (count === 1 ? '1 jour' : `${count} jours`);

export const fr: ConsentTexts = {
  title: ({ application }) => `Autoriser ${application} à lire vos données bancaires`,
  points: ({ application, company, operator, retentionDays }) => [
    {
      title: 'Vous choisissez les comptes',
      text: `${company ?? application} reçoit leurs noms, les quatre derniers chiffres de leurs numéros, leurs soldes et leurs opérations.`,
    },
    {
      title: 'Accès en lecture seule',
      text: `${application} ne peut ni déplacer d’argent ni rien modifier dans votre banque.`,
    },
    {
      title: 'Vos identifiants sont chiffrés',
      text: operator
        ? `${operator} les transmet à votre banque et les conserve uniquement pour actualiser vos données.`
        : 'Ils sont transmis à votre banque et conservés uniquement pour actualiser vos données.',
    },
    {
      title: 'Vous pouvez arrêter à tout moment',
      text: `L’accès dure jusqu’à ce que vous demandiez à ${company ?? application} de déconnecter la banque. Les données restent lisibles ${days(retentionDays)}, puis sont supprimées.`,
    },
  ],
  agreement: 'En sélectionnant « Accepter et continuer », vous acceptez de partager ces données.',
  privacy: (company) => `Confidentialité de ${company}`,
  terms: (company) => `Conditions de ${company}`,
};
