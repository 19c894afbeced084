// The span of a request: named by the method and by the path as the contract writes it, because the path of a request has ids.
import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import { errorClassOf, type OpenSpan, startSpan } from '../tracing.ts';

/** Opens a span until the response is written; the caller's header `traceparent` names its parent. */
export const traceRequest: RequestHandler = ({ method, headers }, response, next) => {
  const { traceparent } = headers;
  const span = startSpan({
    ...{ name: method, kind: 'server' },
    attributes: { 'http.request.method': method },
    traceparent: typeof traceparent === 'string' ? traceparent : undefined,
  });
  if (!span) return next();
  response.once('close', () => endSpan(span, method, response));
  span.run(next);
};

/** Keeps the class of what a request failed with, for its span. */
export const noteErrorClass: ErrorRequestHandler = (error, _request, response, next) => {
  response.locals.errorClass = errorClassOf(error);
  next(error);
};

const endSpan = (span: OpenSpan, method: string, { statusCode, locals }: Response): void => {
  const { operation, route, errorClass } = locals;
  if (route) span.rename(`${method} ${route}`);
  span.set({
    'http.response.status_code': statusCode,
    ...(route && { 'http.route': route, 'bank_connection.operation': operation }),
  });
  // A refusal is not an error of the service (semantic conventions, "HTTP spans", "Status").
  if (statusCode >= 500) span.fail(errorClass ?? String(statusCode));
  span.end();
};
