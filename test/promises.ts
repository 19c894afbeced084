// Reads promises.yaml, the list of the documentation's promises.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseYaml } from './support/yaml.ts';

/** Promises by document. Each has tests (their titles, by file in test/), or is only argued for. */
export type Promises = Record<
  string,
  { promise: string; tests?: Record<string, string[]>; argued?: string; mutants?: string[] }[]
>;

export const readPromises = (): Promises =>
  parseYaml(readFileSync(join(import.meta.dirname, 'promises.yaml'), 'utf8'));
