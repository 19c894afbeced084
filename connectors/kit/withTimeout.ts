// Limits the time of each connector call and each chunk of a history, even for connectors that ignore their abort signal.
import { setTimeout } from 'node:timers/promises';
import type { Connector } from './contract.ts';
import { BankUnreachable } from './errors.ts';
import { wrapCalls } from './wrapCalls.ts';

/** The same connector with a time limit. A call that exceeds it throws BankUnreachable('timeout'). */
export const withTimeout = (connector: Connector, limitMs: number): Connector =>
  wrapCalls(connector, (_, call, context) => callWithTimeout(context, limitMs, call));

/** Also ends a call that ignores its signal. Throws BankUnreachable('timeout'). */
export const callWithTimeout = async <Context extends { signal: AbortSignal }, Result>(
  context: Context,
  limitMs: number,
  call: (limited: Context) => Promise<Result>,
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
