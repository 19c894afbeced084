// A trace collector: an HTTP server on loopback that accepts OTLP as JSON and keeps the spans.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { onTestFinished, vi } from 'vitest';

type KeyValue = { key: string; value: { stringValue?: string; intValue?: number } };
type OtlpSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: KeyValue[];
  status: { code: number };
};
type Export = {
  resourceSpans: { resource: { attributes: KeyValue[] }; scopeSpans: { spans: OtlpSpan[] }[] }[];
};

export type ReceivedSpan = Omit<OtlpSpan, 'attributes'> & { attributes: Record<string, string | undefined> };

export type Collector = {
  url: string;
  /** The headers and the text of each request. */
  requests: { path: string | undefined; headers: Record<string, unknown>; text: string }[];
  spans(): ReceivedSpan[];
  /** The attributes of the resource of the first request. */
  resource(): Record<string, string | undefined>;
  /** Waits for a matching span, and returns the first one. */
  waitFor(isWanted: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan>;
};

const toRecord = (attributes: KeyValue[]): Record<string, string | undefined> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? String(value.intValue)]));

/** Starts a collector that is closed when the test ends. It responds with `status`, by default 200, or never if `silent`. */
export const startCollector = async ({
  status = 200,
}: {
  status?: number | 'silent';
} = {}): Promise<Collector> => {
  const requests: Collector['requests'] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const isCompressed = request.headers['content-encoding'] === 'gzip';
    const text = (isCompressed ? gunzipSync(body) : body).toString();
    requests.push({ path: request.url, headers: request.headers, text });
    if (status === 'silent') return;
    response.writeHead(status, { 'Content-Type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const exports = () => requests.map(({ text }): Export => JSON.parse(text));
  const spans = (): ReceivedSpan[] =>
    exports()
      .flatMap(({ resourceSpans }) => resourceSpans.flatMap(({ scopeSpans }) => scopeSpans))
      .flatMap((scope) => scope.spans.map((span) => ({ ...span, attributes: toRecord(span.attributes) })));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ requests, spans },
    resource: () => toRecord(exports()[0]!.resourceSpans[0]!.resource.attributes),
    waitFor: (isWanted) => vi.waitUntil(() => spans().find(isWanted), { timeout: 30_000, interval: 20 }),
  };
};
