// The settings of traces, as the OpenTelemetry specification names them.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OperatorError } from '../src/errors.ts';
import { readTraceSettings } from '../src/traceSettings.ts';

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' };
const standardExport = {
  ...{ kind: 'otlp', url: 'http://collector:4318/v1/traces', headers: {} },
  ...{ timeoutMs: 10_000, isCompressed: false },
};

test('without settings nothing is traced; an empty one is as good as none', () => {
  expect(readTraceSettings({})).toBeUndefined();
  expect(readTraceSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: '', OTEL_TRACES_EXPORTER: '' })).toBeUndefined();
});

test('an endpoint is enough, and all others have the values of the specification', () => {
  expect(readTraceSettings(endpoint)).toEqual({
    export: standardExport,
    resource: { 'service.name': 'bank-connection' },
    sampler: { name: 'parentbased_always_on', ratio: 1 },
    batch: { delayMs: 5000, timeoutMs: 30_000, queueMax: 2048, batchMax: 512 },
  });
});

test('the settings of traces replace those of all signals', () => {
  const settings = readTraceSettings({
    ...endpoint,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example/v2',
    OTEL_EXPORTER_OTLP_TIMEOUT: '1',
    OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: '2',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json',
    OTEL_TRACES_SAMPLER: 'traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
    OTEL_BSP_MAX_QUEUE_SIZE: '100',
  });
  expect(settings?.export).toMatchObject({ url: 'https://traces.example/v2', timeoutMs: 2 });
  expect(settings?.sampler).toEqual({ name: 'traceidratio', ratio: 0.25 });
  expect(settings?.batch).toMatchObject({ queueMax: 100, batchMax: 100 });
});

test('the console needs no endpoint', () => {
  expect(readTraceSettings({ OTEL_TRACES_EXPORTER: 'console' })?.export).toEqual({ kind: 'console' });
});

test.each([
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:canary'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'https://user:canary@collector'],
  ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'canary'],
  ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'http:///canary'],
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization canary'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization=canary%'],
  ['OTEL_EXPORTER_OTLP_TIMEOUT', '1e10'],
  ['OTEL_EXPORTER_OTLP_COMPRESSION', 'canary'],
  ['OTEL_RESOURCE_ATTRIBUTES', '=canary'],
  ['OTEL_TRACES_EXPORTER', 'canary'],
  ['OTEL_TRACES_SAMPLER', 'canary'],
  ['OTEL_BSP_SCHEDULE_DELAY', '0'],
])('a wrong %s is named, and its value is not repeated (%s)', (name, value) => {
  const read = () => readTraceSettings({ ...endpoint, [name]: value });
  expect(read).toThrow(OperatorError);
  expect(read).toThrow(name);
  expect(read).not.toThrow('canary');
});

test('a ratio outside of 0 to 1 is refused, where the sampler has one', () => {
  const variables = { ...endpoint, OTEL_TRACES_SAMPLER_ARG: '2' };
  expect(readTraceSettings(variables)?.sampler.ratio).toBe(1);
  expect(() => readTraceSettings({ ...variables, OTEL_TRACES_SAMPLER: 'traceidratio' })).toThrow(
    'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1.',
  );
});

test('headers are read back as they were written, in percent-encoding', () => {
  const name = fc.stringMatching(/^[a-z][a-z-]{0,9}$/);
  fc.assert(
    fc.property(fc.dictionary(name, fc.string({ unit: 'grapheme' })), (headers) => {
      const pairs = Object.entries(headers).map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
      const read = readTraceSettings({ ...endpoint, OTEL_EXPORTER_OTLP_HEADERS: pairs.join(', ') });
      expect(read?.export).toEqual({ ...standardExport, headers: { ...headers } });
    }),
  );
});
