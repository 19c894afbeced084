// Reads the query of most requests before their credentials are checked, and without express-openapi-validator, which costs more
// than the rest of the request. It reports no errors: the validator checks all other queries later.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import type { Contract, OperationMeta } from './contract.ts';
import { checkQuery } from './requestValidator.ts';

export type Query = Record<string, unknown>;

/** The converted query of a URL; undefined if it, or another part of the request, may violate the contract. */
export type ReadValidQuery = (url: string) => Query | undefined;

export const makeValidQueryReaders = (contract: Contract): ((operation: OperationMeta) => ReadValidQuery) => {
  const ajv = new Ajv2020({
    ...{ coerceTypes: true, useDefaults: true, strict: false },
    formats: { date: fullFormats.date as never },
  });
  const makeReader = (operation: OperationMeta): ReadValidQuery => {
    if (!operation.hasQueryOnly) return () => undefined;
    const { queryParameters } = operation;
    const isValid = ajv.compile<Query>({
      ...{ type: 'object', additionalProperties: false, components: contract.components },
      properties: Object.fromEntries(queryParameters.map(({ name, schema = {} }) => [name, schema])),
      required: queryParameters.filter(({ required }) => required).map(({ name }) => name),
    });
    return (url) => {
      const { errors, kept } = checkQuery(operation, url);
      const query = errors.length === 0 ? nest(kept) : undefined;
      return query && isValid(query) ? query : undefined;
    };
  };
  const readers = new Map<OperationMeta, ReadValidQuery>();
  return (operation) => {
    const reader = readers.get(operation) ?? makeReader(operation);
    readers.set(operation, reader);
    return reader;
  };
};

const names = /^(\w+)(?:\[(\w+)\])?$/;

/** `date[gte]` becomes `gte` of `date`. Undefined for names that are repeated, or nested deeper. */
const nest = (pairs: readonly { name: string; text: string }[]): Query | undefined => {
  const query: Query = {};
  for (const { name, text } of pairs) {
    const [, outer, inner] = names.exec(name) ?? [];
    if (outer === undefined) return undefined;
    if (inner !== undefined) query[outer] ??= {};
    const target = inner === undefined ? query : query[outer];
    const key = inner ?? outer;
    if (typeof target !== 'object' || key in target!) return undefined;
    (target as Query)[key] = text;
  }
  return query;
};
