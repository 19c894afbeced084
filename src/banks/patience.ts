// A bank that hangs must not hang us: every call, and every chunk of a history, is cut off after a limit, also
// where a connector forgets to listen to its signal.
import { BankUnreachable } from '../errors.ts';
import type { Bank, BankEntry, Call } from './bank.ts';

/** The same bank, with every wait for it limited. */
export const withPatience = (bank: Bank, limitMs: number): Bank => ({
  signIn: (request, call) => within(call, limitMs, (limited) => bank.signIn(request, limited)),
  answer: (request, call) => within(call, limitMs, (limited) => bank.answer(request, limited)),
  accounts: (access, call) => within(call, limitMs, (limited) => bank.accounts(access, limited)),
  history: async (request, call) => {
    // The limit is for the first answer; after that each chunk has its own.
    const history = await within(call, limitMs, () => bank.history(request, call));
    return { ...history, chunks: eachWithin(history.chunks, call, limitMs) };
  },
});

const within = async <Result>(
  call: Call,
  limitMs: number,
  ask: (limited: Call) => Promise<Result>,
): Promise<Result> => {
  const limit = AbortSignal.timeout(limitMs);
  const signal = AbortSignal.any([call.signal, limit]);
  let stopWaiting = (): void => {};
  const cutOff = new Promise<never>((_, reject) => {
    stopWaiting = () => reject(limit.aborted ? new BankUnreachable('timeout') : signal.reason);
    signal.addEventListener('abort', stopWaiting, { once: true });
  });
  try {
    call.signal.throwIfAborted();
    return await Promise.race([ask({ ...call, signal }), cutOff]);
  } catch (error) {
    throw limit.aborted && !call.signal.aborted ? new BankUnreachable('timeout', { cause: error }) : error;
  } finally {
    signal.removeEventListener('abort', stopWaiting);
  }
};

async function* eachWithin(
  chunks: AsyncIterable<BankEntry[]>,
  call: Call,
  limitMs: number,
): AsyncGenerator<BankEntry[]> {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    while (true) {
      const next = await within(call, limitMs, () => iterator.next());
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // Not awaited: a bank that hangs would hang here again.
    void iterator.return?.(undefined)?.catch(() => {});
  }
}
