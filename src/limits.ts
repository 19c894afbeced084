// Limits as settings: their environment variables, and the values in force.
import { OperatorError } from './errors.ts';
import { type Limit, limitTable, units } from './limitTable.ts';

type LimitName = keyof typeof limitTable;

export type Limits = Readonly<Record<LimitName, number>>;

export type LimitSetting = {
  name: LimitName;
  /** The name of the environment variable. */
  variable: string;
  standard: number;
  min: number;
  max: number;
  /** Empty for a count. */
  unit: string;
  text: string;
};

const unitOf = (name: string) => {
  const suffix = Object.keys(units).find((word) => new RegExp(`${word}(Max)?$`).test(name));
  return suffix ? units[suffix as keyof typeof units] : { unit: '', max: undefined };
};

const variableOf = (name: string): string => name.replace(/[A-Z]/g, '_$&').toUpperCase();

export const limitSettings: readonly LimitSetting[] = Object.entries<Limit>(limitTable).map(
  ([name, limit]) => {
    const { unit, ...bounds } = unitOf(name);
    const { min = 1, max = Number.NaN, standard, text } = { ...bounds, ...limit };
    return { name: name as LimitName, variable: variableOf(name), standard, min, max, unit, text };
  },
);

/** The defaults. */
export const limits: Limits = Object.freeze(
  Object.fromEntries(limitSettings.map(({ name, standard }) => [name, standard])) as Limits,
);

/** The limits in force. Throws OperatorError for one that is no whole number within its bounds. */
export const readLimits = (env: Record<string, string | undefined>): Limits => {
  const read = Object.fromEntries(
    limitSettings.map((setting) => [setting.name, readLimit(setting, env)]),
  ) as Limits;
  if (read.processExpirySeconds >= 2 * read.processReportSeconds) return read;
  throw new OperatorError(
    'PROCESS_EXPIRY_SECONDS must be at least twice PROCESS_REPORT_SECONDS: a process that runs would be regarded as ended.',
  );
};

const readLimit = (
  { variable, standard, min, max }: LimitSetting,
  env: Record<string, string | undefined>,
): number => {
  const text = env[variable];
  const value = Number(text || standard);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new OperatorError(`${variable} must be a whole number from ${min} to ${max}, not "${text}".`);
};
