// Exports traces (docs/operating/watch.md): node --import ./telemetry.mjs src/main.ts serve
// Packages are not instrumented, because that would export paths with ids, statements and addresses.
// OTEL_EXPORTER_OTLP_ENDPOINT (http://localhost:4318), or OTEL_EXPORTER_OTLP_TRACES_ENDPOINT with the whole URL;
// OTEL_EXPORTER_OTLP_HEADERS, _COMPRESSION and _TIMEOUT (2000 ms); OTEL_SERVICE_NAME (bank-connection); OTEL_RESOURCE_ATTRIBUTES;
// OTEL_TRACES_SAMPLER_ARG, the share of traces to keep (1); OTEL_BSP_SCHEDULE_DELAY, how long spans wait (5000 ms).
import { context, DiagConsoleLogger, DiagLogLevel, diag, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BatchSpanProcessor, TraceIdRatioBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace';

const { OTEL_TRACES_SAMPLER_ARG: ratio, OTEL_BSP_SCHEDULE_DELAY: delayMs } = process.env;

// Stopping waits for a running export, so the SDK's ten seconds would be too long.
process.env.OTEL_EXPORTER_OTLP_TIMEOUT ||= '2000';

// Reports lost spans on standard error.
diag.setLogger(new DiagConsoleLogger(), DiagLogLevel.ERROR);

const provider = new TracerProvider({
  resource: defaultResource()
    .merge(resourceFromAttributes({ 'service.name': 'bank-connection' }))
    .merge(detectResources({ detectors: [envDetector] })),
  // Not parent-based: callers are untrusted, so they must not decide which spans are kept.
  sampler: new TraceIdRatioBasedSampler(Number(ratio || 1)),
  spanProcessors: [
    new BatchSpanProcessor({
      exporter: new OTLPTraceExporter(),
      scheduledDelayMillis: Number(delayMs || 5000),
    }),
  ],
});
context.setGlobalContextManager(new AsyncLocalStorageContextManager());
propagation.setGlobalPropagator(new W3CTraceContextPropagator());
trace.setGlobalTracerProvider(provider);

// Exports the last spans once the service has closed everything. Waits at most two seconds for an unresponsive collector.
process.once('beforeExit', () => {
  setTimeout(() => process.exit(), 2000).unref();
  provider.shutdown().catch(() => {});
});
