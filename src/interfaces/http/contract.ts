// The OpenAPI contracts as data: read once from their YAML files, with their operations and response schemas.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { load } from 'js-yaml';
import { decodePercent } from '../../platform/values/text.ts';

export type Contract = {
  info: { version: string };
  paths: Record<string, Record<string, unknown>>;
  components: Record<string, Record<string, unknown>>;
  /** The default for operations that declare no security. */
  security?: Record<string, unknown>[];
};

type Parameter = {
  name: string;
  in: 'path' | 'query' | 'header';
  style?: string;
  allowReserved?: boolean;
  allowEmptyValue?: boolean;
  required?: boolean;
  schema?: { type?: string | string[]; maximum?: number; properties?: object };
};

export type OperationMeta = {
  operationId: string;
  /** In upper case. */
  method: string;
  /** The template in the contract, for example `/connections/{connectionId}`. */
  path: string;
  /** The only success status that the contract declares. */
  status: 200 | 201 | 204;
  /** JSON pointer of the success response within the contract. */
  pointer: string;
  /** The media type of the success response; undefined if it has no body. */
  responseType: string | undefined;
  /** True if refusals are plain text instead of problem documents. */
  refusesInText: boolean;
  /** True if pages of other origins may read the response: its description has the CORS header. */
  allowsOtherOrigins: boolean;
  /** The names of all security schemes that a request needs. */
  security: readonly string[];
  /** The scope that an organization token needs; undefined if no token is accepted. */
  tokenScope: string | undefined;
  queryParameters: readonly Parameter[];
  /** True if other query parameters are ignored instead of refused. */
  ignoresUnknownParameters: boolean;
  /** False if no request can violate the contract: it has only text parameters in the path. */
  isValidated: boolean;
  /** True if only the query of a request can violate the contract. */
  hasQueryOnly: boolean;
  /** The media type of the request body; undefined for an operation without a body. */
  bodyType: string | undefined;
};

/** The file of a contract, by its path from the top of the project. */
export const contractFile = (name: string): string =>
  fileURLToPath(new URL(`../../../${name}`, import.meta.url));

/** Parses a contract once per process; all callers share the object and must not change it. */
export const readContract = (name: string): Contract => {
  const contract = contracts.get(name) ?? (load(readFileSync(contractFile(name), 'utf8')) as Contract);
  contracts.set(name, contract);
  return contract;
};

const contracts = new Map<string, Contract>();

/** Fetch standard, section "CORS protocol". */
export const allowOriginHeader = 'Access-Control-Allow-Origin';

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

type OperationObject = {
  operationId: string;
  responses: Record<string, unknown>;
  'x-eov-allow-unknown-query-parameters'?: boolean;
  security?: Record<string, string[]>[];
  parameters?: unknown[];
  requestBody?: unknown;
};

/** All operations of a contract, in its order. */
export const findOperations = (contract: Contract): OperationMeta[] =>
  Object.entries(contract.paths).flatMap(([path, item]) =>
    methods
      .filter((method) => method in item)
      .map((method) => toOperationMeta(contract, path, method, item[method] as OperationObject)),
  );

const toOperationMeta = (
  contract: Contract,
  path: string,
  method: string,
  operation: OperationObject,
): OperationMeta => {
  const status = ([200, 201, 204] as const).find((code) => String(code) in operation.responses)!;
  const shared = (contract.paths[path]?.parameters ?? []) as unknown[];
  const parameters = [...shared, ...(operation.parameters ?? [])].map((parameter) =>
    dereference<Parameter>(contract, parameter),
  );
  type WithContent = { content?: object; headers?: object } | undefined;
  const typeOf = (value: unknown): string | undefined =>
    Object.keys(dereference<WithContent>(contract, value)?.content ?? {})[0];
  const { responses, requestBody } = operation;
  const { headers = {} } = dereference<WithContent>(contract, responses[status]) ?? {};
  const isAnyText = ({ in: place, schema }: Parameter): boolean =>
    place === 'path' && isDeepStrictEqual(schema, { type: 'string' });
  return {
    operationId: operation.operationId,
    method: method.toUpperCase(),
    path,
    status,
    pointer: `/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1')}/${method}/responses/${status}`,
    responseType: typeOf(responses[status]),
    refusesInText: typeOf(responses['500']) === 'text/plain',
    allowsOtherOrigins: allowOriginHeader in headers,
    security: (operation.security ?? contract.security ?? []).flatMap((schemes) => Object.keys(schemes)),
    tokenScope: operation.security?.flatMap(({ OrganizationToken: scopes = [] }) => scopes)[0],
    queryParameters: parameters
      .filter((parameter) => parameter.in === 'query')
      .map((parameter) => ({ ...parameter, schema: dereference(contract, parameter.schema) })),
    ignoresUnknownParameters: operation['x-eov-allow-unknown-query-parameters'] ?? false,
    isValidated: requestBody !== undefined || !parameters.every(isAnyText),
    hasQueryOnly:
      requestBody === undefined && parameters.every((one) => one.in === 'query' || isAnyText(one)),
    bodyType: typeOf(requestBody),
  };
};

