// An HTTP load generator: each keep-alive connection sends its next request as soon as it has the response.
// It uses bare sockets, because an HTTP client would take more CPU time than the servers under test. It reads only
// responses with a Content-Length, which all targets send for a page.
import { connect } from 'node:net';

export type LoadRequest = { port: number; path: string; headers?: Record<string, string> };

export type Load = {
  connections: number;
  milliseconds: number;
  /** Ends the load early after this many responses. */
  requestsMax?: number;
};

export type LoadResult = { requests: number; seconds: number; latencies: number[] };

/** The bytes of a GET request. */
export const encodeRequest = ({ port, path, headers = {} }: LoadRequest): Buffer =>
  Buffer.from(
    [
      `GET ${path} HTTP/1.1`,
      `Host: 127.0.0.1:${port}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      '',
      '',
    ].join('\r\n'),
  );

/** Sends requests for `milliseconds`, spread over the connections. Throws at the first response that is not a 200. */
export const runLoad = async (requests: readonly LoadRequest[], load: Load): Promise<LoadResult> => {
  const latencies: number[] = [];
  const started = performance.now();
  const deadline = started + load.milliseconds;
  const max = load.requestsMax ?? Number.POSITIVE_INFINITY;
  const shouldContinue = (latency: number): boolean => {
    latencies.push(latency);
    return performance.now() < deadline && latencies.length < max;
  };
  const connections = Array.from({ length: load.connections }, (_, index) =>
    requestRepeatedly(requests[index % requests.length]!, shouldContinue),
  );
  await Promise.all(connections);
  return { requests: latencies.length, seconds: (performance.now() - started) / 1000, latencies };
};

const requestRepeatedly = (
  request: LoadRequest,
  shouldContinue: (latency: number) => boolean,
): Promise<void> => {
  const bytes = encodeRequest(request);
  return new Promise((resolve, reject) => {
    const socket = connect(request.port, '127.0.0.1').setNoDelay(true);
    let sentAt = performance.now();
    const onData = parseResponses((failure) => {
      if (failure) {
        socket.destroy();
        return reject(new Error(`${request.path}: ${failure}`));
      }
      const now = performance.now();
      if (!shouldContinue(now - sentAt)) {
        socket.destroy();
        return resolve();
      }
      sentAt = now;
      socket.write(bytes);
    });
    socket.on('data', onData);
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`${request.path}: the connection was closed`)));
    socket.on('connect', () => socket.write(bytes));
  });
};

/** Counts bytes and calls `done` at the end of each response, with a message if it is not a complete 200. */
export const parseResponses = (done: (failure?: string) => void): ((chunk: Buffer) => void) => {
  let head: Buffer | undefined;
  let missingBytes = 0;
  return (received) => {
    let chunk = received;
    if (missingBytes === 0) {
      chunk = head ? Buffer.concat([head, received]) : received;
      const end = chunk.indexOf('\r\n\r\n');
      head = end < 0 ? chunk : undefined;
      if (end < 0) return;
      const text = chunk.toString('latin1', 0, end);
      const length = /content-length: *(\d+)/i.exec(text)?.[1];
      if (!text.startsWith('HTTP/1.1 200') || length === undefined)
        return done(chunk.toString().slice(0, 600));
      missingBytes = end + 4 + Number(length);
    }
    missingBytes -= chunk.length;
    if (missingBytes === 0) done();
  };
};
