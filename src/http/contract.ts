// The contracts as data: read once from their YAML files, asked for operations and for the schemas of answers.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

export type Contract = {
  paths: Record<string, Record<string, unknown>>;
  components: Record<string, Record<string, unknown>>;
};

export type OperationMeta = {
  operationId: string;
  /** The one success status that the contract gives it. */
  status: 200 | 201 | 204;
  /** JSON pointer of its success response within the contract. */
  pointer: string;
};

/** Where the contracts lie, from the top of the project. */
export const contractFile = (name: string): string =>
  fileURLToPath(new URL(`../../${name}`, import.meta.url));

/** One object for each contract, whoever asks: nobody may change it. */
export const readContract = (name: string): Contract => {
  const contract = contracts.get(name) ?? parse(readFileSync(contractFile(name), 'utf8'));
  contracts.set(name, contract);
  return contract;
};

const contracts = new Map<string, Contract>();

/** Every operation by method and path, for example `GET /connections`. */
export const findOperations = (contract: Contract): Map<string, OperationMeta> => {
  const operations = new Map<string, OperationMeta>();
  for (const [path, item] of Object.entries(contract.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      const { operationId, responses } = operation as { operationId?: string; responses?: object };
      if (!operationId || !responses) continue;
      const status = ([200, 201, 204] as const).find((code) => String(code) in responses)!;
      const pointer = `/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1')}/${method}/responses/${status}`;
      operations.set(`${method.toUpperCase()} ${path}`, { operationId, status, pointer });
    }
  }
  return operations;
};

/** The methods that a contract describes for an address as it was sent; undefined where it describes none. */
export const methodsByPath = (contract: Contract): ((path: string) => string[] | undefined) => {
  const forms = Object.entries(contract.paths).map(([path, item]) => ({
    form: new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}$`),
    methods: Object.keys(item)
      .map((key) => key.toUpperCase())
      .filter((key) => ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(key)),
  }));
  return (path) => forms.find(({ form }) => form.test(path))?.methods;
};

/** What a JSON pointer leads to, following references on the way; undefined where it leads nowhere. */
export const resolvePointer = (
  contract: Contract,
  pointer: string,
): { pointer: string; value: unknown } | undefined => {
  let value: unknown = contract;
  let at = '';
  for (const part of pointer.split('/').slice(1)) {
    value = (value as Record<string, unknown>)[part.replaceAll('~1', '/').replaceAll('~0', '~')];
    at += `/${part}`;
    const reference = (value as { $ref?: string } | undefined)?.$ref;
    if (reference) {
      const target = resolvePointer(contract, reference.slice(1));
      if (!target) return undefined;
      ({ value, pointer: at } = target);
    }
    if (value === undefined) return undefined;
  }
  return { pointer: at, value };
};
