// Reads the query of most requests: one whose names and values are written without escapes, and fit the contract. Everything else is
// left to the validator, which says what is wrong.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import type { Contract, OperationMeta } from './contract.ts';
import { numberForms } from './requestValidator.ts';

export type Query = Record<string, unknown>;
/** The converted query of an address; undefined for the validator to judge. */
type ReadPlainQuery = (url: string) => Query | undefined;

/** How the value of a name in the address is kept: `date[gte]` is `gte` of the object `date`. */
type Place = { object?: string; key: string; form: RegExp };

const plainText = /^[A-Za-z0-9_.~-]+$/;

/** One for each operation whose requests have nothing else that the contract could refuse. */
export const makePlainQueries = (contract: Contract): ((operation: OperationMeta) => ReadPlainQuery) => {
  const ajv = new Ajv2020({
    ...{ coerceTypes: true, useDefaults: true, strict: false },
    formats: { date: fullFormats.date as never },
  });
  const known = new Map<OperationMeta, ReadPlainQuery>();
  return (operation) => {
    const made = known.get(operation) ?? makePlainQuery(ajv, contract, operation);
    known.set(operation, made);
    return made;
  };
};

const makePlainQuery = (ajv: Ajv2020, contract: Contract, operation: OperationMeta): ReadPlainQuery => {
  if (!operation.hasQueryOnly) return () => undefined;
  const { queryParameters } = operation;
  const places = new Map(queryParameters.flatMap(placesOf));
  const isValid = ajv.compile<Query>({
    ...{ type: 'object', additionalProperties: false, components: contract.components },
    properties: Object.fromEntries(queryParameters.map(({ name, schema = {} }) => [name, schema])),
    required: queryParameters.filter(({ required }) => required).map(({ name }) => name),
  });
  return (url) => {
    const start = url.indexOf('?');
    const query = start === -1 ? {} : parse(url.slice(start + 1), places);
    return query && isValid(query) ? query : undefined;
  };
};

const placesOf = ({ name, schema }: OperationMeta['queryParameters'][number]): [string, Place][] => {
  const type = schema?.type as keyof typeof numberForms | undefined;
  const form = (type && numberForms[type]) ?? plainText;
  if (!schema?.properties) return [[name, { key: name, form }]];
  return Object.keys(schema.properties).map((key) => [
    `${name}[${key}]`,
    { object: name, key, form: plainText },
  ]);
};

const parse = (text: string, places: Map<string, Place>): Query | undefined => {
  const query: Query = {};
  for (const pair of text.split('&')) {
    const equals = pair.indexOf('=');
    const place = places.get(pair.slice(0, equals));
    const value = pair.slice(equals + 1);
    if (!place?.form.test(value)) return undefined;
    const { object, key } = place;
    if (object !== undefined) query[object] ??= {};
    const target = object === undefined ? query : (query[object] as Query);
    if (key in target) return undefined;
    target[key] = value;
  }
  return query;
};
