// Why a try failed, as a code that may be kept and shown to the operator: never what a bank said.
import { BankRefused, BankUnreachable } from '../errors.ts';

/** The code of whatever a try threw. */
export const failureReason = (error: unknown): string => {
  if (error instanceof BankUnreachable) return `institution_${error.reason}`;
  if (error instanceof BankRefused) return error.reason;
  // The work as a whole took longer than it may.
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'timeout';
  return 'internal';
};
