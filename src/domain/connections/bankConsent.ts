// When the consent that an end user has given at a bank ends, and when the application is told of it.
import type { ConnectionRow } from '../../platform/db/tables.ts';
import type { Limits } from '../../platform/settings/limits.ts';
import { addMilliseconds, days } from '../../platform/values/clock.ts';

type ConsentColumns = Pick<ConnectionRow, 'consentExpiresAt' | 'consentDueAt'>;

/**
 * The columns of a consent that ends at a time (ISO 8601), or of which the bank does not say it. The application is told some days
 * before, a day before, and when it has ended.
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
