// Opens spans, where a process traces (docs/operating.md). Without a tracer every function here only runs what it is given, and
// no package of OpenTelemetry is loaded.

export type SpanAttributes = Record<string, string | number>;

/** The names and values are exported: never an id of a user, a path, a statement, or anything that a client or a bank sent. */
export type SpanOptions = {
  name: string;
  /** By default the span is internal. */
  kind?: 'server' | 'client';
  attributes?: SpanAttributes;
  /** The header of the caller (W3C Trace Context, section 3.2), whose span becomes the parent. Anything else is ignored. */
  traceparent?: string;
};

export type OpenSpan = {
  /** Runs with this span as the parent of those that open meanwhile. */
  run<Result>(run: () => Result): Result;
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** Marks it as failed. `errorType` is the class of an error, or a code of a closed list. */
  fail(errorType: string): void;
  end(): void;
};

export type Tracer = {
  /** Undefined within a trace that is not kept. */
  start(options: SpanOptions): OpenSpan | undefined;
  /** Whether a span is open around the caller. */
  hasParent(): boolean;
};

let tracer: Tracer | undefined;

/** The tracer of this process from now on; undefined ends tracing. */
export const useTracer = (used: Tracer | undefined): void => {
  tracer = used;
};

export const isTracing = (): boolean => tracer !== undefined;

/** A span that the caller ends; undefined where nothing is traced. */
export const startSpan = (options: SpanOptions): OpenSpan | undefined => tracer?.start(options);

/** The same, where another span is open: what a loop does while nothing is due would be a trace of its own each time. */
export const startChildSpan = (options: SpanOptions): OpenSpan | undefined =>
  tracer?.hasParent() ? tracer.start(options) : undefined;

/** Runs within a span that ends with the result, or with the class of the error, which is thrown on. */
export const inSpan = <Result>(
  options: SpanOptions,
  run: (span?: OpenSpan) => Promise<Result>,
): Promise<Result> => endAfter(startSpan(options), run);

/** The same, where another span is open. */
export const inChildSpan = <Result>(options: SpanOptions, run: () => Promise<Result>): Promise<Result> =>
  endAfter(startChildSpan(options), run);

const endAfter = <Result>(
  span: OpenSpan | undefined,
  run: (span?: OpenSpan) => Promise<Result>,
): Promise<Result> => (span ? runAndEnd(span, run) : run());

const runAndEnd = async <Result>(
  span: OpenSpan,
  run: (span?: OpenSpan) => Promise<Result>,
): Promise<Result> => {
  try {
    return await span.run(() => run(span));
  } catch (error) {
    span.fail(errorClassOf(error));
    throw error;
  } finally {
    span.end();
  }
};

/** Never the message, which may repeat what was sent. */
export const errorClassOf = (error: unknown): string =>
  error instanceof Error ? error.constructor.name : 'Error';
