// Watches the nodes of a Citus cluster. Statements for a node that is down or hangs would wait in Citus until they occupy every
// connection of the process. The watch detects such a node within seconds. It then aborts waiting statements and fails later
// ones at once, so that users of the other nodes are still served.
import type pg from 'pg';
import { pause } from '../loops/loop.ts';
import { DatabaseUnavailable } from '../values/errors.ts';
import { hashText } from '../values/textHash.ts';
import { deadlineAfter, inTime } from './waits.ts';

const everyMs = 1000;
/** A node that takes longer to respond counts as down. */
const answerMs = 2000;
/** If a node does not respond, a statement that may need any node is aborted after this time. */
const anyNodeMs = 1000;
/** Enough to find a key on every node. With replicated shards, a node that is never the first of a shard has no key. */
const keyAttemptsMax = 10_000;

const notAnswered = 'A node of the database does not answer.';

/** The statement needs a node that does not respond. */
export class NodeUnavailable extends DatabaseUnavailable {
  constructor() {
    super(notAnswered);
  }
}

export type NodeWatch = {
  /**
   * The result of a statement with these values. Throws NodeUnavailable if its node does not respond. Throws DatabaseUnavailable,
   * after calling `giveUp`, if it has waited too long when a node stops responding.
   */
  guard<Answer>(values: readonly unknown[], ask: () => Promise<Answer>, giveUp: () => void): Promise<Answer>;
  /** The nodes that do not respond, as `name:port`. */
  out(): ReadonlySet<string>;
  /** Calls `report` with each node that stops responding. */
  onOut(report: (node: string) => void): void;
  stop(): Promise<void>;
};

type Shard = { min: number; max: number; node: string };
type Waiting = { node: string | undefined; since: number; giveUp(): void };
type ProbeClient = pg.Client & { connection: { stream: { destroy(): void } } };

const shardsQuery = `
  select shardminvalue::int as min, shardmaxvalue::int as max, nodename || ':' || nodeport as node
  from pg_dist_shard join pg_dist_placement using (shardid) join pg_dist_node using (groupid)
  where logicalrelid = 'end_users'::regclass and shardminvalue is not null and noderole = 'primary'`;
const probeQuery = 'select 1 from end_users where end_user_id = $1';

/** The ids that tables are distributed by; those of one end user are all on one node (ids.ts). */
const isKey = (value: unknown): value is string =>
  typeof value === 'string' && /^(usr|con|acc|lks|sfa)_\w{22}$/.test(value);

/** Watches until it is stopped, on its own connection, which `open` opens. */
export const watchNodes = (open: () => Promise<ProbeClient>): NodeWatch => {
  let shards: Shard[] = [];
  const out = new Set<string>();
  const waiting = new Set<Waiting>();
  const reports: ((node: string) => void)[] = [];
  const nodeOf = (key: string): string | undefined => {
    const hash = hashText(key);
    return shards.find(({ min, max }) => min <= hash && hash <= max)?.node;
  };
  const markOut = (node: string): void => {
    if (!out.has(node)) for (const report of reports) report(node);
    out.add(node);
    const longAgo = performance.now() - anyNodeMs;
    for (const one of waiting) if (one.node === node || (!one.node && one.since < longAgo)) one.giveUp();
  };
  const probe = makeProbe(open);
  const stopping = new AbortController();
  const check = async (): Promise<void> => {
    shards = (await probe.ask(shardsQuery, [])) as Shard[];
    for (const [node, key] of keyOfEachNode(shards, nodeOf)) {
      const isUp = await probe.ask(probeQuery, [key]).then(
        () => true,
        () => false,
      );
      if (stopping.signal.aborted) return;
      if (isUp) out.delete(node);
      else markOut(node);
    }
  };
  const watch = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await pause(everyMs, stopping.signal);
      // If the coordinator does not respond, the check fails and the nodes keep their state.
      if (!stopping.signal.aborted) await check().catch(() => {});
    }
  };
  const watching = watch();
  return {
    guard: async (values, ask, giveUp) => {
      const key = values.find(isKey);
      const node = key && nodeOf(key);
      if (node && out.has(node)) throw new NodeUnavailable();
      const lost = Promise.withResolvers<never>();
      lost.promise.catch(() => {});
      const one: Waiting = {
        ...{ node, since: performance.now() },
        giveUp: () => {
          lost.reject(node ? new NodeUnavailable() : new DatabaseUnavailable(notAnswered));
          giveUp();
        },
      };
      waiting.add(one);
      try {
        return await Promise.race([ask(), lost.promise]);
      } finally {
        waiting.delete(one);
      }
    },
    out: () => out,
    onOut: (report) => void reports.push(report),
    stop: async () => {
      stopping.abort();
      probe.close();
      await watching;
    },
  };
};

/** A key of an end user on each node that has shards; it need not exist. */
const keyOfEachNode = (
  shards: readonly Shard[],
  nodeOf: (key: string) => string | undefined,
): Map<string, string> => {
  const nodes = new Set(shards.map(({ node }) => node));
  const keys = new Map<string, string>();
  for (let attempt = 0; keys.size < nodes.size && attempt < keyAttemptsMax; attempt++) {
    const node = nodeOf(String(attempt));
    if (node && !keys.has(node)) keys.set(node, String(attempt));
  }
  return keys;
};

/** Queries on one connection, which is replaced after a failed statement. */
const makeProbe = (open: () => Promise<ProbeClient>) => {
  let opening: Promise<ProbeClient> | undefined;
  const close = (): void => {
    opening?.then((client) => client.connection.stream.destroy()).catch(() => {});
    opening = undefined;
  };
  const ask = async (text: string, values: unknown[]): Promise<unknown[]> => {
    const deadline = deadlineAfter(answerMs);
    const asking = async () => {
      opening ??= open();
      return (await (await opening).query(text, values)).rows;
    };
    try {
      return await inTime(asking(), deadline, { message: 'No answer in time.', giveUp: close });
    } catch (error) {
      close();
      throw error;
    }
  };
  return { ask, close };
};
