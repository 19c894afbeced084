// Maps errors to problem responses (RFC 9457). Only this file knows the status codes of errors. All reasons for a 401 give the same
// body, and so do all reasons for a 403, so that a response reveals nothing to an attacker. The exceptions are a missing header,
// the service's address, which is public, and the missing permission of a valid organization token.
import type { ErrorRequestHandler } from 'express';
import type { components } from '../../../generated/api.ts';
import type { components as dashboardComponents } from '../../../generated/management.ts';
import type { components as widgetComponents } from '../../../generated/widget.ts';
import type { Log } from '../../platform/telemetry/log.ts';
import {
  BankUnreachable,
  Busy,
  Conflict,
  DatabaseUnavailable,
  Forbidden,
  InvalidOrganizationToken,
  LinkSessionExpired,
  MissingCredentials,
  NotFound,
  NotSignedIn,
  OriginNotAllowed,
  PasskeyRequired,
  TokenForbidden,
  TooManyAttempts,
  Unauthenticated,
  ValidationError,
  ValueRefused,
  WrongOrigin,
} from '../../platform/values/errors.ts';

export type Problem =
  | components['schemas']['Problem']
  | widgetComponents['schemas']['Problem']
  | dashboardComponents['schemas']['Problem'];
type Code = Problem['code'];
export type FieldErrors = { path: string; message: string }[];

