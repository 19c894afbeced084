// Every wait of the sandbox bank ends when the caller no longer wants to wait.
import { setTimeout } from 'node:timers/promises';
import { BankUnreachable } from '../../errors.ts';

export const throwIfAborted = (signal: AbortSignal): void => {
  if (signal.aborted) throw new BankUnreachable('timeout', { cause: signal.reason });
};

export const abortableSleep = async (milliseconds: number, signal: AbortSignal): Promise<void> => {
  try {
    await setTimeout(milliseconds, undefined, { signal });
  } catch (cause) {
    throw new BankUnreachable('timeout', { cause });
  }
};
