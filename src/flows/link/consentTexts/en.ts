// The consent in English. The compiler checks that the other languages have the same shape.

/** The data's recipient, the sender of the sign-in details, and how many days data is kept after the end user stops access. */
export type ConsentParties = {
  /** The application's name. */
  application: string;
  /** The company behind the application, if configured. */
  company?: string;
  /** The company that runs the service, if configured. */
  operator?: string;
  retentionDays: number;
};

const days = (count: number) => (count === 1 ? '1 day' : `${count} days`);

export const en = {
  title: ({ application }: ConsentParties) => `Let ${application} read your bank data`,
  points: ({ application, company, operator, retentionDays }: ConsentParties) => [
    {
      title: 'You choose the accounts',
      text: `${company ?? application} gets their names, the last four digits of their numbers, their balances and their transactions.`,
    },
    {
      title: 'Read-only access',
      text: `${application} can’t move money or change anything at your bank.`,
    },
    {
      title: 'Your sign-in details are encrypted',
      text: operator
        ? `${operator} sends them to your bank and keeps them only to refresh your data.`
        : 'They’re sent to your bank and kept only to refresh your data.',
    },
    {
      title: 'You can stop at any time',
      text: `Access lasts until you ask ${company ?? application} to disconnect. Stored data stays readable for ${days(retentionDays)} and is then deleted.`,
    },
  ],
  agreement: 'By selecting “Agree and continue”, you agree to share this data.',
  privacy: (company: string) => `${company} Privacy Policy`,
  terms: (company: string) => `${company} Terms`,
};

export type ConsentTexts = typeof en;
