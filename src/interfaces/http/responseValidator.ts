// In tests and development every response is validated against the contract, a streamed list item by item.
// express-openapi-validator would validate only responses that are sent with response.json.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type Contract, type OperationMeta, resolvePointer } from './contract.ts';

/** Throws InvalidResponse if a body, or an item of its list, does not fit the contract. */
export type ResponseValidator = {
  body(json: Buffer): void;
  /** Items of a list, with commas between them. */
  items(list: string, json: Buffer): void;
};

/** Compiles the schemas of a contract's responses on first use. */
export const makeResponseValidator = (
  contract: Contract,
): ((operation: OperationMeta) => ResponseValidator) => {
  let ajv: Ajv2020 | undefined;
  const compiled = new Map<string, ValidateFunction>();
  const validatorAt = (pointer: string): ValidateFunction => {
    const known = compiled.get(pointer);
    if (known) return known;
    const target = resolvePointer(contract, pointer);
    if (!target) throw new Error(`The contract has nothing at ${pointer}.`);
    const reference = target.pointer.split('/').map(encodeURIComponent).join('/');
    ajv ??= makeAjv(contract);
    const validator = ajv.compile(closed({ $ref: `contract#${reference}` }));
    compiled.set(pointer, validator);
    return validator;
  };
  const check = (pointer: string, value: unknown): void => {
    const validator = validatorAt(pointer);
    if (!validator(value)) throw new InvalidResponse(pointer, validator);
  };
  return ({ pointer }) => {
    const schema = `${pointer}/content/application~1json/schema`;
    return {
      body: (json) => check(schema, JSON.parse(json.toString())),
      items: (list, json) => {
        for (const item of JSON.parse(`[${json}]`)) check(`${schema}/properties/${list}/items`, item);
      },
    };
  };
};

const makeAjv = (contract: Contract): Ajv2020 => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  return ajv.addSchema(closeSchemas(contract), 'contract');
};

/** A schema that accepts only properties that it describes, itself or by reference. */
export const closed = (schema: object): object => ({ ...schema, unevaluatedProperties: false });

/**
 * A copy of a contract, or of a part of it, that closes the schema of every body, property and item. Contracts leave
 * responses open, because fields can be added; in the copy, a field that nobody described is an error. The parts of an
 * `allOf` stay open: each describes some of the properties.
 */
export const closeSchemas = <Part>(part: Part): Part => {
  if (typeof part !== 'object' || part === null) return part;
  if (Array.isArray(part)) return part.map(closeSchemas) as Part;
  const close = (schema: unknown): unknown =>
    typeof schema === 'object' && schema !== null ? closed(closeSchemas(schema)) : schema;
  const entries = Object.entries(part).map(([name, value]): [string, unknown] => {
    if (name === 'properties') return [name, mapValues(value, close)];
    return [name, closedKeywords.has(name) ? close(value) : closeSchemas(value)];
  });
  return Object.fromEntries(entries) as Part;
};

const closedKeywords = new Set(['schema', 'items', 'additionalProperties']);

const mapValues = (object: object, map: (value: unknown) => unknown): object =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value)]));

/** A response that the contract does not allow. The message names fields and rules, never values. */
export class InvalidResponse extends Error {
  constructor(pointer: string, validator: ValidateFunction) {
    const problems = (validator.errors ?? []).map(
      ({ instancePath, keyword }) => `${instancePath}: ${keyword}`,
    );
    super(`A response does not fit the contract at ${pointer}: ${problems.join('; ')}`);
  }
}
