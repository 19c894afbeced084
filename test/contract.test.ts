// The contracts: the generated types are current, including those of the tables, and each response of the public contract has
// examples that its schema accepts.
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { contracts, generate, generateSettings, settingsFile } from '../scripts/generate.ts';
import { generateTables, tablesFile } from '../scripts/generateTables.ts';
import { findOperations, readContract } from '../src/interfaces/http/contract.ts';
import { closed, closeSchemas, makeResponseValidator } from '../src/interfaces/http/responseValidator.ts';
import { parseYaml } from './support/yaml.ts';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

test.each(contracts)('the types of $source are current', async (contract) => {
  expect(read(contract.target)).toBe(await generate(contract));
});

test('the types of the tables are current', () => {
  expect(read(tablesFile)).toBe(generateTables());
});

test.each(contracts)('the validator closes the responses of $source', ({ source }) => {
  const contract = readContract(source);
  const validatorOf = makeResponseValidator(contract);
  const operations = findOperations(contract).filter(
    ({ responseType }) => responseType === 'application/json',
  );
  expect(operations.length).toBeGreaterThan(0);
  for (const operation of operations)
    expect(() => validatorOf(operation).body(Buffer.from('{"unknown":1}')), operation.operationId).toThrow(
      /: (unevaluated|additional)Properties/,
    );
});

test('each operation has a test file, which includes the errors that all operations share', () => {
  for (const { operationId } of findOperations(readContract('openapi.yaml')))
    expect(read(`test/http/api/${operationId}.test.ts`)).toContain(`describeOperation('${operationId}'`);
});

test('the reference of the settings is current', async () => {
  expect(read(settingsFile)).toBe(await generateSettings());
});

type Ref = { $ref?: string };
type Schema = Record<string, unknown>;
type Header = Ref & { required?: boolean; schema: Schema; example: unknown };
type Response = Ref & {
  headers?: Record<string, Header>;
  content?: Record<string, { schema: Schema; examples: Record<string, { value: unknown }> }>;
};
type Parameter = Ref & { name: string; in: string; schema: Schema; example: unknown };
type Operation = {
  operationId: string;
  security: Record<string, never[]>[];
  parameters?: Parameter[];
  responses: Record<string, Response>;
};
type PathItem = { parameters?: Parameter[] } & Record<'get' | 'delete', Operation | undefined>;

const document = parseYaml(read('openapi.yaml'));
const ajv = formats.default(new Ajv2020({ strict: false, allErrors: true, validateSchema: false }));
ajv.addSchema({ ...closeSchemas(document), $id: 'contract' });

/** The value at a JSON pointer of the contract, with `$ref` resolved, and its own pointer. */
const resolvePointer = <Kind extends Ref>(pointer: string): { pointer: string; value: Kind } => {
  const steps = pointer.split('/').slice(1);
  const value = steps.reduce(
    (node, step) => node?.[step.replaceAll('~1', '/').replaceAll('~0', '~')],
    document,
  );
  return value?.$ref ? resolvePointer<Kind>(value.$ref) : { pointer, value };
};
const pointerOf = (...names: string[]) =>
  names.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

const schemaErrors = (schemaPointer: string, value: unknown): unknown => {
  const validate = ajv.compile(closed({ $ref: `contract${schemaPointer}` }));
  return validate(value) ? [] : validate.errors;
};

/** Copies of a value, each with one more field in one of its objects. */
const withUnknownField = (value: unknown): unknown[] => {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.entries(value).flatMap(([name, part]) =>
    withUnknownField(part).map((changed) =>
      Array.isArray(value) ? value.with(Number(name), changed) : { ...value, [name]: changed },
    ),
  );
  return Array.isArray(value) ? inside : [{ ...value, unknown: 1 }, ...inside];
};

const operations = Object.entries(document.paths as Record<string, PathItem>).flatMap(([path, item]) =>
  (['get', 'delete'] as const).flatMap((method) => {
    const operation = item[method];
    return operation ? [{ id: operation.operationId, method, path, operation }] : [];
  }),
);

const responses = operations.flatMap(({ id, method, path, operation }) =>
  Object.keys(operation.responses).map((status) => ({
    id,
    status,
    ...resolvePointer<Response>(`#${pointerOf('paths', path, method, 'responses', status)}`),
  })),
);

