// The client for the management API, typed from its contract. Every failure becomes an ApiError.
import createClient from 'openapi-fetch';
import type { components, paths } from '../../generated/management.ts';

export type Schemas = components['schemas'];
type Problem = Schemas['Problem'];

export const apiClient = createClient<paths>({
  baseUrl: '',
  // Pages from other origins cannot send this header, and the service rejects changes without it (CSRF).
  headers: { 'Dashboard-Request': '1' },
  querySerializer: { object: { style: 'deepObject', explode: true } },
});

export type ApiErrorCode = Problem['code'] | 'unreachable';

/** An error response from the service, or `unreachable` if there is none. */
export class ApiError extends Error {
  readonly code: ApiErrorCode;
  readonly errors: Problem['errors'];
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  constructor(code: ApiErrorCode, problem: Partial<Problem> = {}, retryAfterSeconds?: number) {
    super(problem.detail ?? 'The service cannot be reached.');
    this.code = code;
    this.errors = problem.errors;
    this.requestId = problem.requestId;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

type ApiResult<Data> = { data?: Data; error?: unknown; response: Response };

/** The body of a successful response. Throws ApiError. */
export const unwrap = async <Data>(request: Promise<ApiResult<Data>>): Promise<Data> => {
  const { data, error, response } = await request.catch(() => {
    throw new ApiError('unreachable');
  });
  if (response.ok) return data as Data;
  throw toApiError(error, response);
};

const toApiError = (error: unknown, response: Response): ApiError => {
  const retryAfter = Number(response.headers.get('Retry-After')) || undefined;
  // A proxy may respond with a body that is not problem+json.
  if (!isProblem(error)) return new ApiError('unavailable', {}, retryAfter);
  return new ApiError(error.code, error, retryAfter);
};

const isProblem = (error: unknown): error is Problem =>
  typeof error === 'object' && error !== null && 'code' in error && 'detail' in error;

const messagesByCode: Partial<Record<ApiErrorCode, string>> = {
  unreachable: 'The service cannot be reached. Check your network, then try again.',
  unavailable: 'The service is unavailable. Try again in a moment.',
  internal_error: 'Something went wrong in the service. The error was logged. Try again in a moment.',
  unauthorized: 'Your session has ended. Sign in again.',
  forbidden: 'Your role doesn’t allow this. Ask an owner of the organization.',
  not_found: 'This no longer exists, or you don’t have access to it.',
};

/** The message to show to the member for any error. */
export const errorMessage = (error: unknown): string => {
  if (!(error instanceof ApiError)) return 'Something went wrong on this page. Try again.';
  if (error.code === 'rate_limited') return rateLimitMessage(error.retryAfterSeconds ?? 60);
  if (error.errors?.length)
    return error.errors.map(({ path, message }) => validationMessage(path, message)).join(' ');
  return messagesByCode[error.code] ?? error.message;
};

const rateLimitMessage = (seconds: number): string => {
  const wait = seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
  return `Too many attempts. Wait ${wait}, then try again.`;
};

const validationMessage = (path: string, message: string): string => {
  const field = path.replace(/^\/(body|query)\/?/, '').replaceAll('/', ' ');
  return `${field ? `${field}: ` : ''}${message}${/[.!?]$/.test(message) ? '' : '.'}`;
};
