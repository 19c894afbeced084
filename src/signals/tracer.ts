// Traces by the SDK of OpenTelemetry. Loaded only where the settings ask for traces.
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { pause } from '../loop.ts';
import type { TraceSettings } from '../traceSettings.ts';
import type { OpenSpan, Tracer } from '../tracing.ts';
import { makeSpanExporter, type SpansNotSent } from './spanExporter.ts';

/** How long a process that stops waits for a collector. */
const flushMs = 2000;

export type RunningTracer = Tracer & {
  /** Sends what is left, within two seconds. Never throws. */
  stop(): Promise<void>;
};

export const startTracer = (settings: TraceSettings, notSent: SpansNotSent): RunningTracer => {
  const { delayMs, timeoutMs, queueMax, batchMax } = settings.batch;
  const exporter = makeSpanExporter(settings.export, notSent);
  const processor = new BatchSpanProcessor({
    exporter,
    scheduledDelayMillis: delayMs,
    exportTimeoutMillis: timeoutMs,
    maxQueueSize: queueMax,
    maxExportBatchSize: batchMax,
  });
  const provider = new TracerProvider({
    sampler: makeSampler(settings.sampler),
    resource: defaultResource().merge(resourceFromAttributes(settings.resource)),
    spanProcessors: [processor],
  });
  return {
    ...makeTracer(provider),
    stop: async () => {
      await Promise.race([provider.shutdown().catch(() => {}), pause(flushMs)]);
      exporter.abort();
    },
  };
};

// `parentbased_` changes nothing: callers are strangers, so none decides what is kept, and each of these decides the same for
// all spans of a trace.
const makeSampler = ({ name, ratio }: TraceSettings['sampler']): Sampler => {
  if (name.endsWith('traceidratio')) return new TraceIdRatioBasedSampler(ratio);
  return name.endsWith('always_off') ? new AlwaysOffSampler() : new AlwaysOnSampler();
};

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT };

/** The open span, as the parent of others. */
type Parent = { context: Context; isSampled: boolean };

const makeTracer = (provider: TracerProvider): Tracer => {
  const tracer = provider.getTracer('bank-connection-data-service');
  const parents = new AsyncLocalStorage<Parent>();
  return {
    hasParent: () => parents.getStore() !== undefined,
    start: ({ name, kind, attributes, traceparent }) => {
      const open = parents.getStore();
      // No sampler keeps a span of a trace of which it has not kept the first one here, and to ask costs as much as a span.
      if (open?.isSampled === false) return undefined;
      const parent = traceparent === undefined ? open?.context : callerOf(traceparent);
      const options = { kind: kind ? kinds[kind] : SpanKind.INTERNAL, attributes };
      return openSpan(tracer.startSpan(name, options, parent ?? ROOT_CONTEXT), parents);
    },
  };
};

const openSpan = (span: Span, parents: AsyncLocalStorage<Parent>): OpenSpan => {
  const context = trace.setSpan(ROOT_CONTEXT, span);
  const isSampled = (span.spanContext().traceFlags & TraceFlags.SAMPLED) !== 0;
  return {
    run: (run) => parents.run({ context, isSampled }, run),
    rename: (name) => void span.updateName(name),
    set: (attributes) => void span.setAttributes(attributes),
    // No message and no event: a driver's or a bank's message may repeat its input.
    fail: (errorType) =>
      void span.setAttribute('error.type', errorType).setStatus({ code: SpanStatusCode.ERROR }),
    end: () => span.end(),
  };
};

const propagator = new W3CTraceContextPropagator();

/** Without `tracestate`, which would be exported, and in which a caller may write anything. */
const callerOf = (traceparent: string): Context =>
  propagator.extract(ROOT_CONTEXT, { traceparent }, defaultTextMapGetter);
