// Values for a schema of a contract: valid ones, nearly valid ones (a valid value with one mistake) and hostile ones.
import fc from 'fast-check';
import { type Contract, dereference } from '../../src/interfaces/http/contract.ts';

type Schema = {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  pattern?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  allOf?: Schema[];
  oneOf?: Schema[];
};

/** A placeholder for an id, secret or version that the service returned, chosen when the request is sent. */
export class Known {
  readonly kind: string;
  readonly index: number;
  constructor(kind: string, index: number) {
    this.kind = kind;
    this.index = index;
  }
}

export const known = (kind: string): fc.Arbitrary<Known> =>
  fc.nat(1000).map((index) => new Known(kind, index));

/** Values by property name that are valid more often than a random text. */
export type Hints = Record<string, fc.Arbitrary<unknown>>;

const deepArray = (depth: number): unknown => {
  let value: unknown = 0;
  for (let level = 0; level < depth; level++) value = [value];
  return value;
};

/** Texts that have broken parsers, databases, headers and pages. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    'a\u0000b',
    '\ud800',
    'x\udfffy',
    '\u001b[31m',
    '\r\nSet-Cookie: a=b',
    '\u202e',
    '\ufeff',
    '../../etc/passwd',
    '%00',
    '%2e%2e%2f',
    "' or 1=1 --",
    '"; drop table connections; --',
    '__proto__',
    'constructor',
    'undefined',
    '2026-02-30',
    '2016-12-31T23:59:60Z',
    '0000-00-00',
    '<script>alert(1)</script>',
    // Characters of four bytes, and a character of many code points.
    '𝕏'.repeat(300),
    '👩‍👩‍👧‍👦',
    'a'.repeat(5000),
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
);

/** Texts that JavaScript or a database treats as numbers, or as unbounded numbers. */
export const hostileNumber: fc.Arbitrary<string> = fc.constantFrom(
  ...['Infinity', '-Infinity', '1e309', '-1e309', 'NaN', '1e2', '0x10', ' 1', '+1', '-0', '1.5', '1_0'],
  ...['9007199254740993', '9223372036854775808', '9'.repeat(400), `0.${'1'.repeat(400)}`],
);

/** Values of every JSON type. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  hostileNumber,
  fc.constantFrom(null, true, false, 0, -1, 1.5, 1e308, 2 ** 53, -(2 ** 63), [], {}, [[]], { a: null }),
  fc.constantFrom(deepArray(50), deepArray(2000), { ['__proto__']: { admin: true } }),
  fc.array(fc.integer(), { maxLength: 200 }),
);

/** Valid values of a schema. */
export const validValue = (contract: Contract, schema: Schema, hints: Hints): fc.Arbitrary<unknown> => {
  if (schema.$ref) return validValue(contract, dereference<Schema>(contract, schema), hints);
  if (schema.allOf) return validValue(contract, merge(contract, schema), hints);
  if (schema.oneOf) return fc.oneof(...schema.oneOf.map((one) => validValue(contract, one, hints)));
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const types = [schema.type ?? 'object'].flat();
  return fc.oneof(...types.map((type) => valueOfType(contract, schema, type, hints)));
};

const merge = (contract: Contract, schema: Schema): Schema => {
  const parts = schema.allOf!.map((part) => dereference<Schema>(contract, part));
  const { allOf: _, ...own } = schema;
  const all = [...parts.map((part) => (part.allOf ? merge(contract, part) : part)), own];
  return {
    ...Object.assign({}, ...all),
    properties: Object.assign({}, ...all.map(({ properties }) => properties)),
    required: all.flatMap(({ required = [] }) => required),
  };
};

const valueOfType = (
  contract: Contract,
  schema: Schema,
  type: string,
  hints: Hints,
): fc.Arbitrary<unknown> => {
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 1000 });
    case 'number':
      return fc.double({ min: schema.minimum ?? 0, max: schema.maximum ?? 1000, noNaN: true });
    case 'array': {
      const { minItems: minLength = 0, maxItems = 3 } = schema;
      return fc.array(validValue(contract, schema.items ?? {}, hints), {
        minLength,
        maxLength: Math.max(minLength, Math.min(maxItems, 3)),
      });
    }
    case 'object':
      return validObject(contract, schema, hints);
    default:
      return validText(schema);
  }
};

const validObject = (contract: Contract, schema: Schema, hints: Hints): fc.Arbitrary<unknown> => {
  const { properties = {}, required = [], additionalProperties } = schema;
  const values = Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      const valid = validValue(contract, property, hints);
      return [name, hints[name] ? fc.oneof({ weight: 4, arbitrary: hints[name] }, valid) : valid];
    }),
  );
  const object = fc.record(values, { requiredKeys: required.filter((name) => name in values) });
  if (typeof additionalProperties !== 'object') return object;
  const more = fc.dictionary(
    fc.string({ maxLength: 10 }),
    validValue(contract, additionalProperties, hints),
    {
      maxKeys: 3,
    },
  );
  return fc.tuple(object, more).map(([own, others]) => ({ ...others, ...own }));
};

const idPattern = /^\^([a-z]{3})_/;

const validText = ({ pattern, format, minLength = 0, maxLength = 60 }: Schema): fc.Arbitrary<unknown> => {
  if (format === 'date') return isoDates.map((text) => text.slice(0, 10));
  if (format === 'date-time') return isoDates;
  if (pattern === undefined) {
    return fc.string({
      unit: 'grapheme',
      minLength,
      maxLength: Math.max(minLength, Math.min(maxLength, 60)),
    });
  }
  const matching = fc.stringMatching(new RegExp(pattern, 'u'));
  const prefix = idPattern.exec(pattern)?.[1];
  return prefix ? fc.oneof({ weight: 4, arbitrary: known(prefix) }, matching) : matching;
};

const isoDates = fc
  .date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());

/** A value with one mistake: a part of it is replaced, removed or added. */
export const nearlyValid = (valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc
    .tuple(valid, fc.nat(1000), hostileValue, fc.constantFrom('replace', 'remove', 'add'))
    .map(([value, at, hostile, change]) => {
      const paths = pathsOf(value);
      return changeAt(value, paths[at % paths.length]!, change as 'replace' | 'remove' | 'add', hostile);
    });

const isContainer = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !(value instanceof Known);

const pathsOf = (value: unknown, path: string[] = []): string[][] => [
  path,
  ...(isContainer(value)
    ? Object.entries(value).flatMap(([name, part]) => pathsOf(part, [...path, name]))
    : []),
];

const changeAt = (
  value: unknown,
  [name, ...rest]: string[],
  change: 'replace' | 'remove' | 'add',
  hostile: unknown,
): unknown => {
  if (name === undefined) {
    return change === 'add' && isContainer(value) && !Array.isArray(value)
      ? { ...value, unexpected: hostile }
      : hostile;
  }
  if (!isContainer(value)) return hostile;
  if (rest.length === 0 && change === 'remove' && !Array.isArray(value)) {
    const { [name]: _, ...others } = value;
    return others;
  }
  const part = changeAt(value[name], rest, change, hostile);
  return Array.isArray(value)
    ? value.map((item, index) => (String(index) === name ? part : item))
    : { ...value, [name]: part };
};
