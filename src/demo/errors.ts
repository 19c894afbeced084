// What the demo's page is told when something goes wrong. The demo is a consumer: it passes on what the service
// said, and says so itself where the service could not be asked.
import type { ErrorRequestHandler } from 'express';
import { ProblemError } from '../../client/index.ts';

/** The demo's own refusal of a request from its page. */
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
    // What is not the service's own refusal came from something on the way to it.
    return { status: code ? status : 502, title, detail, requestId };
  }
  if (error instanceof DemoError) return { status: error.status, title: error.message };
  if (isBodyParserError(error)) return { status: error.status, title: 'The request cannot be read' };
  const detail = 'It may be starting; try again in a moment.';
  return { status: 502, title: 'The service did not answer', detail };
};

// Express says in this way that a body is too long or no JSON.
const isBodyParserError = (error: unknown): error is { status: number } =>
  typeof error === 'object' && error !== null && 'expose' in error && error.expose === true;

/** Tells the page; that the service could not be asked goes to the log too. */
export const demoErrorHandler =
  (log: (error: unknown) => void): ErrorRequestHandler =>
  (error, _request, response, next) => {
    if (response.headersSent) return next(error);
    const { status, ...answer } = toErrorBody(error);
    if (status === 502) log(error);
    response.status(status).json(answer);
  };
