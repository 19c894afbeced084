// How far back the sandbox bank shows its entries.

/** Two years, always counted in the same number of days. */
export const historyDays = 730;

/** The first day that is still shown today. */
export const firstVisibleDay = (today: number): number => today - historyDays + 1;
