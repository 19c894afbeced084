// Texts that no field may have: every parameter and every text of every body, of every operation of the three contracts.
// All requests are made from the contracts, so that a new field is tested without a change here.
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  type Contract,
  dereference,
  findOperations,
  type OperationMeta,
  readContract,
} from '../../src/interfaces/http/contract.ts';
import { toProblemResponse } from '../../src/interfaces/http/problems.ts';
import { type IdPrefix, makeId } from '../../src/platform/values/ids.ts';
import { claimAccessUrl, createSetupToken, splitAccessUrl } from '../simplefin/fixture.ts';
import { databases, oneDatabase } from '../support/databases.ts';
import { link, openLinkSession, startService, type TestService } from '../support/testService.ts';
import { anonymousUser, createMember, memberIdOf } from './dashboard/users.ts';

type Schema = {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  format?: string;
  pattern?: string;
  minLength?: number;
  minimum?: number;
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  oneOf?: Schema[];
};
type Parameter = { name: string; in: string; schema: Schema };
type Body = { content: Record<string, { schema: Schema }> };
type Operation = { parameters?: Parameter[]; requestBody?: Body };
type Path = (string | number)[];

/** A request of an operation, with a value for every parameter and every property of the body. */
type ContractRequest = {
  operation: OperationMeta;
  path: Record<string, string>;
  query: Record<string, string>;
  body: unknown;
  /** The texts of the body, by their path and format. */
  texts: { at: Path; format: string | undefined }[];
  dateTimes: string[];
};

