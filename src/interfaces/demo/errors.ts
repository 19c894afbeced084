// The error responses of the demo's backend: it passes the service's problems on, and responds 502 if the service is
// unreachable.
import type { ErrorRequestHandler } from 'express';
import { ProblemError } from '../../../client/index.ts';

/** The demo's own refusal of a request. */
export class DemoError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const toErrorBody = (error: unknown) => {
  if (error instanceof ProblemError) {
    const { status, title, detail, code, requestId } = error;
    // A response without a code comes from a proxy in front of the service.
    return { status: code ? status : 502, title, detail, requestId };
  }
  if (error instanceof DemoError) return { status: error.status, title: error.message };
  if (isBodyParserError(error)) return { status: error.status, title: 'The request cannot be read' };
  const detail = 'It may be starting; try again in a moment.';
  return { status: 502, title: 'The service did not respond', detail };
};

// The body is too long or is not JSON.
const isBodyParserError = (error: unknown): error is { status: number } =>
  typeof error === 'object' && error !== null && 'expose' in error && error.expose === true;

/** Responds with the error, and logs it if the service is unreachable. */
export const demoErrorHandler =
  (log: (error: unknown) => void): ErrorRequestHandler =>
  (error, _request, response, next) => {
    if (response.headersSent) return next(error);
    const { status, ...body } = toErrorBody(error);
    if (status === 502) log(error);
    response.status(status).json(body);
  };