describe('the public API', () => {
  test('has the version 2024-01-01', () => {
    expect(document.info.version).toBe('2024-01-01');
  });

  test('has the seven operations, each with its credentials', () => {
    expect(
      operations.map(({ id, method, path, operation }) => [method, path, id, operation.security]),
    ).toEqual([
      ['get', '/connections', 'listConnections', [{ ApiKey: [], ScopedToken: [] }]],
      ['get', '/connections/{connectionId}', 'getConnection', [{ ApiKey: [] }]],
      ['delete', '/connections/{connectionId}', 'revokeConnection', [{ ApiKey: [] }]],
      ['get', '/connections/{connectionId}/accounts', 'listAccounts', [{ ApiKey: [], ScopedToken: [] }]],
      ['get', '/accounts/{accountId}', 'getAccount', [{ ApiKey: [], ScopedToken: [] }]],
      ['get', '/accounts/{accountId}/transactions', 'listTransactions', [{ ApiKey: [], ScopedToken: [] }]],
      [
        'get',
        '/accounts/{accountId}/transactions/{transactionId}',
        'getTransaction',
        [{ ApiKey: [], ScopedToken: [] }],
      ],
    ]);
  });

  test('declares all statuses of each operation', () => {
    const always = ['400', '401', '403', '429', '500', '503'];
    for (const { id, method, operation } of operations) {
      const success = method === 'delete' ? '204' : '200';
      const expected = [success, ...always, ...(id === 'listConnections' ? [] : ['404'])].sort();
      expect({ id, statuses: Object.keys(operation.responses).sort() }).toEqual({ id, statuses: expected });
    }
  });

  test.each(responses)('$id $status has the headers of every response', ({ status, pointer, value }) => {
    const required = ['Request-Id', 'API-Version', 'Cache-Control'];
    if (status === '401') required.push('WWW-Authenticate');
    if (status !== '401') required.push('RateLimit', 'RateLimit-Policy');
    if (status === '429' || status === '503') required.push('Retry-After');
    for (const name of Object.keys(value.headers ?? {})) {
      const header = resolvePointer<Header>(`${pointer}${pointerOf('headers', name)}`);
      expect({ name, errors: schemaErrors(`${header.pointer}/schema`, header.value.example) }).toEqual({
        name,
        errors: [],
      });
      if (header.value.required) expect(required).toContain(name);
    }
    expect(Object.keys(value.headers ?? {})).toEqual(expect.arrayContaining(required));
  });

  test.each(responses)('$id $status has examples that its schema accepts', ({ status, pointer, value }) => {
    const expected =
      status === '204' ? [] : [status < '300' ? 'application/json' : 'application/problem+json'];
    expect(Object.keys(value.content ?? {})).toEqual(expected);
    for (const type of expected) {
      const examples = Object.values(value.content?.[type]?.examples ?? {});
      expect(examples.length).toBeGreaterThan(0);
      for (const example of examples) {
        expect(schemaErrors(`${pointer}${pointerOf('content', type)}/schema`, example.value)).toEqual([]);
      }
    }
  });

  test('leaves every response and event open, so that fields can be added', () => {
    const { schemas, responses: shared } = document.components;
    expect(JSON.stringify([document.paths, schemas, shared])).not.toMatch(
      /"(additional|unevaluated)Properties"/,
    );
  });

  test('is closed by the validator, which finds an unknown field of any object of a response', () => {
    for (const { pointer, value, status } of responses) {
      for (const [type, { examples }] of Object.entries(value.content ?? {})) {
        const schema = `${pointer}${pointerOf('content', type)}/schema`;
        for (const changed of Object.values(examples).flatMap((example) => withUnknownField(example.value)))
          expect({ status, schema, changed, errors: schemaErrors(schema, changed) }).toMatchObject({
            errors: expect.arrayContaining([expect.objectContaining({ keyword: 'unevaluatedProperties' })]),
          });
      }
    }
  });

  test('names each list of values that can grow, and describes its possible additions', () => {
    const named = Object.entries(document.components.schemas as Record<string, Schema>).filter(
      ([, schema]) => 'x-extensible-enum' in schema,
    );
    expect(JSON.stringify(document).match(/"x-extensible-enum":/g)).toHaveLength(named.length);
    for (const [name, { description }] of named) {
      expect(description, name).toContain('New values may be added');
      expect(document.info.description).toContain(`\`${name}\``);
    }
  });

  test('has no pattern for ids, because a malformed id gets 404', () => {
    const inPath = Object.values(document.components.parameters as Record<string, Parameter>).filter(
      (parameter) => parameter.in === 'path',
    );
    expect(inPath.map(({ name, schema }) => [name, schema])).toEqual([
      ['connectionId', { type: 'string' }],
      ['accountId', { type: 'string' }],
      ['transactionId', { type: 'string' }],
    ]);
  });

  test('has examples of required parameters only', () => {
    const required = /^(connection|account|transaction)Id$/;
    for (const [key, { name, example }] of Object.entries(
      document.components.parameters as Record<string, Parameter>,
    )) {
      expect({ name, example }).toEqual({
        name,
        example: required.test(name) ? expect.any(String) : undefined,
      });
      if (!required.test(name)) continue;
      const pointer = `#${pointerOf('components', 'schemas', key)}`;
      expect({ name, errors: schemaErrors(pointer, example) }).toEqual({ name, errors: [] });
    }
  });

  test.each([
    { limit: 0 },
    { limit: 1001 },
    { cursor: '' },
    { refreshedSince: 'txr_01HQ1K5C3T8J0K2M5N7P9R4S6' },
    { refreshedSince: 'txr_01hq1k5c3t8j0k2m5n7p9r4s6v' },
    { date: { gte: '2024-02-30' } },
    { date: { on: '2024-02-01' } },
  ])('rejects the parameter %j', (query) => {
    for (const [name, value] of Object.entries(query)) {
      const parameters = Object.entries(document.components.parameters as Record<string, Parameter>);
      const [key] = parameters.find(([, parameter]) => parameter.name === name) ?? [];
      expect(
        schemaErrors(`#${pointerOf('components', 'parameters', key ?? name, 'schema')}`, value),
      ).not.toEqual([]);
    }
  });

  test('explains each error code under its own heading, to which /problems/CODE redirects', () => {
    const codes: string[] = document.components.schemas.Problem.properties.code.enum;
    const headings = [...(document.info.description as string).matchAll(/^### (\w+)$/gm)].map(
      ([, heading]) => heading,
    );
    expect(headings).toEqual(codes);
  });
});
