// Runs Prism as a validating proxy in front of a real server: a second implementation of the contract's validation, which
// shares no code with that of the service. It reports violations and forwards every response. It reserializes bodies,
// so exact digits of amounts are tested without it, as are requests that Prism cannot proxy: HEAD, a truncated
// response, and a path with invalid percent-encoding.
import { getHttpOperationsFromSpec } from '@stoplight/prism-http';
import { createServer } from '@stoplight/prism-http-server';
import { pino } from 'pino';
import { readContract } from '../../src/interfaces/http/contract.ts';
import { closeSchemas } from '../../src/interfaces/http/responseValidator.ts';

export type Violation = {
  part: 'request' | 'response';
  method: string;
  /** Path and query of the request. */
  path: string;
  /** The status of the response. A success status for an invalid request is a violation by the server. */
  status: number;
  /** The path within the request or response, for example `body.transactions.0.amount`; empty for all of it. */
  location: string;
  message: string;
};

export type PrismProxy = {
  url: string;
  /** The violations since the start or the last `reset`, in the order of the responses. */
  violations(): Violation[];
  /** The server's violations: all in responses, and those in requests that it answered with success. */
  serverViolations(): Violation[];
  reset(): void;
  close(): Promise<void>;
};

const timeoutSeconds = 30;
// Prism reads schemas as draft 7, which cannot close them, unless the contract names the later draft.
const readClosed = (source: string) => ({
  ...closeSchemas(readContract(source)),
  jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
});

/** Starts Prism on a free port in front of a server that should implement a contract, by default openapi.yaml. */
export const startPrismProxy = async (upstreamUrl: string, source = 'openapi.yaml'): Promise<PrismProxy> => {
  const server = createServer(await getHttpOperationsFromSpec(readClosed(source)), {
    cors: false,
    config: {
      isProxy: true,
      upstream: new URL(upstreamUrl),
      upstreamProxy: undefined,
      checkSecurity: true,
      validateRequest: true,
      validateResponse: true,
      errors: false,
      mock: { dynamic: false },
    },
    components: { logger: pino({ level: 'silent' }) },
  });
  let found: Violation[] = [];

  // Prism reports violations in a header that it truncates at 8 kB, so they are collected from its internal result.
  const { prism } = server;
  const sendRequest = prism.request;
  prism.request = (input, operations, config) => async () => {
    const request = {
      method: input.method.toUpperCase(),
      path: input.url.path + formatQuery(input.url.query),
    };
    const result = await withTimeout(() => sendRequest(input, operations, config)());
    if (result._tag === 'Left') {
      found.push({ part: 'response', ...request, status: 500, location: '', message: result.left.message });
      return result;
    }
    const { output, validations } = result.right;
    for (const part of ['request', 'response'] as const) {
      for (const { path, message } of part === 'request' ? validations.input : validations.output) {
        found.push({
          part,
          ...request,
          status: output.statusCode,
          location: (path ?? []).join('.'),
          message,
        });
      }
    }
    return result;
  };

  return {
    url: await server.listen(0, '127.0.0.1'),
    violations: () => [...found],
    serverViolations: () => found.filter(({ part, status }) => part === 'response' || status < 400),
    reset: () => {
      found = [];
    },
    close: () => server.close(),
  };
};

// Prism throws instead of responding, and waits forever for the rest of a truncated response.
const withTimeout = async <Result>(
  send: () => Promise<Result>,
): Promise<Result | { _tag: 'Left'; left: Error }> => {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`No complete response in ${timeoutSeconds} seconds.`)),
      timeoutSeconds * 1000,
    );
  });
  try {
    return await Promise.race([send(), timeout]);
  } catch (error) {
    return { _tag: 'Left', left: error as Error };
  } finally {
    clearTimeout(timer);
  }
};

const formatQuery = (query: Record<string, string | string[]> = {}): string => {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one) => `${name}=${one}`),
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
};
