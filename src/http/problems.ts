// What went wrong -> what the caller reads. The only file that knows these status numbers. Every reason of a 401
// has one same body, and every reason of a 403: an error is never an oracle.
import type { ErrorRequestHandler, Response } from 'express';
import type { components } from '../../generated/api.ts';
import type { components as dashboardComponents } from '../../generated/dashboard.ts';
import type { components as widgetComponents } from '../../generated/widget.ts';
import {
  ValidationError,
  BankUnreachable,
  Conflict,
  LinkSessionExpired,
  Forbidden,
  NotFound,
  NotSignedIn,
  OriginNotAllowed,
  TooManyAttempts,
  Unauthenticated,
} from '../errors.ts';

type Problem =
  | components['schemas']['Problem']
  | widgetComponents['schemas']['Problem']
  | dashboardComponents['schemas']['Problem'];
type Code = Problem['code'];
type FieldErrors = { path: string; message: string }[];

/** Too many requests: when to ask again. */
export class RateLimited extends Error {
  readonly retryAfterSeconds: number;
  readonly headers: Record<string, string>;
  constructor(retryAfterSeconds: number, headers: Record<string, string>) {
    super('Too many requests.');
    this.retryAfterSeconds = retryAfterSeconds;
    this.headers = headers;
  }
}

/** An address that is there, asked in a way that it does not know. */
export class MethodNotAllowed extends Error {
  readonly methods: readonly string[];
  constructor(methods: readonly string[]) {
    super('Method not allowed.');
    this.methods = methods;
  }
}

type ProblemResponse = {
  status: number;
  code: Code;
  detail: string;
  errors?: FieldErrors;
  headers?: Record<string, string>;
};

const titleByCode: Record<Code, string> = {
  invalid_request: 'Invalid request',
  invalid_cursor: 'Invalid cursor',
  unauthorized: 'Unauthorized',
  forbidden: 'Forbidden',
  origin_not_allowed: 'Origin not allowed',
  not_found: 'Not found',
  method_not_allowed: 'Method not allowed',
  conflict: 'Conflict',
  session_expired: 'Session expired',
  rate_limited: 'Too many requests',
  internal_error: 'Internal error',
  unavailable: 'Unavailable',
};

const unauthorized: ProblemResponse = {
  status: 401,
  code: 'unauthorized',
  detail: 'The API key is missing or not valid.',
  headers: { 'WWW-Authenticate': 'Bearer' },
};
const notSignedIn: ProblemResponse = {
  status: 401,
  code: 'unauthorized',
  detail: 'You are not signed in, or what you signed in with is not right.',
  // RFC 9110, 15.5.2 wants one; browsers know no scheme of this name, and so ask nobody for a password.
  headers: { 'WWW-Authenticate': 'Session' },
};
const forbidden: ProblemResponse = {
  status: 403,
  code: 'forbidden',
  detail: 'These credentials do not allow this.',
};
const notFound: ProblemResponse = {
  status: 404,
  code: 'not_found',
  detail: 'There is nothing at this address.',
};
const internal: ProblemResponse = {
  status: 500,
  code: 'internal_error',
  detail: 'Something went wrong on our side.',
};
const unavailable: ProblemResponse = {
  status: 503,
  code: 'unavailable',
  detail: 'The service cannot answer just now. Ask again later.',
};
const invalid = (errors: FieldErrors): ProblemResponse => ({
  status: 400,
  code: 'invalid_request',
  detail: 'The request has a parameter that cannot be used. See errors.',
  errors,
});

