// Reads the effective settings.
import { readFileSync } from 'node:fs';
import type { Company } from '../values/company.ts';
import { OperatorError } from '../values/errors.ts';
import { type Limits, readLimits } from './limits.ts';
import { checkOidc, checkOperator, type OidcSettings } from './readers.ts';
import { settings, type Values, variableOf } from './table.ts';
import { tunables } from './tunables.ts';

export type Config = Readonly<
  Values & {
    /** The value of a connector's setting, from its variable or from the file of its twin `…_FILE`; undefined if neither is set. */
    connectorSetting(name: string): string | undefined;
    /** The OpenID provider at which members may sign in, if one is configured. */
    oidc: OidcSettings | undefined;
    /** The company that runs the service, for the consent; undefined if it is not set. */
    operator: Company | undefined;
    /** True if a trace collector is set; only a preloaded tracer sends to it (deploy/telemetry.mjs). */
    hasCollector: boolean;
    limits: Limits;
    /** The names of all environment variables that are set. */
    variables: ReadonlySet<string>;
  }
>;

type Environment = Record<string, string | undefined>;

/** Reads the settings. Throws OperatorError for an invalid one, with its name and the expected value. */
export const readConfig = (env: Environment, overrides: Partial<Limits> = {}): Config => {
  const variables = new Set(Object.keys(env).filter((name) => env[name]));
  refuseRemoved(variables);
  const read: Record<string, unknown> = {};
  const textOf = (name: string): string | undefined => env[name] || readSettingFile(env, name);
  for (const { key, variable, standard, secret, read: reader } of settings)
    read[key] = reader(
      (secret ? textOf(variable) : env[variable]) || standard || '',
      variable,
      read as Values,
    );
  const values = read as Values;
  return Object.freeze({
    ...values,
    connectorSetting: textOf,
    oidc: checkOidc(values),
    operator: checkOperator(values),
    hasCollector: Boolean(env.OTEL_EXPORTER_OTLP_ENDPOINT || env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT),
    limits: Object.freeze({ ...readLimits(env), ...overrides }),
    variables,
  });
};

/** Reads the file named by `…_FILE`, without the line end that editors add. Throws OperatorError for a file that cannot be read. */
const readSettingFile = (env: Environment, name: string): string | undefined => {
  const path = env[`${name}_FILE`];
  if (!path) return undefined;
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch (cause) {
    throw new OperatorError(`${name}_FILE names ${path}, which cannot be read.`, { cause });
  }
};

// Until 0.1.0, every tunable was a setting, and so were two limits that were merged.
const removed: ReadonlyMap<string, string> = new Map([
  ...Object.entries(tunables).map(
    ([key, value]) => [variableOf(key), `it is ${value} in this version`] as const,
  ),
  ...['SIMPLEFIN', 'FINTS'].map(
    (name) => [`${name}_ANSWER_BYTES_MAX`, 'CONNECTOR_ANSWER_BYTES_MAX is for all connectors'] as const,
  ),
]);

const refuseRemoved = (variables: ReadonlySet<string>): void => {
  for (const name of variables) {
    const instead = removed.get(name);
    if (instead) throw new OperatorError(`${name} is no longer a setting: ${instead}.`);
  }
};