/** A text that the schema allows. */
const textFor = ({ pattern = '', format, enum: choices, const: only }: Schema, known?: string): string => {
  if (known !== undefined) return known;
  if (only !== undefined || choices) return String(only ?? choices![0]);
  if (format === 'date-time') return '2099-05-01T10:30:00.000Z';
  if (format === 'date') return '2024-05-01';
  const [, prefix] = /^\^([a-z]{3})_\[/.exec(pattern) ?? [];
  if (prefix === 'txr') return 'txr_01HQ3Z8F6V9K2M4N7P0R5S8T1W';
  if (prefix) return makeId(prefix as IdPrefix);
  const [, length] = /\{(43|64)\}\$$/.exec(pattern) ?? [];
  if (length) return 'a'.repeat(Number(length));
  if (pattern.includes('@')) return 'text@example.com';
  return pattern.startsWith('^[0-9]') ? '0' : 'sandbox-bank-text';
};

/** All values that a schema describes, one for each alternative, with the paths of their texts. */
const valuesFor = (
  contract: Contract,
  unresolved: Schema,
  known: Record<string, string>,
  name = '',
): { value: unknown; texts: ContractRequest['texts'] }[] => {
  const schema = dereference<Schema>(contract, unresolved);
  if (schema.oneOf) return schema.oneOf.flatMap((one) => valuesFor(contract, one, known, name));
  if (schema.const !== undefined || schema.enum) return [{ value: textFor(schema), texts: [] }];
  if (schema.type === 'integer') return [{ value: schema.minimum ?? 1, texts: [] }];
  if (schema.type === 'boolean') return [{ value: true, texts: [] }];
  const nest = (key: string | number, { value, texts }: ReturnType<typeof valuesFor>[number]) => ({
    value,
    texts: texts.map((text) => ({ ...text, at: [key, ...text.at] })),
  });
  if (schema.type === 'array') {
    return valuesFor(contract, schema.items!, known, name).map((one) => {
      const { value, texts } = nest(0, one);
      return { value: [value], texts };
    });
  }
  if (schema.type !== 'object')
    return [{ value: textFor(schema, known[name]), texts: [{ at: [], format: schema.format }] }];
  const more = schema.additionalProperties === true ? { type: 'string' } : schema.additionalProperties;
  const properties = { ...schema.properties, ...(more && { id: more }) };
  let results: ReturnType<typeof valuesFor> = [{ value: {}, texts: [] }];
  for (const [property, part] of Object.entries(properties)) {
    const parts = valuesFor(contract, part, known, property).map((one) => nest(property, one));
    results = results.flatMap((result) =>
      parts.map((one) => ({
        value: { ...(result.value as object), [property]: one.value },
        texts: [...result.texts, ...one.texts],
      })),
    );
  }
  return results;
};

const requestsOf = (contract: Contract, known: Record<string, string>): ContractRequest[] =>
  findOperations(contract).flatMap((operation) => {
    const item = contract.paths[operation.path] as Record<string, unknown>;
    const own = item[operation.method.toLowerCase()] as Operation;
    const parameters = [...((item.parameters as Parameter[]) ?? []), ...(own.parameters ?? [])].map((one) =>
      dereference<Parameter>(contract, one),
    );
    const path: Record<string, string> = {};
    const query: Record<string, string> = {};
    const dateTimes: string[] = [];
    for (const parameter of parameters) {
      const schema = dereference<Schema>(contract, parameter.schema);
      const fields = schema.type === 'object' ? schema.properties! : { '': schema };
      for (const [field, one] of Object.entries(fields)) {
        const name = field === '' ? parameter.name : `${parameter.name}[${field}]`;
        const value = one.type === 'integer' ? String(one.minimum ?? 1) : textFor(one, known[parameter.name]);
        if (parameter.in === 'path') path[name] = value;
        else query[name] = value;
        if (one.format === 'date-time') dateTimes.push(name);
      }
    }
    const schema = own.requestBody?.content['application/json']?.schema;
    const bodies = schema ? valuesFor(contract, schema, known) : [{ value: undefined, texts: [] }];
    return bodies.map(({ value, texts }) => ({ operation, path, query, body: value, texts, dateTimes }));
  });

const replaceAt = (value: unknown, [key, ...rest]: Path, change: (text: string) => unknown): unknown => {
  if (key === undefined) return change(value as string);
  const parts = value as Record<string | number, unknown>;
  const changed = replaceAt(parts[key], rest, change);
  return Array.isArray(value) ? value.with(Number(key), changed) : { ...parts, [key]: changed };
};

const badTexts = { NUL: '\0', 'a lone surrogate': '\ud800', 'a control character': '\u0007' };
/** The same percent-encoded. There is no valid encoding of a lone surrogate. */
const badBytes = { NUL: '%00', 'a lone surrogate': '%ED%A0%80', 'a control character': '%07' };
/** Times that RFC 3339 or the format's validator allows, and JavaScript does not. */
const oddTimes = ['2016-12-31T23:59:60Z', '2016-12-31T18:59:60-05:00', '2024-05-01T00:00:00+02'];

/** An unknown link session has the same response as a wrong secret, and a wrong claim as one that is used. */
const refusalsInPath: Record<string, number> = { linkSessionId: 401, claimToken: 403 };

type Variant = { name: string; address: string; body: unknown; expected: number[] };

const addressOf = ({ operation, path, query }: ContractRequest): string => {
  const address = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => path[name]!);
  const search = Object.entries(query).map(([name, value]) => `${name}=${value.replaceAll(':', '%3A')}`);
  return search.length > 0 ? `${address}?${search.join('&')}` : address;
};

/** The request with one bad text, for each place in which a text can be. */
const variantsOf = (request: ContractRequest): Variant[] => {
  const { path, query, body } = request;
  const withText = (kind: 'path' | 'query', name: string, value: string) =>
    addressOf({ ...request, [kind]: { ...request[kind], [name]: value } });
  const variants: Variant[] = [];
  for (const [bad, bytes] of Object.entries(badBytes)) {
    for (const [name, value] of Object.entries(path)) {
      const address = withText('path', name, `${value}${bytes}`);
      const expected = [404, refusalsInPath[name] ?? 404];
      variants.push({ name: `${bad} in the path's ${name}`, address, body, expected });
    }
    for (const [name, value] of Object.entries(query)) {
      const address = withText('query', name, `${value}${bytes}`);
      variants.push({ name: `${bad} in the query's ${name}`, address, body, expected: [400] });
    }
  }
  for (const name of request.dateTimes) {
    for (const time of oddTimes) {
      const address = withText('query', name, encodeURIComponent(time));
      variants.push({ name: `${time} in the query's ${name}`, address, body, expected: [400] });
    }
  }
  const address = addressOf(request);
  for (const { at, format } of request.texts) {
    const change = (name: string, to: (text: string) => unknown) =>
      variants.push({ name, address, body: replaceAt(body, at, to), expected: [400] });
    for (const [bad, text] of Object.entries(badTexts))
      change(`${bad} in the body's ${at.join('.')}`, (value) => `${value}${text}`);
    if (format !== 'date-time') continue;
    for (const time of oddTimes) change(`${time} in the body's ${at.join('.')}`, () => time);
  }
  return variants;
};

