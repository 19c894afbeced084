// In tests and development every response is validated against the contract, a streamed list item by item.
// express-openapi-validator would validate only what goes through response.json.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type Contract, type OperationMeta, resolvePointer } from './contract.ts';

/** Throws InvalidResponse where a body, or an item of its list, does not fit the contract. */
export type ResponseValidator = {
  body(json: Buffer): void;
  /** Items of a list, with commas between them. */
  items(list: string, json: Buffer): void;
};

/** Compiles the schemas of a contract's responses when they are first needed. */
export const makeResponseValidator = (
  contract: Contract,
): ((operation: OperationMeta) => ResponseValidator) => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(contract, 'contract');
  const compiled = new Map<string, ValidateFunction>();
  const validatorAt = (pointer: string): ValidateFunction => {
    const known = compiled.get(pointer);
    if (known) return known;
    const target = resolvePointer(contract, pointer);
    if (!target) throw new Error(`The contract has nothing at ${pointer}.`);
    const reference = target.pointer.split('/').map(encodeURIComponent).join('/');
    const validator = ajv.compile({ $ref: `contract#${reference}` });
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

/** A response that the contract does not allow. The message names fields and rules, never values. */
export class InvalidResponse extends Error {
  constructor(pointer: string, validator: ValidateFunction) {
    const problems = (validator.errors ?? []).map(
      ({ instancePath, keyword }) => `${instancePath}: ${keyword}`,
    );
    super(`A response does not fit the contract at ${pointer}: ${problems.join('; ')}`);
  }
}
