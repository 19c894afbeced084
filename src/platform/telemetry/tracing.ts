// Opens spans through the API of OpenTelemetry. Without a tracer, which an operator preloads (deploy/telemetry.mjs), each span is
// a no-op. Names and attributes are exported: never an id of a user, a path, a statement, an error's message, or anything that a
// client or a bank sent.
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type Attributes,
  context,
  isSpanContextValid,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

export type { Span };

type SpanOptions = {
  name: string;
  /** By default the span is internal. */
  kind?: 'client';
  attributes?: Attributes;
};

const tracer = trace.getTracer('bank-connection-data-service');

/** True if a tracer was preloaded. Its sampler decides which spans record; its spans always have ids. */
export const hasTracer = (): boolean => isSpanContextValid(tracer.startSpan('start').spanContext());

/** True within a span that records. */
export const isInSpan = (): boolean => trace.getActiveSpan()?.isRecording() ?? false;

/** Starts a span that the caller ends. */
export const startSpan = ({ kind, ...options }: SpanOptions): Span =>
  tracer.startSpan(options.name, { ...options, kind: kind ? SpanKind.CLIENT : SpanKind.INTERNAL });

/** Runs with this span as the parent of new ones. */
export const runInSpan = <Result>(span: Span, run: () => Result): Result =>
  context.with(trace.setSpan(context.active(), span), run);

/** Runs within a span that ends with the result, or with the class of the error, which is rethrown. */
export const inSpan = async <Result>(
  options: SpanOptions,
  run: (span: Span) => Promise<Result>,
): Promise<Result> => {
  const span = startSpan(options);
  try {
    return await runInSpan(span, () => run(span));
  } catch (error) {
    failSpan(span, errorClassOf(error));
    throw error;
  } finally {
    span.end();
  }
};

/** The same, but only within another span: otherwise each poll of a loop would be its own trace. */
export const inChildSpan = <Result>(options: SpanOptions, run: () => Promise<Result>): Promise<Result> =>
  isInSpan() ? inSpan(options, run) : run();

/** Marks a span as failed. `errorType` is the class of an error, or a code from a closed list. */
export const failSpan = (span: Span, errorType: string): void => {
  span.setAttribute('error.type', errorType).setStatus({ code: SpanStatusCode.ERROR });
};

/** Only the class, because a message may repeat the input. */
export const errorClassOf = (error: unknown): string =>
  error instanceof Error ? error.constructor.name : 'Error';

type Dialect = 'sqlite' | 'postgres';

/** Contains no part of the statement. */
const databaseSpan = (dialect: Dialect, what: 'statement' | 'transaction'): SpanOptions => {
  const system = dialect === 'postgres' ? 'postgresql' : dialect;
  return { name: `${system} ${what}`, kind: 'client', attributes: { 'db.system.name': system } };
};

/** The span of a transaction; its statements have no spans. */
export const inTransactionSpan = <Result>(dialect: Dialect, run: () => Promise<Result>): Promise<Result> =>
  inChildSpan(databaseSpan(dialect, 'transaction'), run);

/** The span of a statement outside of a transaction. */
export const inStatementSpan = <Result>(dialect: Dialect, run: () => Promise<Result>): Promise<Result> =>
  inChildSpan(databaseSpan(dialect, 'statement'), run);

type TracedResponse = ServerResponse & { locals: Record<string, string | undefined> };

/**
 * Opens the span of a request until the response is written. Its name is the method and the contract's path, because the actual
 * path contains ids. The header `traceparent` identifies its parent; `tracestate` and `baggage`, which callers may fill with
 * anything, are not read.
 */
export const traceRequest = (
  { method = '', headers: { traceparent } }: IncomingMessage,
  response: ServerResponse,
  next: () => void,
): void => {
  const caller = propagation.extract(ROOT_CONTEXT, { traceparent });
  const attributes = { 'http.request.method': method };
  const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, caller);
  if (span.isRecording()) response.once('close', () => endRequest(span, method, response as TracedResponse));
  runInSpan(span, next);
};

/** Keeps the error class of a failed request for its span. */
export const noteErrorClass = (
  error: unknown,
  _request: IncomingMessage,
  response: ServerResponse,
  next: (error: unknown) => void,
): void => {
  (response as TracedResponse).locals.errorClass = errorClassOf(error);
  next(error);
};

const endRequest = (span: Span, method: string, { statusCode, locals }: TracedResponse): void => {
  const { operation, route, errorClass } = locals;
  if (route) span.updateName(`${method} ${route}`);
  span.setAttributes({
    'http.response.status_code': statusCode,
    ...(route && { 'http.route': route, 'bank_connection.operation': operation }),
  });
  // A refusal is not an error of the service (semantic conventions, "HTTP spans", "Status").
  if (statusCode >= 500) failSpan(span, errorClass ?? String(statusCode));
  span.end();
};
