// The consent in Polish. Not yet reviewed by a native speaker.
import type { ConsentTexts } from './en.ts';

const days = (count: number) => (count === 1 ? '1 dzień' : `${count} dni`);

export const pl: ConsentTexts = {
  title: ({ application }) => `Zezwól ${application} na odczyt danych z banku`,
  points: ({ application, company, operator, retentionDays }) => [
    {
      title: 'Wybierasz rachunki',
      text: `${company ?? application} otrzyma ich nazwy, cztery ostatnie cyfry numerów, salda i transakcje.`,
    },
    {
      title: 'Dostęp tylko do odczytu',
      text: `${application} nie może przelewać pieniędzy ani nic zmieniać w Twoim banku.`,
    },
    {
      title: 'Dane logowania są szyfrowane',
      text: operator
        ? `${operator} wysyła je do banku i przechowuje tylko w celu odświeżania danych.`
        : 'Są wysyłane do banku i przechowywane tylko w celu odświeżania danych.',
    },
    {
      title: 'Możesz przerwać w każdej chwili',
      text: `Dostęp trwa, dopóki nie poprosisz ${company ?? application} o odłączenie banku. Zapisane dane można odczytać jeszcze przez ${days(retentionDays)}, potem są usuwane.`,
    },
  ],
  agreement: 'Wybierając „Zgadzam się, dalej”, zgadzasz się na udostępnienie tych danych.',
  privacy: (company) => `Polityka prywatności: ${company}`,
  terms: (company) => `Warunki: ${company}`,
};
