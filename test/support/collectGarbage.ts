// Collects garbage on demand, for tests that measure memory.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** Collects all garbage now. */
export const collectGarbage: () => void = runInNewContext('gc');
