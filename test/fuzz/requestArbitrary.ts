// Requests for the operations of a contract: valid, nearly valid and hostile ones.
import fc from 'fast-check';
import {
  type Contract,
  dereference,
  findOperations,
  type OperationMeta,
} from '../../src/interfaces/http/contract.ts';
import {
  type Hints,
  hostileNumber,
  hostileText,
  hostileValue,
  Known,
  known,
  nearlyValid,
  validValue,
} from './schemaArbitrary.ts';

export type FuzzRequest = {
  operation: OperationMeta;
  path: Record<string, string | Known>;
  query: [name: string, value: string | Known][];
  /** Undefined if no body is sent. */
  body: { type: string; content: unknown; isRaw: boolean } | undefined;
  /** The credentials of the request: valid ones, none, or other texts. */
  credentials: 'valid' | 'none' | { text: string };
  /** The number of the user, key or session that sends it. */
  principal: number;
};

type Parameter = { name: string; in: string; schema?: object; required?: boolean };

/** The kind of id that a path parameter holds, by its name: `connectionId` holds `con_…`. */
const kindByParameter: Record<string, string> = {
  ...{ connectionId: 'con', accountId: 'acc', transactionId: 'txn', applicationId: 'app', keyId: 'key' },
  ...{ organizationId: 'org', memberId: 'mem', invitationId: 'inv', sessionId: 'ses', passkeyId: 'psk' },
  ...{ linkSessionId: 'lks', endpointId: 'whe', eventId: 'evt' },
};

/** Requests of all operations of a contract, with equal frequency. */
export const requestsOf = (contract: Contract, hints: Hints): fc.Arbitrary<FuzzRequest> =>
  fc.oneof(...findOperations(contract).map((operation) => requestOf(contract, operation, hints)));

const requestOf = (contract: Contract, operation: OperationMeta, hints: Hints): fc.Arbitrary<FuzzRequest> => {
  const item = contract.paths[operation.path]!;
  const declared = item[operation.method.toLowerCase()] as { parameters?: unknown[]; requestBody?: unknown };
  const parameters = [...((item.parameters ?? []) as unknown[]), ...(declared.parameters ?? [])].map((one) =>
    dereference<Parameter>(contract, one),
  );
  return fc.record({
    operation: fc.constant(operation),
    path: fc.record(
      Object.fromEntries(
        parameters.filter((one) => one.in === 'path').map(({ name }) => [name, pathValue(name)]),
      ),
    ),
    query: queryOf(
      contract,
      parameters.filter((one) => one.in === 'query'),
      hints,
    ),
    body: bodyOf(contract, declared.requestBody, hints),
    credentials: fc.oneof(
      { weight: 12, arbitrary: fc.constant('valid' as const) },
      { weight: 1, arbitrary: fc.constant('none' as const) },
      { weight: 1, arbitrary: hostileText.map((text) => ({ text })) },
    ),
    principal: fc.nat(1000),
  }) as fc.Arbitrary<FuzzRequest>;
};

const pathValue = (name: string): fc.Arbitrary<string | Known> =>
  fc.oneof(
    { weight: 8, arbitrary: known(kindByParameter[name] ?? 'con') },
    { weight: 1, arbitrary: fc.stringMatching(/^[a-z]{3}_[0-9A-Za-z]{22}$/) },
    { weight: 1, arbitrary: hostileText.filter((text) => text !== '') },
  );

const queryOf = (
  contract: Contract,
  parameters: readonly Parameter[],
  hints: Hints,
): fc.Arbitrary<FuzzRequest['query']> => {
  const pairs = parameters.map((parameter) => {
    const schema = dereference<{ type?: string }>(contract, parameter.schema ?? {});
    const valid = hints[parameter.name] ?? validValue(contract, schema, hints);
    const isNumber = schema.type === 'integer' || schema.type === 'number';
    const hostile = isNumber ? [hostileText, hostileNumber] : [hostileText];
    const value = fc.oneof({ weight: 5, arbitrary: valid }, ...hostile);
    const given = value.map((one) => toPairs(parameter.name, one));
    return parameter.required
      ? fc.oneof({ weight: 9, arbitrary: given }, fc.constant([]))
      : fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, given);
  });
  const strange = fc.tuple(hostileText, hostileText).map((pair) => [pair]);
  const more = fc.oneof({ weight: 15, arbitrary: fc.constant([]) }, strange);
  return fc.tuple(...pairs, more).map((lists) => lists.flat() as FuzzRequest['query']);
};

// An object is sent as `date[gte]=…` (style deepObject).
const toPairs = (name: string, value: unknown): [string, string | Known][] => {
  if (value instanceof Known) return [[name, value]];
  if (typeof value !== 'object' || value === null) return [[name, String(value)]];
  return Object.entries(value).map(([key, part]) => [`${name}[${key}]`, String(part)]);
};

const bodyOf = (contract: Contract, declared: unknown, hints: Hints): fc.Arbitrary<FuzzRequest['body']> => {
  if (declared === undefined) return fc.constant(undefined);
  const { content } = dereference<{ content: Record<string, { schema?: object }> }>(contract, declared);
  const [type, media] = Object.entries(content)[0]!;
  if (type !== 'application/json') {
    return hostileText.map((text) => ({ type, content: text, isRaw: true }));
  }
  const valid = validValue(contract, media.schema ?? {}, hints);
  const asJson = (value: unknown) => ({ type, content: value, isRaw: false });
  return fc.oneof(
    { weight: 6, arbitrary: valid.map(asJson) },
    { weight: 6, arbitrary: nearlyValid(valid).map(asJson) },
    { weight: 1, arbitrary: hostileValue.map(asJson) },
    { weight: 1, arbitrary: hostileText.map((text) => ({ type, content: text, isRaw: true })) },
    { weight: 1, arbitrary: valid.map((value) => ({ ...asJson(value), type: 'text/plain' })) },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );
};
