// The settings of traces: the environment variables of the OpenTelemetry specification ("Environment Variable Specification" and
// "OTLP Exporter Configuration"), which have their names and meanings there.
import { OperatorError } from './errors.ts';
import { parseUrl } from './text.ts';

export const samplerNames = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/** Where spans go: to a collector, or as lines of JSON to standard error. */
export type TraceExport =
  | { kind: 'console' }
  | { kind: 'otlp'; url: string; headers: Record<string, string>; timeoutMs: number; isCompressed: boolean };

export type TraceSettings = {
  export: TraceExport;
  /** Attributes of the resource; `service.name` is one. */
  resource: Record<string, string>;
  /** `ratio` is from 0 to 1. */
  sampler: { name: (typeof samplerNames)[number]; ratio: number };
  batch: { delayMs: number; timeoutMs: number; queueMax: number; batchMax: number };
};

type Variables = Record<string, string | undefined>;

/** Undefined where nothing is traced. Throws OperatorError for a value that the specification does not have. */
export const readTraceSettings = (env: Variables): TraceSettings | undefined => {
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return undefined;
  const target = readExport(env);
  return (
    target && {
      export: target,
      resource: readResource(env),
      sampler: readSampler(env),
      batch: readBatch(env),
    }
  );
};

const readExport = (env: Variables): TraceExport | undefined => {
  const exporter = readChoice(env, 'OTEL_TRACES_EXPORTER', ['otlp', 'console', 'none']);
  if (exporter === 'none') return undefined;
  if (exporter === 'console') return { kind: 'console' };
  const url = readEndpoint(env);
  return url === undefined ? undefined : readOtlp(env, url);
};

/** The settings of all signals, each of which one for traces replaces. */
const readOtlp = (env: Variables, url: string): TraceExport => {
  const named = (name: string): string =>
    env[`OTEL_EXPORTER_OTLP_TRACES_${name}`]
      ? `OTEL_EXPORTER_OTLP_TRACES_${name}`
      : `OTEL_EXPORTER_OTLP_${name}`;
  // A collector's port for HTTP takes both encodings; gRPC has another port.
  readChoice(env, named('PROTOCOL'), ['http/protobuf', 'http/json']);
  return {
    ...{ kind: 'otlp', url },
    headers: { ...readPairs(env, 'OTEL_EXPORTER_OTLP_HEADERS'), ...readPairs(env, named('HEADERS')) },
    timeoutMs: readCount(env, named('TIMEOUT'), 10_000),
    isCompressed: readChoice(env, named('COMPRESSION'), ['none', 'gzip']) === 'gzip',
  };
};

const readEndpoint = (env: Variables): string | undefined => {
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: ofTraces, OTEL_EXPORTER_OTLP_ENDPOINT: ofAll } = env;
  if (ofTraces) return checkEndpoint('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', ofTraces);
  if (!ofAll) return undefined;
  return checkEndpoint('OTEL_EXPORTER_OTLP_ENDPOINT', `${ofAll.replace(/\/$/, '')}/v1/traces`);
};

// The message leaves out the address, which may contain a password.
const checkEndpoint = (name: string, text: string): string => {
  const url = parseUrl(text);
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password) return url.href;
  throw new OperatorError(`${name} must be an http or https address without a user name.`);
};

const readResource = (env: Variables): Record<string, string> => {
  const { OTEL_SERVICE_NAME: name } = env;
  const attributes = readPairs(env, 'OTEL_RESOURCE_ATTRIBUTES');
  return { 'service.name': 'bank-connection', ...attributes, ...(name && { 'service.name': name }) };
};

const readSampler = (env: Variables): TraceSettings['sampler'] => {
  const name = readChoice(env, 'OTEL_TRACES_SAMPLER', samplerNames) ?? 'parentbased_always_on';
  const ratio = Number(env.OTEL_TRACES_SAMPLER_ARG || 1);
  if (!name.endsWith('traceidratio')) return { name, ratio: 1 };
  if (ratio >= 0 && ratio <= 1) return { name, ratio };
  throw new OperatorError('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1.');
};

const readBatch = (env: Variables): TraceSettings['batch'] => {
  const queueMax = readCount(env, 'OTEL_BSP_MAX_QUEUE_SIZE', 2048);
  return {
    delayMs: readCount(env, 'OTEL_BSP_SCHEDULE_DELAY', 5000),
    timeoutMs: readCount(env, 'OTEL_BSP_EXPORT_TIMEOUT', 30_000),
    queueMax,
    batchMax: readCount(env, 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE', Math.min(512, queueMax)),
  };
};

/** Undefined where it is not set. */
const readChoice = <Choice extends string>(
  env: Variables,
  name: string,
  choices: readonly Choice[],
): Choice | undefined => {
  const text = env[name]?.trim();
  if (!text) return undefined;
  const choice = choices.find((one) => one === text);
  if (choice) return choice;
  throw new OperatorError(`${name} must be one of ${choices.join(', ')}.`);
};

/** Timers of Node.js take no longer time. */
const countMax = 2 ** 31 - 1;

const readCount = (env: Variables, name: string, standard: number): number => {
  const count = Number(env[name] || standard);
  if (Number.isInteger(count) && count >= 1 && count <= countMax) return count;
  throw new OperatorError(`${name} must be a whole number from 1 to ${countMax}.`);
};

/** `name=value,name=value`, with values in percent-encoding. */
const readPairs = (env: Variables, name: string): Record<string, string> => {
  const parts = (env[name] ?? '').split(',').filter((part) => part.trim() !== '');
  return Object.fromEntries(parts.map((part) => readPair(name, part)));
};

// The message leaves out the pair, whose value may be a credential.
const readPair = (name: string, part: string): [string, string] => {
  const [, key, value] = /^\s*([^=\s]+)\s*=(.*)$/.exec(part) ?? [];
  try {
    if (key !== undefined && value !== undefined) return [key, decodeURIComponent(value.trim())];
  } catch {
    // An invalid percent-encoding is refused below.
  }
  throw new OperatorError(`${name} must be pairs name=value, with commas between them.`);
};