/** The value itself, or the target of its `$ref`. */
export const dereference = <Value>(contract: Contract, value: unknown): Value => {
  const reference = (value as { $ref?: string } | undefined)?.$ref;
  return (reference ? resolvePointer(contract, reference.slice(1))!.value : value) as Value;
};

export type Match =
  | { operation: OperationMeta; path: Record<string, string> }
  /** The path exists, with these methods only. */
  | { methods: string[] };

/**
 * Matches the method and path of a request against the operations of a contract. Undefined if the contract has no such path.
 */
export const makeMatcher = (contract: Contract): ((method: string, path: string) => Match | undefined) => {
  const routes = Map.groupBy(findOperations(contract), ({ path }) => path);
  const patterns = [...routes].map(([path, operations]) => ({
    names: [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name!),
    pattern: new RegExp(`^${path.replace(/\{[^}]+\}/g, '([^/]+)')}$`),
    operations,
  }));
  return (method, path) => {
    for (const { names, pattern, operations } of patterns) {
      const values = pattern.exec(path)?.slice(1);
      if (!values) continue;
      // A value that cannot be decoded is replaced by one that is refused after authentication.
      const parameters = names.map((name, at) => [name, decodePercent(values[at]!) ?? '\0']);
      const operation = operations.find((candidate) => candidate.method === method);
      return operation
        ? { operation, path: Object.fromEntries(parameters) }
        : { methods: operations.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])) };
    }
    return undefined;
  };
};

/** The value at a JSON pointer, following references on the way; undefined if there is none. */
export const resolvePointer = (
  contract: Contract,
  pointer: string,
): { pointer: string; value: unknown } | undefined => {
  let value: unknown = contract;
  let at = '';
  for (const part of pointer.split('/').slice(1)) {
    value = (value as Record<string, unknown>)[part.replaceAll('~1', '/').replaceAll('~0', '~')];
    at += `/${part}`;
    const reference = (value as { $ref?: string } | undefined)?.$ref;
    if (reference) {
      const target = resolvePointer(contract, reference.slice(1));
      if (!target) return undefined;
      ({ value, pointer: at } = target);
    }
    if (value === undefined) return undefined;
  }
  return { pointer: at, value };
};

/** The contract for requests: a copy without responses and security, which the validator may change. */
export const requestsContract = (contract: Contract): Contract => {
  const { security: _security, ...copy } = structuredClone(contract);
  const { responses: _responses, securitySchemes: _schemes, ...components } = copy.components;
  for (const parameter of Object.values(components.parameters ?? {}) as Parameter[]) {
    // The validator would parse such an object, or its own default for a missing one, as JSON. That throws, and costs as much as
    // the rest of the validation. With a list of types, even of only one, it leaves the value to the schema.
    if (parameter.style === 'deepObject') parameter.schema = { ...parameter.schema, type: ['object'] };
  }
  for (const item of Object.values(copy.paths)) {
    for (const method of methods.filter((name) => name in item)) {
      const { security: _security, ...operation } = item[method] as OperationObject;
      item[method] = { ...operation, responses: { default: { description: '' } } };
    }
  }
  return { ...copy, servers: [{ url: '/' }], components } as Contract;
};
