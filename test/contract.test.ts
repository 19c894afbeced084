// The contracts hold: both linters find nothing, what is generated is current, and in the public one every
// response shows an example that its own schema accepts.
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { contracts, generate } from '../scripts/generate.ts';
import { type Linter, lint } from '../scripts/lintContracts.ts';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

test.each<Linter>(['redocly', 'spectral'])('all of them pass %s', (linter) => {
  expect(lint(linter)).toMatchObject({ passes: true });
});

test.each(contracts)('$source is what its types were made from', async (contract) => {
  expect(read(contract.target)).toBe(await generate(contract));
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

const document = parse(read('openapi.yaml'));
const ajv = formats.default(new Ajv2020({ strict: false, allErrors: true, validateSchema: false }));
ajv.addSchema({ ...document, $id: 'contract' });

/** What stands at a place of the contract, followed through `$ref`, and the place itself. */
const resolvePointer = <Kind extends Ref>(place: string): { place: string; value: Kind } => {
  const steps = place.split('/').slice(1);
  const value = steps.reduce(
    (node, step) => node?.[step.replaceAll('~1', '/').replaceAll('~0', '~')],
    document,
  );
  return value?.$ref ? resolvePointer<Kind>(value.$ref) : { place, value };
};
const pointerOf = (...names: string[]) =>
  names.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

const problemsOf = (schemaPlace: string, value: unknown): unknown => {
  const validate = ajv.compile({ $ref: `contract${schemaPlace}` });
  return validate(value) ? [] : validate.errors;
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

describe('the public interface', () => {
  test('has the version 2024-01-01', () => {
    expect(document.info.version).toBe('2024-01-01');
  });

  test('has exactly the seven operations, each with its credentials', () => {
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

  test('declares for each operation what can happen to it', () => {
    const always = ['400', '401', '403', '429', '500', '503'];
    for (const { id, method, operation } of operations) {
      const success = method === 'delete' ? '204' : '200';
      const expected = [success, ...always, ...(id === 'listConnections' ? [] : ['404'])].sort();
      expect({ id, statuses: Object.keys(operation.responses).sort() }).toEqual({ id, statuses: expected });
    }
  });

  test.each(responses)('$id $status carries the headers of every response', ({ status, place, value }) => {
    const required = ['Request-Id', 'API-Version', 'Cache-Control'];
    if (status === '401') required.push('WWW-Authenticate');
    if (status !== '401') required.push('RateLimit', 'RateLimit-Policy');
    if (status === '429' || status === '503') required.push('Retry-After');
    for (const name of Object.keys(value.headers ?? {})) {
      const header = resolvePointer<Header>(`${place}${pointerOf('headers', name)}`);
      expect({ name, problems: problemsOf(`${header.place}/schema`, header.value.example) }).toEqual({
        name,
        problems: [],
      });
      if (header.value.required) expect(required).toContain(name);
    }
    expect(Object.keys(value.headers ?? {})).toEqual(expect.arrayContaining(required));
  });

  test.each(responses)('$id $status shows examples that its schema accepts', ({ status, place, value }) => {
    const expected =
      status === '204' ? [] : [status < '300' ? 'application/json' : 'application/problem+json'];
    expect(Object.keys(value.content ?? {})).toEqual(expected);
    for (const type of expected) {
      const examples = Object.values(value.content?.[type]?.examples ?? {});
      expect(examples.length).toBeGreaterThan(0);
      for (const example of examples) {
        expect(problemsOf(`${place}${pointerOf('content', type)}/schema`, example.value)).toEqual([]);
      }
    }
  });

  test('refuses a field that was never agreed, in every answer', () => {
    for (const { place, value, status } of responses) {
      for (const [type, { examples }] of Object.entries(value.content ?? {})) {
        const [example] = Object.values(examples);
        const more = { ...(example?.value as object), more: 1 };
        expect({
          place,
          status,
          problems: problemsOf(`${place}${pointerOf('content', type)}/schema`, more),
        }).not.toMatchObject({
          problems: [],
        });
      }
    }
  });

  test('answers a malformed id with 404, so that no path parameter has a pattern', () => {
    const inPath = Object.values(document.components.parameters as Record<string, Parameter>).filter(
      (parameter) => parameter.in === 'path',
    );
    expect(inPath.map(({ name, schema }) => [name, schema])).toEqual([
      ['connectionId', { type: 'string' }],
      ['accountId', { type: 'string' }],
      ['transactionId', { type: 'string' }],
    ]);
  });

  test('shows an example of what is required, and none of what is optional', () => {
    const required = /^(connection|account|transaction)Id$/;
    for (const [key, { name, example }] of Object.entries(
      document.components.parameters as Record<string, Parameter>,
    )) {
      expect({ name, example }).toEqual({
        name,
        example: required.test(name) ? expect.any(String) : undefined,
      });
      if (!required.test(name)) continue;
      const place = `#${pointerOf('components', 'schemas', key)}`;
      expect({ name, problems: problemsOf(place, example) }).toEqual({ name, problems: [] });
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
  ])('refuses the parameter %j', (query) => {
    for (const [name, value] of Object.entries(query)) {
      const parameters = Object.entries(document.components.parameters as Record<string, Parameter>);
      const [key] = parameters.find(([, parameter]) => parameter.name === name) ?? [];
      expect(
        problemsOf(`#${pointerOf('components', 'parameters', key ?? name, 'schema')}`, value),
      ).not.toEqual([]);
    }
  });

  test('explains each error code under a heading of its own, where /problems/CODE leads', () => {
    const codes: string[] = document.components.schemas.Problem.properties.code.enum;
    const headings = [...(document.info.description as string).matchAll(/^### (\w+)$/gm)].map(
      ([, heading]) => heading,
    );
    expect(headings).toEqual(codes);
  });
});
