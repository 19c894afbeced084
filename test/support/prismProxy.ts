// Prism as a validating proxy in front of a real server: a second reader of the contract, which shares no code
// with the validator that the service itself runs. It reports and never enforces: every answer goes through.
// What it passes on it has parsed and printed again, so the exact digits of money are tested without it; and
// so are what Prism cannot pass on: HEAD, a torn answer, a path that is not well percent-encoded.
import { fileURLToPath } from 'node:url';
import { getHttpOperationsFromSpec } from '@stoplight/prism-http';
import { createServer } from '@stoplight/prism-http-server';
import { pino } from 'pino';

export type Violation = {
  part: 'request' | 'response';
  /** Of the request in question. */
  method: string;
  /** With its query, as it was asked. */
  path: string;
  /** What the server answered. A violation in a request that was answered with success is a disagreement. */
  status: number;
  /** Where in the request or response, for example `body.transactions.0.amount`; empty for the whole of it. */
  location: string;
  message: string;
};

export type PrismProxy = {
  url: string;
  /** What was found since the start or the last `forget`, in the order of the answers. */
  violations(): Violation[];
  /** Those that are the server's: all in responses, and those in requests that it answered with success. */
  serverViolations(): Violation[];
  reset(): void;
  close(): Promise<void>;
};

const timeoutSeconds = 30;
const contract = fileURLToPath(new URL('../../openapi.yaml', import.meta.url));

/** Starts Prism on a free port in front of a server that fulfils openapi.yaml, or means to. */
export const startPrismProxy = async (upstreamUrl: string): Promise<PrismProxy> => {
  const server = createServer(await getHttpOperationsFromSpec(contract), {
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

  // Prism tells the caller in a header that it cuts at 8 kB, so the list is taken where it is whole.
  const { prism } = server;
  const ask = prism.request;
  prism.request = (input, operations, config) => async () => {
    const asked = { method: input.method.toUpperCase(), path: input.url.path + formatQuery(input.url.query) };
    const result = await withTimeout(() => ask(input, operations, config)());
    if (result._tag === 'Left') {
      found.push({ part: 'response', ...asked, status: 500, location: '', message: result.left.message });
      return result;
    }
    const { output, validations } = result.right;
    for (const part of ['request', 'response'] as const) {
      for (const { path, message } of part === 'request' ? validations.input : validations.output) {
        found.push({ part, ...asked, status: output.statusCode, location: (path ?? []).join('.'), message });
      }
    }
    return result;
  };

  return {
    url: await server.listen(0, '127.0.0.1'),
    violations: () => [...found],
    serverViolations: () => found.filter(({ part: where, status }) => where === 'response' || status < 400),
    reset: () => {
      found = [];
    },
    close: () => server.close(),
  };
};

// Prism throws where it should answer, and waits for ever for the rest of a torn answer.
const withTimeout = async <Result>(
  ask: () => Promise<Result>,
): Promise<Result | { _tag: 'Left'; left: Error }> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`No whole answer in ${timeoutSeconds} seconds.`)),
      timeoutSeconds * 1000,
    );
  });
  try {
    return await Promise.race([ask(), late]);
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
