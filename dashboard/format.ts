// Formats numbers, percentages and durations.
export const formatNumber = (value: number): string => value.toLocaleString('en-GB');

/** "1 request", "2,000 requests": for units with a regular plural. */
export const formatCount = (value: number, unit: string): string =>
  `${formatNumber(value)} ${unit}${value === 1 ? '' : 's'}`;

/** At most one decimal; "100%" only for exactly 1, "–" for undefined. */
export const formatPercent = (share: number | undefined): string =>
  share === undefined
    ? '–'
    : share > 0.999 && share < 1
      ? '99.9%'
      : `${(share * 100).toLocaleString('en-GB', { maximumFractionDigits: 1 })}%`;

export const formatDuration = (milliseconds: number): string =>
  milliseconds < 1000
    ? `${milliseconds} ms`
    : `${(milliseconds / 1000).toLocaleString('en-GB', { maximumFractionDigits: 1 })} s`;
