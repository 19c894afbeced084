// Checks the query of a request. That of most requests is read before the credentials are checked, and without
// express-openapi-validator, which costs more than the rest of the request; it then checks only the others.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { decodePercent, isPlainText, plainTextRule } from '../../platform/values/text.ts';
import type { Contract, OperationMeta } from './contract.ts';
import type { FieldErrors } from './problems.ts';

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

// RFC 3986, section 2.2, apart from `=`, which query values may contain.
const reserved = /[:/?#[\]@!$&'()*+,;]/;

/** The errors in names, values and encoding of the query, and the parameters without any. */
export const checkQuery = (
  { queryParameters, ignoresUnknownParameters }: OperationMeta,
  url: string,
): { errors: FieldErrors; kept: { pair: string; name: string; text: string }[] } => {
  const errors: FieldErrors = [];
  const kept: { pair: string; name: string; text: string }[] = [];
  const start = url.indexOf('?');
  for (const pair of start === -1 ? [] : url.slice(start + 1).split('&')) {
    if (pair === '') continue;
    const [rawName, ...rest] = pair.split('=') as [string, ...string[]];
    const value = rest.join('=');
    const name = decodePercent(rawName.replaceAll('+', ' '));
    const text = decodePercent(value.replaceAll('+', ' '));
    const message = queryError(queryParameters, name, value, text);
    if (message === unknownParameter && ignoresUnknownParameters) continue;
    if (message === undefined) kept.push({ pair, name: name!, text: text! });
    else errors.push({ path: `/query/${name?.replace(/\[([^\]]*)\]/g, '/$1') ?? ''}`, message });
  }
  return { errors, kept };
};

const unknownParameter = 'is not a parameter of this operation';

const queryError = (
  parameters: OperationMeta['queryParameters'],
  name: string | undefined,
  value: string,
  text: string | undefined,
): string | undefined => {
  // `date[gte]` belongs to the parameter `date`; the validator checks what is between the brackets.
  const parameter = parameters.find((candidate) => candidate.name === name?.replace(/\[.*$/s, ''));
  if (!parameter) return unknownParameter;
  if (text === undefined || !isPlainText(text)) return plainTextRule;
  // The parser of the query would drop `date[constructor]`.
  if (name!.split(/[[\]]/).some((part) => part in Object.prototype)) return unknownParameter;
  if (parameter.name !== name) return undefined;
  if (value === '' && !parameter.allowEmptyValue) return 'must not be empty';
  const type = parameter.schema?.type;
  if ((type === 'integer' || type === 'number') && !numberForms[type].test(text)) return `must be ${type}`;
  return reserved.test(value) && !parameter.allowReserved ? 'must be percent-encoded' : undefined;
};

// The validator would accept `1e309`, which is infinite, because it does not compare infinite numbers with a minimum or maximum.
const numberForms = { integer: /^-?\d{1,15}$/, number: /^-?\d{1,15}(\.\d{1,15})?$/ };
