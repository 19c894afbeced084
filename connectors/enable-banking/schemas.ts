// Validates responses of Enable Banking against the schemas of openapi.yaml. Other fields are ignored.
import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { load } from 'js-yaml';
import type { components } from '../../generated/enableBanking.ts';

export type Schemas = components['schemas'];

let ajv: Ajv2020 | undefined;
const checks = new Map<string, ValidateFunction>();

const makeAjv = (): Ajv2020 => {
  const contract = load(readFileSync(new URL('openapi.yaml', import.meta.url), 'utf8')) as object;
  const made = new Ajv2020({ strict: false }).addSchema(contract, 'contract');
  addFormats.default(made);
  return made;
};

const checkAt = (...names: string[]): ValidateFunction => {
  const pointer = names.map((name) => encodeURIComponent(name.replaceAll('/', '~1'))).join('/');
  ajv ??= makeAjv();
  const check = checks.get(pointer) ?? ajv.compile({ $ref: `contract#/${pointer}` });
  checks.set(pointer, check);
  return check;
};

const hasSchema = (name: keyof Schemas, value: unknown): boolean =>
  checkAt('components', 'schemas', name)(value);

/**
 * The body of a 200 response if it is valid for the operation, else undefined. Invalid banks are dropped from the directory
 * instead of hiding the others.
 */
export const readAnswer = (path: string, method: string, body: unknown): object | undefined => {
  const { aspsps } = (body ?? {}) as { aspsps?: unknown };
  const read = Array.isArray(aspsps) ? { aspsps: aspsps.filter((one) => hasSchema('Aspsp', one)) } : body;
  const names = [
    'paths',
    path,
    method.toLowerCase(),
    'responses',
    '200',
    'content',
    'application/json',
    'schema',
  ];
  return checkAt(...names)(read) ? (read as object) : undefined;
};
