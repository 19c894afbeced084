// A refusal of the service (RFC 9457) as an error that can be caught by name and decided on by `code`.
import { retryAfterSeconds } from './retryAfter.ts';
import type { Problem, ProblemCode } from './types.ts';

/** What the service, or something on the way to it, answered instead of data. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly status: number;
  /** From the contract's closed list; undefined where the answer did not come from the service itself. */
  readonly code: ProblemCode | undefined;
  readonly title: string;
  readonly detail: string | undefined;
  /** Quote it when asking the operator: the service's log has the same. */
  readonly requestId: string | undefined;
  /** What was wrong with which parameter; empty unless `status` is 400. */
  readonly errors: { path: string; message: string }[];
  readonly retryAfterSeconds: number | undefined;

  constructor(response: Response, body: unknown) {
    const problem: Partial<Problem> = typeof body === 'object' && body !== null ? body : {};
    const title = problem.title ?? `The service answered ${response.status}`;
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
 * The data of a call, or a ProblemError thrown:
 * `const { accounts } = await unwrap(client.GET('/connections/{connectionId}/accounts', { params }))`.
 * A call that answers without a body (revoke) gives undefined.
 */
export const unwrap = async <R extends Result<unknown>>(result: R | Promise<R>): Promise<DataOf<R>> => {
  const { data, error, response } = await result;
  if (!response.ok) throw new ProblemError(response, error);
  return data as DataOf<R>;
};

// What `data` is once a call has succeeded: the failing half of the union has none and falls away.
type DataOf<R> = R extends { error?: never; data: infer Data } ? Data : never;
