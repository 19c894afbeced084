// Bank credentials for unattended refresh, sealed to the refresh worker's key: the process that faces the
// internet can store them and cannot read them back. They carry whose they are, so that a row moved to another
// connection is refused.
import { CorruptData } from '../errors.ts';
import type { KeyPair } from './keys.ts';
import { unsealBox, sealBox } from './seal.ts';

export type BankCredentials = { values: Record<string, string>; deviceToken?: string };

/** Seals anything that JSON can say to the worker, bound to what it belongs to (a connection or session id). */
export const sealForWorker = (value: unknown, belongsTo: string, workerPublicKey: Buffer): Buffer =>
  sealBox(workerPublicKey, Buffer.from(JSON.stringify({ belongsTo, value })));

/** Opens what was sealed to the worker; throws Corrupt where it belongs to something else. */
export const unsealForWorker = <Value>(sealed: Uint8Array, belongsTo: string, worker: KeyPair): Value => {
  const opened = JSON.parse(unsealBox(worker, sealed).toString()) as { belongsTo: string; value: Value };
  if (opened.belongsTo !== belongsTo)
    throw new CorruptData('Something sealed to the worker stands in another place.');
  return opened.value;
};