/** What the caller is told about an error. */
export const toProblem = (error: unknown): ProblemResponse => {
  if (error instanceof Unauthenticated) return unauthorized;
  if (error instanceof NotSignedIn) return notSignedIn;
  if (error instanceof OriginNotAllowed) {
    return {
      ...forbidden,
      code: 'origin_not_allowed',
      detail: 'The application does not allow the widget on this origin.',
    };
  }
  if (error instanceof Forbidden) return forbidden;
  if (error instanceof NotFound) return { ...notFound, detail: error.message };
  if (error instanceof ValidationError) {
    if (error.code === 'invalid_request') return invalid(error.problems);
    const detail = 'The cursor does not belong to this list. Start the list anew.';
    return { ...invalid(error.problems), code: error.code, detail };
  }
  if (error instanceof Conflict) {
    return {
      status: 409,
      code: 'conflict',
      detail: error.message || 'The session has moved on, or does not allow this step.',
    };
  }
  if (error instanceof LinkSessionExpired)
    return { status: 410, code: 'session_expired', detail: 'The session is over.' };
  if (error instanceof RateLimited) return rateLimited(error);
  if (error instanceof TooManyAttempts) return rateLimited(new RateLimited(error.retryAfterSeconds, {}));
  if (error instanceof MethodNotAllowed) return methodNotAllowed(error);
  // An address that cannot be decoded names nothing.
  if (error instanceof URIError) return notFound;
  if (error instanceof BankUnreachable || isDatabaseUnavailable(error)) return unavailable;
  return isHttpError(error) ? fromStatus(error) : internal;
};

const rateLimited = ({ retryAfterSeconds, headers }: RateLimited): ProblemResponse => ({
  status: 429,
  code: 'rate_limited',
  detail: `Too many requests. Ask again in ${retryAfterSeconds} seconds.`,
  headers: { 'Retry-After': String(retryAfterSeconds), ...headers },
});

const methodNotAllowed = ({ methods }: MethodNotAllowed): ProblemResponse => ({
  status: 405,
  code: 'method_not_allowed',
  detail: 'This address does not know this method.',
  headers: { Allow: methods.join(', ') },
});

// What the drivers say when the database is away or has no connection left to give.
const unavailableCodes = [
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/,
  /^SQLITE_BUSY/,
  // PostgreSQL: connection exceptions, shutting down or starting up, too many connections.
  /^(08...|57P0[1-3]|53300)$/,
];
// PostgreSQL's driver gives no code where a connection of its pool has died.
const unavailableMessages = /^Connection terminated|is not queryable$/;
const isDatabaseUnavailable = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'KnexTimeoutError' ||
    unavailableCodes.some((form) => form.test((error as { code?: string }).code ?? '')) ||
    unavailableMessages.test(error.message));

type HttpError = Error & { status: number; errors?: FieldErrors };
const isHttpError = (error: unknown): error is HttpError => error instanceof Error && 'status' in error;

// The validator's and the body parser's own errors.
const fromStatus = (error: HttpError): ProblemResponse => {
  switch (error.status) {
    case 401:
      return unauthorized;
    case 403:
      return forbidden;
    case 404:
      return notFound;
    case 400:
    case 413:
    case 415:
      return invalid(fieldErrorsOf(error));
    default:
      return internal;
  }
};

// A message of the validator may repeat what was sent; only what it says about places and forms goes out.
const fieldErrorsOf = (error: HttpError): FieldErrors =>
  error.errors?.map(({ path, message }) => ({ path, message })) ?? [
    { path: '/body', message: 'cannot be read' },
  ];

// The codes of the public contract, which /problems/CODE explains; the others are between our page and us.
const privateCodes: readonly Code[] = ['origin_not_allowed', 'conflict', 'session_expired'];
const documentedCodes = new Set(
  Object.keys(titleByCode).filter((code) => !privateCodes.includes(code as Code)),
);

/** The last middleware: answers with a problem document, or breaks off an answer that has already begun. */
export const problemHandler =
  (report: (error: unknown, response: Response) => void): ErrorRequestHandler =>
  (error, _request, response, _next) => {
    const failure = toProblem(error);
    if (failure.status >= 500) report(error, response);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const problem: Problem = {
      type: documentedCodes.has(failure.code) ? `/problems/${failure.code}` : 'about:blank',
      title: titleByCode[failure.code],
      status: failure.status,
      detail: failure.detail,
      code: failure.code as never,
      requestId: response.get('Request-Id') ?? '',
      ...(failure.errors && { errors: failure.errors }),
    };
    response.status(failure.status).set(failure.headers ?? {});
    response.type('application/problem+json').send(JSON.stringify(problem));
  };
