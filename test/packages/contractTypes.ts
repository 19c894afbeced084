// A consumer's program that reads and writes every field of every response, generated from the contracts. The compiler accepts
// it only if each type of the client is assignable to, and from, the type that a reader of the contract expects.
import {
  type Contract,
  dereference,
  findOperations,
  readContract,
} from '../../src/interfaces/http/contract.ts';

type Schema = {
  $ref?: string;
  type?: string;
  const?: string | number;
  enum?: string[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  allOf?: Schema[];
};
type Content = { content?: Record<string, { schema: Schema }> };

const union = (types: string[]): string => [...new Set(types)].join(' | ');

/** The types of one contract, with amounts as `amount`. A schema has the name of the type that the package exports for it. */
const makeTypes = (contract: Contract, isExported: (name: string) => boolean, amount: string) => {
  const { schemas } = contract.components as { schemas: Record<string, Schema> };
  const resolve = <Value>(value: unknown): Value => dereference<Value>(contract, value);

  const hasAmounts = (schema: Schema): boolean => {
    const { type, items, properties = {} } = resolve<Schema>(schema);
    return type === 'number' || [items ?? [], Object.values(properties)].flat().some(hasAmounts);
  };
  const exported = (name: string): string => (hasAmounts(schemas[name]!) ? `${name}<${amount}>` : name);

  const typeOf = (schema: Schema): string => {
    const name = schema.$ref?.replace('#/components/schemas/', '');
    return name && isExported(name) ? exported(name) : shapeOf(resolve(schema));
  };
  const shapeOf = (schema: Schema): string => {
    if (schema.const !== undefined) return JSON.stringify(schema.const);
    if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)));
    if (schema.allOf) return schema.allOf.map(typeOf).join(' & ');
    switch (schema.type) {
      case 'array':
        return `(${typeOf(schema.items!)})[]`;
      case 'object': {
        const fields = Object.entries(schema.properties ?? {}).map(
          ([name, field]) => `${name}${schema.required?.includes(name) ? '' : '?'}: ${typeOf(field)}`,
        );
        return `{ ${fields.join('; ')} }`;
      }
      case 'number':
        return amount;
      case 'integer':
        return 'number';
      case 'boolean':
      case 'string':
        return schema.type;
      default:
        throw new Error(`This test knows no schema of type ${schema.type}.`);
    }
  };

  const bodyOf = (value: unknown): string | undefined => {
    const [content] = Object.values(resolve<Content>(value).content ?? {});
    return content && typeOf(content.schema);
  };
  return {
    bodyOf,
    named: Object.keys(schemas)
      .filter(isExported)
      .map((name) => [exported(name), shapeOf(schemas[name]!)] as const),
  };
};

type Operation = { responses: Record<string, unknown>; requestBody?: unknown };

const same = (type: string, expected: string): string => `
  (null! as ${type}) satisfies ${expected};
  (null! as ${expected}) satisfies ${type};
  (null! as AnyIn<${type}>) satisfies never;`;

/** With amounts as `amount`: the checks of one contract's exported types, operations and events. */
const checksOf = (name: string, isExported: (name: string) => boolean, amount: string): string[] => {
  const contract = readContract(name);
  const types = makeTypes(contract, isExported, amount);
  const operations = findOperations(contract).filter(({ security }) => security.includes('ApiKey'));
  const calls = operations.map(({ method, path, operationId, status }) => {
    const operation = contract.paths[path]![method.toLowerCase()] as Operation;
    const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, id]) => `${id}: ''`).join(', ');
    const body = operation.requestBody ? `body: {} as ${types.bodyOf(operation.requestBody)},` : '';
    const { [status]: success, ...failures } = operation.responses;
    const call = `${operationId}_${amount}`;
    return `
      const ${call} = await clients.${amount}.${method}('${path}', { ${body} params: { ${ids && `path: { ${ids} }`} } });
      ${same(`Data<typeof ${call}>`, types.bodyOf(success) ?? 'undefined')}
      ${same(`Failure<typeof ${call}>`, union(Object.values(failures).map((one) => types.bodyOf(one)!)))}`;
  });
  const { webhooks = {} } = contract as { webhooks?: Record<string, { post: Operation }> };
  const events = Object.values(webhooks).map(({ post }) => types.bodyOf(post.requestBody)!);
  return [
    ...types.named.map(([type, shape]) => same(type, shape)),
    ...calls,
    ...(events.length > 0 ? [same('WebhookEvent', union(events))] : []),
  ];
};

/** The program. `declarations` are those of the package's exports. */
export const contractProgram = (declarations: string): string => {
  const exported = [...new Set(declarations.match(/\b[A-Z]\w+/g))];
  // Both contracts define an account, and the package exports that of the first.
  const isOf = (contract: string) => (name: string) =>
    exported.includes(name) && name.startsWith('Simplefin') === contract.includes('simplefin');
  const checks = ['openapi.yaml', 'src/interfaces/http/simplefin/openapi.yaml'].flatMap((contract) =>
    ['number', 'string'].flatMap((amount) => checksOf(contract, isOf(contract), amount)),
  );
  return `
    import { createClient, type ${exported.join(', type ')} } from '@bank-connection/client';
    const options = { baseUrl: '', apiKey: '' };
    const clients = { number: createClient(options), string: createClient({ ...options, exactAmounts: true }) };
    type Data<Result> = Result extends { error?: never; data: infer Body } ? Body : never;
    type Failure<Result> = Result extends { data?: never; error: infer Body } ? Body : never;
    type AnyIn<Type> = 0 extends 1 & Type ? 'any' : Type extends string ? never
      : Type extends (infer Item)[] ? AnyIn<Item> : Type extends object ? { [Field in keyof Type]-?: AnyIn<Type[Field]> }[keyof Type] : never;
    ${checks.join('\n')}`;
};
