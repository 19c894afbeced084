// How money and moments read. Amounts arrive as decimal text and are formatted as text: no binary float is made
// of them, and a decimal more than the currency has is shown, not rounded away.

/** `sign`: show a plus too, as a list of entries does. */
export const money = (amount, currency, { sign = false } = {}) => {
  const decimals = /\.(\d+)/.exec(amount)?.[1].length ?? 0;
  try {
    const usual = new Intl.NumberFormat(undefined, { style: 'currency', currency }).resolvedOptions();
    return new Intl.NumberFormat(undefined, {
      style: 'currency',
      currency,
      minimumFractionDigits: usual.minimumFractionDigits,
      maximumFractionDigits: Math.max(usual.maximumFractionDigits, decimals),
      signDisplay: sign ? 'exceptZero' : 'auto',
    }).format(amount);
  } catch {
    return `${amount} ${currency}`;
  }
};

/** A bank's day, which has no time and no zone. */
export const day = (date) =>
  new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' }).format(
    new Date(`${date}T00:00Z`),
  );

export const moment = (iso) =>
  new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(iso));

export const count = (number) => new Intl.NumberFormat().format(number);
