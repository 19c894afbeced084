// The OpenAPI contract in the fake provider: its types, its refusals, and the validation of requests and responses.
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { load } from 'js-yaml';
import type { components, operations } from '../../../../generated/enableBanking.ts';

export type Schemas = components['schemas'];
export type OperationId = keyof operations;

type Parameter = { name: string; in: string; schema: object };
type Operation = { operationId: OperationId; parameters?: Parameter[]; requestBody?: object };
type PathItem = { parameters?: Parameter[]; get?: Operation; post?: Operation; delete?: Operation };

const text = readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8');
const contract = load(text) as { paths: Record<string, PathItem> };
const ajv = new Ajv2020({ strict: false }).addSchema(contract, 'contract');
addFormats.default(ajv);

type Check = (value: unknown) => boolean;
const checkAt = (...pointer: string[]): Check => {
  const parts = pointer.map((part) => encodeURIComponent(part.replaceAll('/', '~1')));
  return ajv.compile({ $ref: `contract#/${parts.join('/')}` });
};
const jsonSchema = ['content', 'application/json', 'schema'];

export type Endpoint = {
  operationId: OperationId;
  method: 'get' | 'post' | 'delete';
  /** As written in the contract, for example `/sessions/{session_id}`. */
  path: string;
  /** Validates each path and query parameter by name, the request body, and the body of a 200 response. */
  checks: { parameters: Map<string, Check>; request: Check; response: Check };
};

export const endpoints: readonly Endpoint[] = Object.entries(contract.paths).flatMap(([path, item]) =>
  (['get', 'post', 'delete'] as const).flatMap((method) => {
    const { operationId, parameters = [], requestBody } = item[method] ?? {};
    if (!operationId) return [];
    const at = ['paths', path, method];
    const query = parameters.map(({ name }, index) => {
      const check = checkAt(...at, 'parameters', String(index), 'schema');
      return [name, check] as const;
    });
    const uuid = ajv.compile({ type: 'string', format: 'uuid' });
    const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name!, uuid] as const);
    const checks = {
      parameters: new Map<string, Check>([...query, ...ids]),
      request: requestBody ? checkAt(...at, 'requestBody', ...jsonSchema) : () => true,
      response: checkAt(...at, 'responses', '200', ...jsonSchema),
    };
    return { operationId, method, path, checks };
  }),
);

/** A refused request. `body` follows the contract, unless the bank's own body is passed on. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: unknown;
  constructor(status: number, body: unknown) {
    super(`The fake provider answers ${status}.`);
    this.status = status;
    this.body = body;
  }
}

/** A refusal that the contract describes. */
export const refusal = (status: number, error: Schemas['ErrorCode'], detail?: unknown): Refusal =>
  new Refusal(status, {
    message: `Refused by ${error}.`,
    code: status,
    error,
    detail,
  } satisfies Schemas['Problem']);
