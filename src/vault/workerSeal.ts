// Seals bank credentials and import requests to the worker's public key: processes that serve requests can store them
// and cannot read them. The owner's id is sealed too, so a row copied to another connection is refused.
import { CorruptData } from '../errors.ts';
import type { KeyPair } from './keys.ts';
import { sealBox, unsealBox } from './seal.ts';

export type BankCredentials = { values: Record<string, string>; deviceToken?: string };

/** Seals a JSON value to the worker. `ownerId` is the id of the connection or link session that it belongs to. */
export const sealForWorker = (value: unknown, ownerId: string, workerPublicKey: Buffer): Buffer =>
  sealBox(workerPublicKey, Buffer.from(JSON.stringify({ ownerId, value })));

/** Unseals what `sealForWorker` returned. Throws CorruptData if it belongs to another owner. */
export const unsealForWorker = <Value>(sealed: Uint8Array, ownerId: string, worker: KeyPair): Value => {
  const opened = JSON.parse(unsealBox(worker, sealed).toString()) as { ownerId: string; value: Value };
  if (opened.ownerId !== ownerId)
    throw new CorruptData('A value sealed to the worker belongs to another owner.');
  return opened.value;
};
