// Opens data sealed to the worker. Only the worker's own flows import this file (.dependency-cruiser.mjs): code that handles
// requests to the public API does not, not even through other files.
import type { Box } from '../values/box.ts';
import { CorruptData } from '../values/errors.ts';
import type { KeyPair } from './keys.ts';
import type { Keyset } from './keyset.ts';
import { sealForWorker, tryUnsealBox, type WorkerBinding } from './seal.ts';

/** Unseals the result of `sealForWorker`, with any of the keys. Throws CorruptData if it has another kind or owner. */
export const unsealForWorker = <Value>(
  sealed: Box<'worker'>,
  [kind, ownerId]: WorkerBinding,
  workerKeys: Keyset<KeyPair>,
): Value => {
  for (const pair of workerKeys.all()) {
    const plain = tryUnsealBox(pair, sealed);
    if (!plain) continue;
    const opened = JSON.parse(plain.toString()) as { kind: string; ownerId: string; value: Value };
    if (opened.kind === kind && opened.ownerId === ownerId) return opened.value;
    throw new CorruptData('A value sealed to the worker has another kind or owner.');
  }
  throw new CorruptData('A value sealed to the worker cannot be unsealed.');
};

/** The same value sealed to the current key; undefined if it already is. Throws CorruptData like `unsealForWorker`. */
export const resealForWorker = (
  sealed: Box<'worker'>,
  binding: WorkerBinding,
  workerKeys: Keyset<KeyPair>,
): Buffer | undefined => {
  if (tryUnsealBox(workerKeys.current(), sealed)) return undefined;
  return sealForWorker(unsealForWorker(sealed, binding, workerKeys), binding, workerKeys.current());
};
