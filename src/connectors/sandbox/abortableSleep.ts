// Delays of the sandbox connector that end when the call's signal aborts.
import { setTimeout } from 'node:timers/promises';
import { BankUnreachable } from '../../errors.ts';

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
