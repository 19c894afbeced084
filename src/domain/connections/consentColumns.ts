// Calculates when an end user's consent at a bank ends, and when to notify the application.
import type { ConnectionRow } from '../../platform/db/tables.ts';
import type { Limits } from '../../platform/settings/limits.ts';
import { addMilliseconds, days } from '../../platform/values/clock.ts';

type ConsentColumns = Pick<ConnectionRow, 'consentExpiresAt' | 'consentDueAt'>;

/**
 * The columns of a consent that ends at `expiresAt` (ISO 8601; absent if the bank does not report it). The application is
 * notified some days before, one day before, and after the end.
 */
export const consentColumns = (
  expiresAt: string | null | undefined,
  now: Date,
  { consentNoticeDays }: Pick<Limits, 'consentNoticeDays'>,
): ConsentColumns => {
  if (!expiresAt) return { consentExpiresAt: null, consentDueAt: null };
  const notices = [consentNoticeDays, 1, 0].map((before) =>
    addMilliseconds(new Date(expiresAt), -days(before)).toISOString(),
  );
  const consentDueAt = notices.sort().find((at) => at > now.toISOString()) ?? expiresAt;
  return { consentExpiresAt: expiresAt, consentDueAt };
};