describe.each(oneDatabase)('on $name', (database) => {
  let service: TestService;
  let known: Record<string, string>;
  let send: Record<string, (path: string, init: RequestInit) => Promise<Response>>;
  const unlimited = { signInAttemptsPerAddress: 1e9, signInAttemptsPerEmail: 1e9 };

  beforeAll(async () => {
    const limits = { ...unlimited, dashboardRequestsPerMinute: 1e9, simplefinReadsPerDay: 1e9 };
    service = await startService({ database, limits });
    const { connectionId, accounts, scopedToken } = await link(service, { externalUserId: 'user-1' });
    const session = await openLinkSession(service);
    const owner = await createMember(service, { role: 'owner', email: 'owner@example.com' });

    known = {
      ...{ applicationId: service.application.id, connectionId, accountId: accounts[0]!.id },
      ...{ organizationId: service.organizationId, memberId: await memberIdOf(owner) },
      ...{ linkSessionId: session.id, keyId: service.application.keyId, origin: 'https://shop.example' },
      institutionId: 'sandbox-bank',
    };
    const request = (headers: Record<string, string>) => (path: string, init: RequestInit) =>
      fetch(`${service.url}${path}`, { ...init, headers: { ...init.headers, ...headers } });
    const { apiKey } = service.application;
    const reader = { url: service.url, apiKey, scopedToken: scopedToken! };
    const accessUrl = await claimAccessUrl(await createSetupToken(reader));
    const asBackend = request({ Authorization: `Bearer ${apiKey}`, 'X-Scoped-Token': scopedToken! });
    const withAccess = request({ Authorization: splitAccessUrl(accessUrl).authorization });
    send = {
      'openapi.yaml': asBackend,
      'src/interfaces/http/simplefin/openapi.yaml': (path, init) =>
        (path.startsWith('/simplefin/accounts') ? withAccess : asBackend)(path, init),
      'widget/openapi.yaml': request({ Authorization: `Bearer ${session.secret}` }),
      'management/openapi.yaml': owner.fetch,
    };
  });
  afterAll(() => service.close());

  const apis = ['widget', 'management', 'src/interfaces/http/simplefin'].map(
    (folder) => `${folder}/openapi.yaml`,
  );
  describe.each(['openapi.yaml', ...apis])('%s', (name) => {
    const contract = readContract(name);

    test('every text with a character that no text may have is refused', { timeout: 300_000 }, async () => {
      const unexpected: object[] = [];
      let count = 0;
      for (const request of requestsOf(contract, known)) {
        const { operationId, method, bodyType } = request.operation;
        for (const { name: variant, address, body, expected } of variantsOf(request)) {
          const init = bodyType === 'application/octet-stream' ? 'x' : body && JSON.stringify(body);
          const headers: Record<string, string> = bodyType ? { 'Content-Type': bodyType } : {};
          const response = await send[name]!(address, { method, headers, body: init as string });
          const { code } = (await response.json().catch(() => ({}))) as { code?: string };
          count += 1;
          if (!expected.includes(response.status))
            unexpected.push({ operationId, variant, status: response.status, code });
        }
      }
      expect(unexpected).toEqual([]);
      expect(count).toBeGreaterThan(20);
    });

    test('odd bytes in headers are refused or ignored', async () => {
      const odd = '\x80\xff\t\xed\xa0\x80';
      const credentials = ['Authorization', 'X-Scoped-Token', 'Cookie'];
      const names = [...credentials, 'User-Agent', 'X-Forwarded-For', 'Origin'];
      for (const { operation, ...request } of requestsOf(contract, known)) {
        const address = addressOf({ operation, ...request });
        for (const header of names) {
          const init = { method: operation.method, headers: { [header]: `a=${odd}` } };
          const response = await fetch(`${service.url}${address}`, init);
          await response.arrayBuffer();
          expect(response.status, `${header} of ${operation.operationId}`).toBeLessThan(500);
        }
      }
    });
  });

  test('pages beside the contracts do not fail for such a text either', async () => {
    for (const bytes of Object.values(badBytes)) {
      for (const path of [
        ...[`/${bytes}`, `/problems/${bytes}`, `/docs?${bytes}`, `/connect?${bytes}`, `/connect${bytes}`],
        ...[`/connect?application=${bytes}`, `/connect?application=${bytes}&application=${bytes}`],
        ...['connect/assets', 'connect/api', 'dashboard/assets', 'management'].map((at) => `/${at}/${bytes}`),
        ...[`/dashboard/${bytes}?${bytes}`, `/dashboard/oidc/callback?code=${bytes}&state=${bytes}`],
      ]) {
        const response = await fetch(`${service.url}${path}`);
        // Express itself sends this response.
        const failed = response.status >= 500 || (await response.text()).includes('URI malformed');
        expect(failed, path).toBe(false);
      }
    }
  });

  test('the name of a property is a text too', async () => {
    for (const name of Object.values(badTexts)) {
      const { id, secret, view } = await openLinkSession(service);
      const step = { kind: 'credentials', values: { [name]: 'x' } };
      const response = await fetch(`${service.url}/connect/api/link-sessions/${id}/steps`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ version: view.version, step }),
      });
      expect(response.status).toBe(400);
      expect((await response.json()).errors[0].path).toBe('/body/step/values');
    }
  });

  test('a body that is not UTF-8 is refused', async () => {
    const { applicationId, origin } = known;
    const text = JSON.stringify({ applicationId, origin, externalUserId: 'user-é' });
    const start = (body: Buffer, charset: string) =>
      fetch(`${service.url}/connect/api/link-sessions`, {
        method: 'POST',
        headers: { 'Content-Type': `application/json; charset=${charset}` },
        body: new Uint8Array(body),
      });
    expect((await start(Buffer.from(text), 'utf-8')).status).toBe(201);
    for (const response of [
      await start(Buffer.from(text, 'latin1'), 'utf-8'),
      await start(Buffer.from(text, 'utf16le'), 'utf-16le'),
    ]) {
      expect(response.status).toBe(400);
      expect((await response.json()).errors).toEqual([{ path: '/body', message: 'must be JSON in UTF-8' }]);
    }
  });

  test('a text is found however deeply it is nested', async () => {
    const depth = 10_000;
    const response = await anonymousUser(service.url).fetch('/management/sign-in/passkey', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: `{"challengeId":"${'a'.repeat(43)}","response":{"id":${'['.repeat(depth)}"\\u0000"${']'.repeat(depth)}}}`,
    });
    expect(response.status).toBe(400);
    expect((await response.json()).errors[0].path.startsWith('/body/response/id/0/0')).toBe(true);
  });
});

describe.each(databases)('on $name', (database) => {
  test('a value that only the database refuses is an invalid request', async () => {
    const service = await startService({ database, worker: false });
    onTestFinished(service.close);
    const { db } = service.service;
    const statements =
      database.name === 'SQLite'
        ? [db.read.raw('select zeroblob(2000000000)'), db.read.raw("select 1 limit 'x'")]
        : [
            db.read('applications').where({ id: '\0' }),
            db.read.raw('select ?::int', ['x']),
            db.read.raw('select ?::int', ['99999999999']),
            db.read.raw('select ?::date', ['2024-02-30']),
          ];
    for (const statement of statements) {
      const error = await statement.then(undefined, (refusal: unknown) => refusal);
      const errors = [{ path: '/', message: expect.any(String) }];
      expect(toProblemResponse(error)).toMatchObject({ status: 400, code: 'invalid_request', errors });
    }
  });
});
