// Limits how long a connector may take for each call and for each chunk of a history, including connectors that
// ignore their abort signal.
import { setTimeout } from 'node:timers/promises';
import type { BankTransaction, CallContext, Connector } from './contract.ts';
import { BankUnreachable } from './errors.ts';

/** The same connector with a time limit. A call beyond it throws BankUnreachable('timeout'). */
export const withTimeout = (connector: Connector, limitMs: number): Connector => ({
  signIn: (request, context) =>
    callWithTimeout(context, limitMs, (limited) => connector.signIn(request, limited)),
  answer: (request, context) =>
    callWithTimeout(context, limitMs, (limited) => connector.answer(request, limited)),
  ...(connector.challengeAction && {
    challengeAction: (request, context) =>
      callWithTimeout(context, limitMs, (limited) => connector.challengeAction!(request, limited)),
  }),
  accounts: (access, context) =>
    callWithTimeout(context, limitMs, (limited) => connector.accounts(access, limited)),
  ...(connector.approveReading && {
    approveReading: (request, context) =>
      callWithTimeout(context, limitMs, (limited) => connector.approveReading!(request, limited)),
  }),
  read: async (access, request, context) => {
    // The connector gets the unlimited context, because the conversation goes on: this limit is for the first response, and
    // each further call and chunk has its own.
    const reading = await callWithTimeout(context, limitMs, () => connector.read(access, request, context));
    return {
      accounts: reading.accounts,
      history: async (accountId) => {
        const history = await callWithTimeout(context, limitMs, () => reading.history(accountId));
        return { ...history, chunks: chunksWithTimeout(history.chunks, context, limitMs) };
      },
      ...(reading.balance && {
        balance: (accountId) => callWithTimeout(context, limitMs, () => reading.balance!(accountId)),
      }),
      end: () => callWithTimeout(context, limitMs, () => reading.end()),
    };
  },
});

const callWithTimeout = async <Result>(
  context: CallContext,
  limitMs: number,
  call: (limited: CallContext) => Promise<Result>,
): Promise<Result> => {
  const timeout = AbortSignal.timeout(limitMs);
  const signal = AbortSignal.any([context.signal, timeout]);
  let rejectOnAbort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    rejectOnAbort = () => reject(timeout.aborted ? new BankUnreachable('timeout') : signal.reason);
    signal.addEventListener('abort', rejectOnAbort, { once: true });
  });
  try {
    context.signal.throwIfAborted();
    return await Promise.race([call({ ...context, signal }), aborted]);
  } catch (error) {
    throw timeout.aborted && !context.signal.aborted
      ? new BankUnreachable('timeout', { cause: error })
      : error;
  } finally {
    signal.removeEventListener('abort', rejectOnAbort);
  }
};

async function* chunksWithTimeout(
  chunks: AsyncIterable<BankTransaction[]>,
  context: CallContext,
  limitMs: number,
): AsyncGenerator<BankTransaction[]> {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    while (true) {
      const next = await callWithTimeout(context, limitMs, () => iterator.next());
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // Not awaited: a connector that hangs would hang here, too.
    void iterator.return?.(undefined)?.catch(() => {});
  }
}

/** Throws BankUnreachable('timeout') if the signal has aborted. */
export const throwIfAborted = (signal: AbortSignal): void => {
  if (signal.aborted) throw new BankUnreachable('timeout', { cause: signal.reason });
};

/** Throws BankUnreachable('timeout') when the signal aborts. */
export const abortableSleep = async (milliseconds: number, signal: AbortSignal): Promise<void> => {
  try {
    await setTimeout(milliseconds, undefined, { signal });
  } catch (cause) {
    throw new BankUnreachable('timeout', { cause });
  }
};
