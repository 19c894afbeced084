// Maps errors to problem responses (RFC 9457). Only this file knows status codes. All reasons for a 401 give the same
// body, and so do all reasons for a 403, so that a response tells an attacker nothing; only a missing header is named.
import type { ErrorRequestHandler, Response } from 'express';
import type { components } from '../../generated/api.ts';
import type { components as dashboardComponents } from '../../generated/dashboard.ts';
import type { components as widgetComponents } from '../../generated/widget.ts';
import {
  BankUnreachable,
  Busy,
  Conflict,
  DatabaseUnavailable,
  Forbidden,
  LinkSessionExpired,
  MissingCredentials,
  NotFound,
  NotSignedIn,
  OriginNotAllowed,
  PasskeyRequired,
  TooManyAttempts,
  Unauthenticated,
  ValidationError,
  ValueRefused,
} from '../errors.ts';

export type Problem =
  | components['schemas']['Problem']
  | widgetComponents['schemas']['Problem']
  | dashboardComponents['schemas']['Problem'];
type Code = Problem['code'];
export type FieldErrors = { path: string; message: string }[];

/** Too many requests; `retryAfterSeconds` says when to retry. */
export class RateLimited extends Error {
  readonly retryAfterSeconds: number;
  readonly headers: Record<string, string>;
  constructor(retryAfterSeconds: number, headers: Record<string, string>) {
    super('Too many requests.');
    this.retryAfterSeconds = retryAfterSeconds;
    this.headers = headers;
  }
}

/** The path exists, but not with this method. */
export class MethodNotAllowed extends Error {
  readonly method: string;
  readonly methods: readonly string[];
  constructor(method: string, methods: readonly string[]) {
    super('Method not allowed.');
    this.method = method;
    this.methods = methods;
  }
}

/** A request that HTTP itself does not allow. */
export class MalformedRequest extends Error {}

export type ProblemResponse = {
  status: number;
  code: Code;
  detail: string;
  /** Where the code's own title does not fit the status. */
  title?: string;
  errors?: FieldErrors;
  headers?: Record<string, string>;
};

const titleByCode: Record<Code, string> = {
  invalid_request: 'Invalid request',
  invalid_cursor: 'Invalid cursor',
  unauthorized: 'Unauthorized',
  forbidden: 'Forbidden',
  passkey_required: 'Passkey required',
  origin_not_allowed: 'Origin not allowed',
  not_found: 'Not found',
  method_not_allowed: 'Method not allowed',
  conflict: 'Conflict',
  session_expired: 'Session expired',
  rate_limited: 'Too many requests',
  internal_error: 'Internal error',
  unavailable: 'Unavailable',
};

const unavailableRetrySeconds = 5;

const unauthorized: ProblemResponse = {
  status: 401,
  code: 'unauthorized',
  detail: 'The API key is not valid.',
  headers: { 'WWW-Authenticate': 'Bearer' },
};
const notSignedIn: ProblemResponse = {
  status: 401,
  code: 'unauthorized',
  detail: 'You are not signed in, or the credentials are not valid.',
  // RFC 9110, section 15.5.2 requires a challenge; browsers know no scheme of this name and show no password dialog.
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
  detail: 'There is nothing at this path.',
};
const internalError: ProblemResponse = {
  status: 500,
  code: 'internal_error',
  detail: 'The service failed. The error was logged.',
};
const unavailable: ProblemResponse = {
  status: 503,
  code: 'unavailable',
  detail: 'The service is temporarily unavailable. Retry later.',
  headers: { 'Retry-After': String(unavailableRetrySeconds) },
};
const invalidRequest = (errors: FieldErrors): ProblemResponse => ({
  status: 400,
  code: 'invalid_request',
  detail: 'The request is not valid. See errors.',
  errors,
});

/** The response to an error; an internal error for all that are not known here. */
export const toProblemResponse = (error: unknown): ProblemResponse => {
  if (error instanceof MissingCredentials) {
    return { ...(error.header === 'Authorization' ? unauthorized : forbidden), detail: error.message };
  }
  if (error instanceof Unauthenticated) return unauthorized;
  if (error instanceof NotSignedIn) return notSignedIn;
  if (error instanceof OriginNotAllowed) {
    const detail = 'The application does not allow the widget on this origin.';
    return { ...forbidden, code: 'origin_not_allowed', detail };
  }
  if (error instanceof PasskeyRequired) {
    const detail = 'An organization of yours requires a passkey, and this session was opened without one.';
    return { ...forbidden, code: 'passkey_required', detail };
  }
  if (error instanceof Forbidden) return forbidden;
  if (error instanceof NotFound) return { ...notFound, detail: error.message };
  if (error instanceof ValidationError) return validationProblem(error);
  if (error instanceof Conflict) {
    const detail = error.message || 'The session has changed, or does not allow this step.';
    return { status: 409, code: 'conflict', detail };
  }
  if (error instanceof LinkSessionExpired) {
    return { status: 410, code: 'session_expired', detail: 'The session has expired.' };
  }
  if (error instanceof RateLimited) return rateLimited(error);
  if (error instanceof TooManyAttempts) return rateLimited(new RateLimited(error.retryAfterSeconds, {}));
  if (error instanceof MethodNotAllowed) return methodNotAllowed(error);
  if (error instanceof MalformedRequest) return httpProblem(400, { Connection: 'close' });
  // A path that cannot be decoded names nothing.
  if (error instanceof URIError) return notFound;
  if (error instanceof BankUnreachable || error instanceof Busy || error instanceof DatabaseUnavailable)
    return unavailable;
  if (error instanceof ValueRefused)
    return invalidRequest([{ path: '/', message: 'has a value that cannot be used' }]);
  return isHttpError(error) ? fromStatus(error) : internalError;
};

