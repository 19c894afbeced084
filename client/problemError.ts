// Turns an error response from the service (a problem document, RFC 9457) into an exception.
import { retryAfterSeconds } from './retry.ts';
import type { Problem, ProblemCode } from './types.ts';

/** An error response from the service, or from a proxy in front of it. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly status: number;
  /** One of the contract's codes; undefined if the response is not from the service. */
  readonly code: ProblemCode | undefined;
  readonly title: string;
  readonly detail: string | undefined;
  /** The request's id in the service's log, for questions to the operator. */
  readonly requestId: string | undefined;
  /** The invalid parameters; empty unless `status` is 400. */
  readonly errors: { path: string; message: string }[];
  readonly retryAfterSeconds: number | undefined;

  constructor(response: Response, body: unknown) {
    const problem: Partial<Problem> = typeof body === 'object' && body !== null ? body : {};
    const title = problem.title ?? `The service responded with ${response.status}`;
    super(problem.detail ? `${title}: ${problem.detail}` : title);
    this.status = response.status;
    this.code = problem.code;
    this.title = title;
    this.detail = problem.detail;
    this.requestId = problem.requestId ?? response.headers.get('request-id') ?? undefined;
    this.errors = problem.errors ?? [];
    this.retryAfterSeconds = retryAfterSeconds(response.headers);
  }
}

type Result<Data> = { data?: Data; error?: unknown; response: Response };

/**
 * Returns the data of a request or throws a ProblemError:
 * `const { accounts } = await unwrap(client.GET('/connections/{connectionId}/accounts', { params }))`.
 * Returns undefined for a response without a body (revokeConnection).
 */
export const unwrap = async <R extends Result<unknown>>(result: R | Promise<R>): Promise<DataOf<R>> => {
  const { data, error, response } = await result;
  if (!response.ok) throw new ProblemError(response, error);
  return data as DataOf<R>;
};

// The type of `data` in a successful result; a failed one has no data.
type DataOf<R> = R extends { error?: never; data: infer Data } ? Data : never;
