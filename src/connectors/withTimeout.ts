// A bank that hangs must not hang us: every call, and every chunk of a history, is cut off after a limit, also
// where a connector forgets to listen to its signal.
import { BankUnreachable } from '../errors.ts';
import type { Connector, BankTransaction, CallContext } from './connector.ts';

/** The same bank, with every wait for it limited. */
export const withTimeout = (bank: Connector, limitMs: number): Connector => ({
  signIn: (request, call) => callWithTimeout(call, limitMs, (limited) => bank.signIn(request, limited)),
  answer: (request, call) => callWithTimeout(call, limitMs, (limited) => bank.answer(request, limited)),
  accounts: (access, call) => callWithTimeout(call, limitMs, (limited) => bank.accounts(access, limited)),
  history: async (request, call) => {
    // The limit is for the first answer; after that each chunk has its own.
    const history = await callWithTimeout(call, limitMs, () => bank.history(request, call));
    return { ...history, chunks: chunksWithTimeout(history.chunks, call, limitMs) };
  },
});

const callWithTimeout = async <Result>(
  call: CallContext,
  limitMs: number,
  ask: (limited: CallContext) => Promise<Result>,
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

async function* chunksWithTimeout(
  chunks: AsyncIterable<BankTransaction[]>,
  call: CallContext,
  limitMs: number,
): AsyncGenerator<BankTransaction[]> {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    while (true) {
      const next = await callWithTimeout(call, limitMs, () => iterator.next());
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // Not awaited: a bank that hangs would hang here again.
    void iterator.return?.(undefined)?.catch(() => {});
  }
}
