// Pipelines reads for requests on PostgreSQL: a statement is sent without waiting for earlier results on its connection. Two
// connections thus serve many requests, and the server reads several statements from one packet. All statements here are short,
// because a slow one would delay those behind it.
import type pg from 'pg';
import { DatabaseUnavailable } from '../values/errors.ts';
import type { Result, Run } from './driver.ts';
import { type Deadline, inTime } from './waits.ts';

const linesMax = 2;
/** Above this many, another connection is faster. */
const unansweredOfFirst = 16;
/** Per connection; above this many, the pool is faster. */
const unansweredMax = 100;

type Line<Client> = { client: Client | Promise<Client>; unanswered: number; isHeld: boolean };

const byUnanswered = (left: Line<unknown>, right: Line<unknown>): number =>
  left.unanswered - right.unanswered;

/** A client with the socket that `pg` keeps. */
export type PipelinedClient = pg.ClientBase & {
  connection: { stream: { cork(): void; uncork(): void } };
  end(): Promise<void>;
};

/** Uses connections that `connect` opens with `pipeline: true`; `ask` sends a statement on one. */
export const makePipeline = <Client extends PipelinedClient>(
  connect: () => Promise<Client>,
  ask: (client: Client, deadline: Deadline, ...statement: Parameters<Run>) => Promise<Result>,
) => {
  const lines = new Set<Line<Client>>();
  const openLine = (): Line<Client> => {
    const connecting = connect();
    const line: Line<Client> = { client: connecting, unanswered: 0, isHeld: false };
    connecting.then(
      (client) => {
        line.client = client.on('error', () => close(line));
      },
      () => close(line),
    );
    lines.add(line);
    return line;
  };
  const close = async (line: Line<Client>): Promise<void> => {
    if (!lines.delete(line)) return;
    await Promise.resolve(line.client).then((client) => client.end(), ignore);
  };
  /** Prefers the first connection while it responds quickly, so that statements are sent together. */
  const findLine = (): Line<Client> => {
    const [first, second = first] = lines;
    if (first && first.unanswered < unansweredOfFirst) return first;
    return lines.size < linesMax ? openLine() : [first!, second!].sort(byUnanswered)[0]!;
  };
  const askOn = async (line: Line<Client>, deadline: Deadline, statement: Parameters<Run>) => {
    const message = 'No connection to the database could be opened in time.';
    const client =
      line.client instanceof Promise
        ? await inTime(line.client, deadline, { message, giveUp: ignore })
        : line.client;
    holdBack(line, client);
    return ask(client, deadline, ...statement);
  };
  return {
    isFull: (): boolean =>
      lines.size === linesMax && [...lines].every(({ unanswered }) => unanswered >= unansweredMax),
    read: async (deadline: Deadline, ...statement: Parameters<Run>): Promise<Result> => {
      const line = findLine();
      line.unanswered += 1;
      try {
        return await askOn(line, deadline, statement);
      } catch (error) {
        // The other statements on this connection get no response either.
        if (error instanceof DatabaseUnavailable) void close(line);
        throw error;
      } finally {
        line.unanswered -= 1;
      }
    },
    use: () => {
      const used = [...lines].filter(({ unanswered }) => unanswered > 0).length;
      return { used, free: lines.size - used, waiting: 0 };
    },
    close: async (): Promise<void> => {
      await Promise.all([...lines].map(close));
    },
  };
};

/** Sends the statements of one turn of the event loop together: writing to a socket takes as long as reading a short result. */
const holdBack = (line: Line<PipelinedClient>, { connection: { stream } }: PipelinedClient): void => {
  if (line.isHeld) return;
  line.isHeld = true;
  stream.cork();
  setImmediate(() => {
    line.isHeld = false;
    stream.uncork();
  });
};

const ignore = (): void => {};
