// The load: connections that are kept alive, each asking again as soon as it has its answer, over bare sockets,
// because an HTTP client would need more of the machine than the servers that it measures. It understands
// answers with a Content-Length, which is what all contenders send for a page.
import { connect, type Socket } from 'node:net';

export type LoadRequest = { port: number; path: string; headers?: Record<string, string> };

export type Load = {
  connections: number;
  milliseconds: number;
  /** Stops sooner when this many were answered. */
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

/** Asks for `milliseconds`, the connections spread over the requests. Throws at the first answer that is not 200. */
export const runLoad = async (requests: readonly LoadRequest[], load: Load): Promise<LoadResult> => {
  const latencies: number[] = [];
  const started = performance.now();
  const until = started + load.milliseconds;
  const max = load.requestsMax ?? Number.POSITIVE_INFINITY;
  const goOn = (latency: number): boolean => {
    latencies.push(latency);
    return performance.now() < until && latencies.length < max;
  };
  const connections = Array.from({ length: load.connections }, (_, at) =>
    requestRepeatedly(requests[at % requests.length]!, goOn),
  );
  await Promise.all(connections);
  return { requests: latencies.length, seconds: (performance.now() - started) / 1000, latencies };
};

const requestRepeatedly = (request: LoadRequest, goOn: (latency: number) => boolean): Promise<void> => {
  const bytes = encodeRequest(request);
  return new Promise((resolve, reject) => {
    const socket = connect(request.port, '127.0.0.1').setNoDelay(true);
    let asked = performance.now();
    const answer = parseResponses((failure) => {
      if (failure) {
        socket.destroy();
        return reject(new Error(`${request.path}: ${failure}`));
      }
      const now = performance.now();
      if (!goOn(now - asked)) {
        socket.destroy();
        return resolve();
      }
      asked = now;
      socket.write(bytes);
    });
    socket.on('data', answer);
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`${request.path}: the connection was closed`)));
    socket.on('connect', () => socket.write(bytes));
  });
};

/** Counts bytes until an answer is whole; `done` gets what is wrong with it, if anything is. */
export const parseResponses = (done: (failure?: string) => void): ((chunk: Buffer) => void) => {
  let head: Buffer | undefined;
  let missing = 0;
  return (given) => {
    let chunk = given;
    if (missing === 0) {
      chunk = head ? Buffer.concat([head, given]) : given;
      const end = chunk.indexOf('\r\n\r\n');
      head = end < 0 ? chunk : undefined;
      if (end < 0) return;
      const text = chunk.toString('latin1', 0, end);
      const length = /content-length: *(\d+)/i.exec(text)?.[1];
      if (!text.startsWith('HTTP/1.1 200') || length === undefined)
        return done(chunk.toString().slice(0, 600));
      missing = end + 4 + Number(length);
    }
    missing -= chunk.length;
    if (missing === 0) done();
  };
};

/** Connections that are there and ask for nothing. */
export const openIdleConnections = async (port: number, count: number): Promise<Socket[]> => {
  const opened = Array.from({ length: count }, () => {
    const socket = connect(port, '127.0.0.1');
    return new Promise<Socket>((resolve, reject) => {
      socket.once('connect', () => resolve(socket));
      socket.once('error', reject);
    });
  });
  return Promise.all(opened);
};
