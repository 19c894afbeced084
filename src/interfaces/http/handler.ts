// The types of handlers. A handler turns typed input into a typed result and never sees the response. The types come from
// the contracts, so a missing operation or a result that does not fit the contract does not compile.
import type { JsonStream, WithDecimals } from '../../platform/values/json.ts';
import type { CsvStream } from './writeResponse.ts';

type Parameter<Operation, In extends 'path' | 'query'> = Operation extends { parameters: infer Given }
  ? In extends keyof Given
    ? NonNullable<Given[In]>
    : Record<never, never>
  : never;

type Body<Operation> = Operation extends {
  requestBody: { content: { 'application/json': infer Content } };
}
  ? Content
  : undefined;

type Success<Operation> = Operation extends { responses: infer Responses }
  ? Responses[keyof Responses & (200 | 201 | 204)]
  : never;

/** The response body of an operation, as a value or as JSON in UTF-8; nothing for a 204. */
export type HandlerResult<Operation> =
  Success<Operation> extends { content: { 'application/json': infer Content } }
    ? WithDecimals<Content> | Buffer | JsonStream
    : Success<Operation> extends { content: { 'text/csv': string } }
      ? CsvStream
      : Success<Operation> extends { content: { 'text/plain': string } }
        ? string
        : // biome-ignore lint/suspicious/noConfusingVoidType: a handler of a 204 returns nothing.
          void;

export type Input<Operation> = {
  path: Parameter<Operation, 'path'>;
  query: Parameter<Operation, 'query'>;
  body: Body<Operation>;
};

/** The principal is part of the input. `Needs` are the parts of the service that the operations of its contract need. */
export type Handler<Operation, Principal, Needs> = (
  input: Input<Operation> & Principal,
  service: Needs,
) => Promise<HandlerResult<Operation>>;

/** One handler for each operation of a contract. */
export type Handlers<Operations, Principals extends { [Id in keyof Operations]: unknown }, Needs> = {
  [Id in keyof Operations]: Handler<Operations[Id], Principals[Id], Needs>;
};
