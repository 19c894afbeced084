// Formats amounts, dates, counts and accounts. Amounts are decimal text and are never converted to binary floats;
// decimals beyond those of the currency are kept.

/** `sign`: with a plus sign for positive amounts. */
export const formatAmount = (amount, currency, { sign = false } = {}) => {
  const decimals = /\.(\d+)/.exec(amount)?.[1].length ?? 0;
  try {
    const defaults = new Intl.NumberFormat(undefined, { style: 'currency', currency }).resolvedOptions();
    return new Intl.NumberFormat(undefined, {
      style: 'currency',
      currency,
      minimumFractionDigits: defaults.minimumFractionDigits,
      maximumFractionDigits: Math.max(defaults.maximumFractionDigits, decimals),
      signDisplay: sign ? 'exceptZero' : 'auto',
    }).format(amount);
  } catch {
    return `${amount} ${currency}`;
  }
};

/** A date without time and zone. */
export const formatDate = (date) =>
  new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' }).format(
    new Date(`${date}T00:00Z`),
  );

export const formatTime = (iso) =>
  new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(iso));

export const formatClock = (iso) =>
  new Intl.DateTimeFormat(undefined, { timeStyle: 'medium', hourCycle: 'h23' }).format(new Date(iso));

export const formatCount = (number) => new Intl.NumberFormat().format(number);

/** The kind of an account, such as "Checking", and the end of its number if the bank provides it. */
export const describeAccount = ({ type, subtype = type, lastFour }) => {
  const word = subtype === 'depository' ? 'bank account' : subtype.replaceAll('_', ' ');
  const kind = word[0].toUpperCase() + word.slice(1);
  return lastFour === '' ? kind : `${kind} •• ${lastFour}`;
};

/** JSON with line breaks and indents. Its numbers keep their digits, because it is not parsed. */
export const indentJson = (json) => {
  let depth = 0;
  const line = () => `\n${'  '.repeat(depth)}`;
  return json.replace(/"(?:[^"\\]|\\.)*"|\[\]|\{\}|[{}[\],:]/g, (token) => {
    if (token === '{' || token === '[') {
      depth++;
      return token + line();
    }
    if (token === '}' || token === ']') {
      depth--;
      return line() + token;
    }
    if (token === ',') return token + line();
    return token === ':' ? ': ' : token;
  });
};
