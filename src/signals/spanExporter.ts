// Sends spans as OTLP: JSON by HTTP (OpenTelemetry Protocol Specification, "OTLP/HTTP"), or as lines to standard error. Own code,
// because the packages of exporters bring those of metrics and logs.
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Attributes, HrTime } from '@opentelemetry/api';
import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import type { TraceExport } from '../traceSettings.ts';

/** Called for spans that are lost. `reason` is the status of the collector, or why there is none. */
export type SpansNotSent = (lost: { spans: number; reason: string }) => void;

type Otlp = Extract<TraceExport, { kind: 'otlp' }>;

/** An exporter that never fails, and can be aborted. */
export const makeSpanExporter = (
  target: TraceExport,
  notSent: SpansNotSent,
): SpanExporter & { abort(): void } => {
  const stopping = new AbortController();
  const send = target.kind === 'console' ? print : (text: string) => post(target, text, stopping.signal);
  const sendSpans = async (spans: ReadableSpan[]): Promise<void> => {
    const reason = await send(JSON.stringify(toOtlp(spans)));
    if (reason !== undefined) notSent({ spans: spans.length, reason });
  };
  return {
    export: (spans, done: (result: ExportResult) => void) => {
      // Spans that a collector does not take are dropped, so that they neither wait nor are sent twice.
      void sendSpans(spans).finally(() => done({ code: ExportResultCode.SUCCESS }));
    },
    shutdown: async () => {},
    abort: () => stopping.abort(),
  };
};

const print = async (text: string): Promise<undefined> => {
  process.stderr.write(`${text}\n`);
};

const compress = promisify(gzip);

/** Why it was not taken; undefined if it was. */
const post = async (
  { url, headers, timeoutMs, isCompressed }: Otlp,
  text: string,
  stopping: AbortSignal,
): Promise<string | undefined> => {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        ...headers,
        'Content-Type': 'application/json',
        ...(isCompressed && { 'Content-Encoding': 'gzip' }),
      },
      body: isCompressed ? new Uint8Array(await compress(text)) : text,
      signal: AbortSignal.any([timeout, stopping]),
    });
    await response.body?.cancel();
    return response.ok ? undefined : String(response.status);
  } catch {
    if (stopping.aborted) return 'stopped';
    return timeout.aborted ? 'timeout' : 'connection_failed';
  }
};

/** All spans of a provider have one resource and one scope. */
const toOtlp = (spans: ReadableSpan[]) => ({
  resourceSpans: spans.slice(0, 1).map(({ resource, instrumentationScope: { name } }) => ({
    resource: { attributes: toKeyValues(resource.attributes) },
    scopeSpans: [{ scope: { name }, spans: spans.map(toOtlpSpan) }],
  })),
});

const toOtlpSpan = (span: ReadableSpan) => {
  const { traceId, spanId } = span.spanContext();
  return {
    ...{ traceId, spanId, parentSpanId: span.parentSpanContext?.spanId },
    name: span.name,
    // The protocol counts from 1, because 0 is unspecified.
    kind: span.kind + 1,
    startTimeUnixNano: toNanoseconds(span.startTime),
    endTimeUnixNano: toNanoseconds(span.endTime),
    attributes: toKeyValues(span.attributes),
    status: { code: span.status.code },
  };
};

const toNanoseconds = ([seconds, nanoseconds]: HrTime): string =>
  String(BigInt(seconds) * 1_000_000_000n + BigInt(nanoseconds));

const toKeyValues = (attributes: Attributes) =>
  Object.entries(attributes).map(([key, value]) => ({
    key,
    // 64-bit integers are text in JSON.
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: String(value) },
  }));
