// The list of the documentation's promises, promises.yaml.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseYaml } from './support/yaml.ts';

/** By document. A promise is kept by tests, whose titles are listed by file below test/, or only argued. */
export type Promises = Record<
  string,
  { promise: string; tests?: Record<string, string[]>; argued?: string; mutants?: string[] }[]
>;

export const readPromises = (): Promises =>
  parseYaml(readFileSync(join(import.meta.dirname, 'promises.yaml'), 'utf8'));
