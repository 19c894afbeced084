// A consumer's endpoint: an HTTP server on loopback that keeps the requests it receives.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished, vi } from 'vitest';
import type { WebhookEvent } from '../../client/index.ts';

export type ReceivedWebhook = {
  id: string;
  headers: IncomingHttpHeaders;
  body: string;
  event: WebhookEvent;
};

export type Receiver = {
  url: string;
  received: ReceivedWebhook[];
  /** Responds to each request; by default with 204. */
  answer: (response: ServerResponse, webhook: ReceivedWebhook) => void;
  /** Waits until this many requests were received, and returns all. */
  waitFor(count: number): Promise<ReceivedWebhook[]>;
  /** Waits until the last request has this type, and returns it. */
  waitForType<Type extends WebhookEvent['type']>(
    type: Type,
  ): Promise<ReceivedWebhook & { event: Extract<WebhookEvent, { type: Type }> }>;
};

/** Starts a receiver that is closed when the test ends. */
export const startReceiver = async (): Promise<Receiver> => {
  const receiver = await openReceiver();
  onTestFinished(receiver.close);
  return receiver;
};

/** Starts a receiver that the caller closes. */
export const openReceiver = async (): Promise<Receiver & { close(): Promise<void> }> => {
  const received: ReceivedWebhook[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const { headers } = request;
    const webhook = { id: String(headers['webhook-id']), headers, body, event: JSON.parse(body) };
    received.push(webhook);
    receiver.answer(response, webhook);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: Awaited<ReturnType<typeof openReceiver>> = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    received,
    answer: (response) => response.writeHead(204).end(),
    waitFor: async (count) => {
      await vi.waitUntil(() => received.length >= count, { timeout: 30_000, interval: 20 });
      return received;
    },
    waitForType: async (type) => {
      const ofType = () => received.findLast(({ event }) => event.type === type);
      await vi.waitUntil(ofType, { timeout: 30_000, interval: 20 });
      return ofType() as never;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
};