/** A rate limit is reached; `headers` describe it. */
export class RateLimited extends TooManyAttempts {
  readonly headers: Record<string, string>;
  constructor(retryAfterSeconds: number, headers: Record<string, string>) {
    super(retryAfterSeconds);
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
  title: string;
  detail: string;
  errors?: FieldErrors;
  headers?: Record<string, string>;
};

const statusAndTitle: Record<Code, [status: number, title: string]> = {
  invalid_request: [400, 'Invalid request'],
  invalid_cursor: [400, 'Invalid cursor'],
  unauthorized: [401, 'Unauthorized'],
  forbidden: [403, 'Forbidden'],
  passkey_required: [403, 'Passkey required'],
  origin_not_allowed: [403, 'Origin not allowed'],
  wrong_address: [403, 'Wrong address'],
  not_found: [404, 'Not found'],
  method_not_allowed: [405, 'Method not allowed'],
  conflict: [409, 'Conflict'],
  session_expired: [410, 'Session expired'],
  rate_limited: [429, 'Too many requests'],
  internal_error: [500, 'Internal error'],
  unavailable: [503, 'Unavailable'],
};

/** A response with the status and title of its code, unless `more` overrides them. */
const makeProblem = (code: Code, detail: string, more: Partial<ProblemResponse> = {}): ProblemResponse => {
  const [status, title] = statusAndTitle[code];
  return { status, code, title, detail, ...more };
};

const unauthorized = makeProblem('unauthorized', 'The API key is not valid.', {
  headers: { 'WWW-Authenticate': 'Bearer' },
});
const notSignedIn = makeProblem('unauthorized', 'You are not signed in, or the credentials are not valid.', {
  // RFC 9110, section 15.5.2 requires a challenge; browsers know no scheme of this name and show no password dialog.
  headers: { 'WWW-Authenticate': 'Session' },
});
const forbidden = makeProblem('forbidden', 'These credentials do not allow this.');
const originNotAllowed = makeProblem(
  'origin_not_allowed',
  'The application does not allow the widget on this origin.',
);
const passkeyRequired = makeProblem(
  'passkey_required',
  'One of your organizations requires a passkey: add one, or sign in with one.',
);
const notFound = makeProblem('not_found', 'This path does not exist.');
const internalError = makeProblem('internal_error', 'The service failed. The error was logged.');
/** While the service starts or stops, or cannot reach its database or a bank. */
export const unavailable = makeProblem(
  'unavailable',
  'The service is temporarily unavailable. Retry later.',
  {
    headers: { 'Retry-After': '5' },
  },
);
const invalidRequest = (errors: FieldErrors): ProblemResponse =>
  makeProblem('invalid_request', 'The request is not valid. See errors.', { errors });

const validationProblem = ({ code, problems: errors }: ValidationError): ProblemResponse => {
  if (code === 'invalid_request') return invalidRequest(errors);
  const detail = 'The cursor does not belong to this list. Request the first page again.';
  return makeProblem(code, detail, { errors });
};

const rateLimited = (error: TooManyAttempts): ProblemResponse => {
  const { retryAfterSeconds } = error;
  const headers = {
    'Retry-After': String(retryAfterSeconds),
    ...(error instanceof RateLimited && error.headers),
  };
  const wait = retryAfterSeconds === 1 ? '1 second' : `${retryAfterSeconds} seconds`;
  return makeProblem('rate_limited', `Too many requests. Retry in ${wait}.`, { headers });
};

const methodNotAllowed = ({ method, methods }: MethodNotAllowed): ProblemResponse =>
  makeProblem('method_not_allowed', `This path doesn't support ${method}.`, {
    headers: { Allow: methods.join(', ') },
  });

type HttpError = Error & { status: number; errors?: FieldErrors; headers?: Record<string, string> };

// Errors of the request validator, the body parser and Express's static files.
const fromStatus = (error: HttpError): ProblemResponse => {
  const { status, headers } = error;
  if (status === 404) return notFound;
  if ([400, 413, 415].includes(status)) return invalidRequest(fieldErrorsOf(error));
  return [412, 416].includes(status) ? httpProblem(status, headers) : internalError;
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
export const httpProblem = (status: number, headers: Record<string, string> = {}): ProblemResponse => {
  const detail = 'The request is not valid HTTP, or its headers cannot be satisfied.';
  return makeProblem('invalid_request', detail, { status, title: httpTitles[status]!, headers });
};

/** The wrong fields of a validator's error. Its messages name fields and rules, never values. */
export const fieldErrorsOf = (error: Error & { errors?: FieldErrors }): FieldErrors =>
  error.errors?.map(({ path, message }) => ({ path, message })) ?? [
    { path: '/body', message: 'cannot be read' },
  ];

type Respond = (error: unknown) => ProblemResponse | undefined;

/** The response to the errors of a class. */
const on =
  <Kind extends Error>(
    kind: abstract new (...values: never[]) => Kind,
    respond: (error: Kind) => ProblemResponse,
  ): Respond =>
  (error) =>
    error instanceof kind ? respond(error) : undefined;

/** The first match decides, so a class is listed before the class that it extends. */
const responses: readonly Respond[] = [
  on(MissingCredentials, ({ header, message }) => ({
    ...(header === 'Authorization' ? unauthorized : forbidden),
    detail: message,
  })),
  on(InvalidOrganizationToken, () => ({ ...unauthorized, detail: 'The organization token is not valid.' })),
  on(Unauthenticated, () => unauthorized),
  on(NotSignedIn, () => notSignedIn),
  on(OriginNotAllowed, () => originNotAllowed),
  on(WrongOrigin, ({ message }) => makeProblem('wrong_address', message)),
  on(PasskeyRequired, () => passkeyRequired),
  on(TokenForbidden, ({ message }) => makeProblem('forbidden', message)),
  on(Forbidden, () => forbidden),
  on(NotFound, ({ message }) => makeProblem('not_found', message)),
  on(ValidationError, validationProblem),
  on(Conflict, ({ message }) =>
    makeProblem('conflict', message || 'The session has changed or does not allow this step.'),
  ),
  on(LinkSessionExpired, () => makeProblem('session_expired', 'The session has expired.')),
  on(TooManyAttempts, rateLimited),
  on(MethodNotAllowed, methodNotAllowed),
  on(MalformedRequest, () => httpProblem(400, { Connection: 'close' })),
  // A path that cannot be decoded leads to no resource.
  on(URIError, () => notFound),
  on(BankUnreachable, () => unavailable),
  on(Busy, () => unavailable),
  on(DatabaseUnavailable, () => unavailable),
  on(ValueRefused, () => invalidRequest([{ path: '/', message: 'has a value that cannot be used' }])),
  on(Error, (error) => ('status' in error ? fromStatus(error as HttpError) : internalError)),
];

/** The response to an error; unknown errors are internal ones. */
export const toProblemResponse = (error: unknown): ProblemResponse => {
  for (const respond of responses) {
    const problem = respond(error);
    if (problem) return problem;
  }
  return internalError;
};

/** The codes of the private contracts. /problems/CODE explains those of the public contract. */
const privateCodes: readonly Code[] = [
  'origin_not_allowed',
  'wrong_address',
  'passkey_required',
  'conflict',
  'session_expired',
];

/** The body of a problem response. */
export const toProblem = (
  { status, code, title, detail, errors }: ProblemResponse,
  { baseUrl, requestId }: { baseUrl: string; requestId: string },
): Problem => ({
  type: privateCodes.includes(code) ? 'about:blank' : `${baseUrl}/problems/${code}`,
  title,
  status,
  detail,
  code: code as never,
  requestId,
  ...(errors && { errors }),
});

/** The problem as one line of text: `Forbidden: These credentials do not allow this.` Wrong fields replace the detail. */
const toText = ({ title, detail, errors }: Problem): string =>
  `${title}: ${errors?.map(({ path, message }) => `${path} ${message}.`).join(' ') ?? detail}`;

/** The fields of a problem in the request log. */
export type LoggedProblem = { code: Code; parameters?: string[] };

const toLoggedProblem = ({ code, errors }: ProblemResponse): LoggedProblem => ({
  code,
  // A path is, for example, /query/date/gte.
  ...(errors && { parameters: [...new Set(errors.map(({ path }) => path.split('/')[2] ?? 'unknown'))] }),
});

/** The last middleware: writes a problem response, or breaks off a response that has already begun. */
export const problemHandler =
  (baseUrl: string, log: Log): ErrorRequestHandler =>
  (error, _request, response, _next) => {
    const requestId = response.get('Request-Id') ?? '';
    const { operation, refusesInText } = response.locals;
    const problem = toProblemResponse(error);
    response.locals.problem = toLoggedProblem(problem);
    // If only the database refuses a value, the contract lacks a rule.
    // Busy is not a failure, and strangers can cause many of them.
    if ((problem.status >= 500 && !(error instanceof Busy)) || error instanceof ValueRefused)
      log.error({ err: error, requestId, operation }, 'request failed');
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const body = toProblem(problem, { baseUrl, requestId });
    // Express set these headers for a file that it then refused.
    for (const name of ['ETag', 'Last-Modified', 'Content-Encoding']) response.removeHeader(name);
    response.status(problem.status).set({ ...problem.headers, 'Cache-Control': 'no-store' });
    if (refusesInText) response.type('text/plain').send(toText(body));
    else response.type('application/problem+json').send(JSON.stringify(body));
  };