const validationProblem = ({ code, problems }: ValidationError): ProblemResponse =>
  code === 'invalid_request'
    ? invalidRequest(problems)
    : {
        ...invalidRequest(problems),
        code,
        detail: 'The cursor does not belong to this list. Request the first page again.',
      };

const rateLimited = ({ retryAfterSeconds, headers }: RateLimited): ProblemResponse => ({
  status: 429,
  code: 'rate_limited',
  detail: `Too many requests. Retry in ${retryAfterSeconds} seconds.`,
  headers: { 'Retry-After': String(retryAfterSeconds), ...headers },
});

const methodNotAllowed = ({ method, methods }: MethodNotAllowed): ProblemResponse => ({
  status: 405,
  code: 'method_not_allowed',
  detail: `This path doesn't support ${method}.`,
  headers: { Allow: methods.join(', ') },
});

type HttpError = Error & { status: number; errors?: FieldErrors; headers?: Record<string, string> };
const isHttpError = (error: unknown): error is HttpError => error instanceof Error && 'status' in error;

// Errors of the request validator, the body parser and Express's static files.
const fromStatus = (error: HttpError): ProblemResponse => {
  switch (error.status) {
    case 400:
    case 413:
    case 415:
      return invalidRequest(fieldErrorsOf(error));
    case 404:
      return notFound;
    case 412:
    case 416:
      return httpProblem(error.status, error.headers);
    default:
      return internalError;
  }
};

const httpTitles: Record<number, string> = {
  400: 'Bad request',
  408: 'Request timeout',
  412: 'Precondition failed',
  416: 'Range not satisfiable',
  417: 'Expectation failed',
  431: 'Request header fields too large',
};

/** The response to a request that HTTP itself does not allow (RFC 9110, section 15.5). */
export const httpProblem = (status: number, headers: Record<string, string> = {}): ProblemResponse => ({
  status,
  code: 'invalid_request',
  title: httpTitles[status]!,
  detail: 'The request is not valid HTTP, or its headers cannot be satisfied.',
  headers,
});

/** The wrong fields of a validator's error. Its messages name fields and rules; the values that were sent are left out. */
export const fieldErrorsOf = (error: Error & { errors?: FieldErrors }): FieldErrors =>
  error.errors?.map(({ path, message }) => ({ path, message })) ?? [
    { path: '/body', message: 'cannot be read' },
  ];

// The codes of the public contract, explained at /problems/CODE; the others are of the private contracts.
const privateCodes: readonly Code[] = [
  'origin_not_allowed',
  'passkey_required',
  'conflict',
  'session_expired',
];
const documentedCodes = new Set(
  Object.keys(titleByCode).filter((code) => !privateCodes.includes(code as Code)),
);

/** The body of a problem response. */
export const toProblem = (
  { status, code, title, detail, errors }: ProblemResponse,
  { baseUrl, requestId }: { baseUrl: string; requestId: string },
): Problem => ({
  type: documentedCodes.has(code) ? `${baseUrl}/problems/${code}` : 'about:blank',
  title: title ?? titleByCode[code],
  status,
  detail,
  code: code as never,
  requestId,
  ...(errors && { errors }),
});

/** The same as one line of text: `Forbidden: These credentials do not allow this.` Wrong fields replace the detail. */
const toText = ({ title, detail, errors }: Problem): string =>
  `${title}: ${errors?.map(({ path, message }) => `${path} ${message}.`).join(' ') ?? detail}`;

/** What the log of requests has of a problem. */
export type LoggedProblem = { code: Code; parameters?: string[] };

const toLoggedProblem = ({ code, errors }: ProblemResponse): LoggedProblem => ({
  code,
  // As in /query/date/gte.
  ...(errors && { parameters: [...new Set(errors.map(({ path }) => path.split('/')[2] ?? 'unknown'))] }),
});

/** The last middleware: writes a problem response, or breaks off a response that has already begun. */
export const problemHandler =
  (baseUrl: string, log: (error: unknown, response: Response) => void): ErrorRequestHandler =>
  (error, _request, response, _next) => {
    const problem = toProblemResponse(error);
    response.locals.problem = toLoggedProblem(problem);
    // A value that only the database refuses is missing in the contract.
    // A refusal because others wait is no failure, and strangers can cause many.
    if ((problem.status >= 500 && !(error instanceof Busy)) || error instanceof ValueRefused)
      log(error, response);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const body = toProblem(problem, { baseUrl, requestId: response.get('Request-Id') ?? '' });
    // Headers that Express has set for the file which it then refused.
    for (const name of ['ETag', 'Last-Modified', 'Content-Encoding']) response.removeHeader(name);
    response.status(problem.status).set({ ...problem.headers, 'Cache-Control': 'no-store' });
    if (response.locals.refusesInText) response.type('text/plain').send(toText(body));
    else response.type('application/problem+json').send(JSON.stringify(body));
  };
