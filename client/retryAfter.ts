// Retry-After comes as a number of seconds or as a date (RFC 9110, section 10.2.3).

/** How many seconds the service asks to wait, never negative; undefined where it does not say. */
export const retryAfterSeconds = (headers: Headers): number | undefined => {
  const text = headers.get('retry-after')?.trim();
  if (!text) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1000));
};
