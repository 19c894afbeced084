// The consent in German.
import type { ConsentTexts } from './en.ts';

const days = (count: number) => (count === 1 ? 'einen Tag' : `${count} Tage`);

export const de: ConsentTexts = {
  title: ({ application }) => `${application} den Zugriff auf Ihre Bankdaten erlauben`,
  points: ({ application, company, operator, retentionDays }) => [
    {
      title: 'Sie wählen die Konten aus',
      text: `${company ?? application} erhält deren Namen, die letzten vier Ziffern der Kontonummern, Kontostände und Umsätze.`,
    },
    {
      title: 'Nur Lesezugriff',
      text: `${application} kann kein Geld bewegen und bei Ihrer Bank nichts ändern.`,
    },
    {
      title: 'Ihre Anmeldung ist verschlüsselt',
      text: operator
        ? `${operator} sendet sie an Ihre Bank und speichert sie nur, um Ihre Daten zu aktualisieren.`
        : 'Sie wird an Ihre Bank gesendet und nur gespeichert, um Ihre Daten zu aktualisieren.',
    },
    {
      title: 'Sie können den Zugriff jederzeit beenden',
      text: `Er gilt, bis Sie die Verbindung bei ${company ?? application} trennen lassen. Gespeicherte Daten bleiben ${days(retentionDays)} lesbar und werden dann gelöscht.`,
    },
  ],
  agreement: 'Mit „Zustimmen und weiter“ stimmen Sie zu, diese Daten zu teilen.',
  privacy: (company) => `Datenschutz: ${company}`,
  terms: (company) => `Nutzungsbedingungen: ${company}`,
};
