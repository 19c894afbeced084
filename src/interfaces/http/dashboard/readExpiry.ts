// Reads the expiry of a new API key or organization token.
import { addMilliseconds, days } from '../../../platform/values/clock.ts';
import { ValidationError } from '../../../platform/values/errors.ts';

/** Throws ValidationError for an `expiresAt` in the past, or more than `daysMax` from now. */
export const readExpiry = (text: string, now: Date, daysMax?: number): Date => {
  const end = new Date(text);
  const refuse = (message: string) =>
    new ValidationError('invalid_request', [{ path: '/body/expiresAt', message }]);
  if (end <= now) throw refuse('must be in the future');
  if (daysMax !== undefined && end > addMilliseconds(now, days(daysMax)))
    throw refuse(`must be at most ${daysMax} days from now`);
  return end;
};
