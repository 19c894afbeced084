// Days and months as integers (days since 1970-01-01, months since year 0, all UTC), and the range of the history.
import { days, toIsoDate } from '../../clock.ts';

export const dayOf = (moment: Date): number => Math.floor(moment.getTime() / days(1));

export const dayOfDate = (date: string): number => dayOf(new Date(`${date}T00:00:00Z`));

/** YYYY-MM-DD of a day. */
export const dateOfDay = (day: number): string => toIsoDate(new Date(days(day)));

export const monthOf = (day: number): number => {
  const moment = new Date(days(day));
  return moment.getUTCFullYear() * 12 + moment.getUTCMonth();
};

export const firstDayOf = (month: number): number =>
  Math.floor(Date.UTC(Math.floor(month / 12), month % 12, 1) / days(1));

export const lastDayOf = (month: number): number => firstDayOf(month + 1) - 1;

export const isJanuary = (month: number): boolean => month % 12 === 0;

const monthNames = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

/** A month as statements print it: NOV 2026. */
export const monthText = (month: number): string => `${monthNames[month % 12]} ${Math.floor(month / 12)}`;

/** The sandbox returns two years of transactions, always the same number of days. */
export const historyDays = 730;

/** The first day in the history of today. */
export const firstHistoryDay = (today: number): number => today - historyDays + 1;
