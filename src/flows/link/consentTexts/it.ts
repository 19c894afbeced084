// The consent in Italian. Not yet reviewed by a native speaker.
import type { ConsentTexts } from './en.ts';

const days = (count: number) => (count === 1 ? '1 giorno' : `${count} giorni`);

export const it: ConsentTexts = {
  title: ({ application }) => `Consenti a ${application} di leggere i tuoi dati bancari`,
  points: ({ application, company, operator, retentionDays }) => [
    {
      title: 'Scegli tu i conti',
      text: `${company ?? application} ne riceve i nomi, le ultime quattro cifre dei numeri, i saldi e i movimenti.`,
    },
    {
      title: 'Accesso in sola lettura',
      text: `${application} non può spostare denaro né modificare nulla nella tua banca.`,
    },
    {
      title: 'I tuoi dati di accesso sono cifrati',
      text: operator
        ? `${operator} li invia alla tua banca e li conserva solo per aggiornare i tuoi dati.`
        : 'Vengono inviati alla tua banca e conservati solo per aggiornare i tuoi dati.',
    },
    {
      title: 'Puoi smettere in qualsiasi momento',
      text: `L’accesso dura finché non chiedi a ${company ?? application} di scollegare la banca. I dati salvati restano leggibili per ${days(retentionDays)} e poi vengono eliminati.`,
    },
  ],
  agreement: 'Selezionando «Accetta e continua», accetti di condividere questi dati.',
  privacy: (company) => `Privacy di ${company}`,
  terms: (company) => `Condizioni di ${company}`,
};
