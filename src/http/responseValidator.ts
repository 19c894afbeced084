// In tests and development what we send is held against the contract, a list of any length entry by entry. The
// validator checks only what goes through res.json, which ready JSON text does not.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type Contract, type OperationMeta, resolvePointer } from './contract.ts';

/** Throws where a body, or one entry of its list, does not fit the contract. */
export type ResponseValidator = {
  body(json: string): void;
  entry(list: string, json: string): void;
};

/** Compiles the schemas of a contract's answers as they are first needed. */
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
  const check = (pointer: string, json: string): void => {
    const validator = validatorAt(pointer);
    if (!validator(JSON.parse(json))) throw new InvalidResponse(pointer, validator);
  };
  return ({ pointer }) => {
    const schema = `${pointer}/content/application~1json/schema`;
    return {
      body: (json) => check(schema, json),
      entry: (list, json) => check(`${schema}/properties/${list}/items`, json),
    };
  };
};

/** An answer of ours that the contract does not allow. Names places and rules, never values. */
export class InvalidResponse extends Error {
  constructor(pointer: string, validator: ValidateFunction) {
    const problems = (validator.errors ?? []).map(
      ({ instancePath, keyword }) => `${instancePath}: ${keyword}`,
    );
    super(`An answer breaks the contract at ${pointer}: ${problems.join('; ')}`);
  }
}
