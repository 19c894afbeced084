// Makes generated/ from the contracts. Deterministic, so that a test can make it again in memory and compare:
// what is committed is what the contracts say, always.
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import openapiTypescript, { astToString, type SchemaObject } from 'openapi-typescript';
import ts from 'typescript';

const root = new URL('../', import.meta.url);

export type Contract = { source: string; target: string };

const allContracts: Contract[] = [
  { source: 'openapi.yaml', target: 'generated/api.ts' },
  { source: 'widget/openapi.yaml', target: 'generated/widget.ts' },
  { source: 'dashboard/openapi.yaml', target: 'generated/dashboard.ts' },
];

/** The contracts that exist, and the file that is made from each. */
export const contracts = allContracts.filter(({ source }) => existsSync(new URL(source, root)));

const banner = (source: string) => `// Made by \`npm run generate\` from ${source}; never edited.\n\n`;

const literal = (value: string) =>
  ts.factory.createLiteralTypeNode(ts.factory.createStringLiteral(value, true));

/**
 * A list that can grow is its known values or any other string: `'a' | 'b' | (string & {})`. Editors offer the
 * known ones, and a consumer that only handles these does not compile.
 */
const extensibleEnum = (schema: SchemaObject): ts.TypeNode | undefined => {
  const known: unknown = (schema as Record<string, unknown>)['x-extensible-enum'];
  if (!Array.isArray(known)) return undefined;
  const anyOther = ts.factory.createIntersectionTypeNode([
    ts.factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword),
    ts.factory.createTypeLiteralNode([]),
  ]);
  return ts.factory.createUnionTypeNode([...known.map(String).map(literal), anyOther]);
};

/** The TypeScript text of one contract. */
export const generate = async ({ source }: Contract): Promise<string> => {
  const nodes = await openapiTypescript(new URL(source, root), { silent: true, transform: extensibleEnum });
  return banner(source) + astToString(nodes);
};

if (import.meta.main) {
  for (const contract of contracts) {
    const target = new URL(contract.target, root);
    const text = await generate(contract);
    const held = existsSync(target) ? await readFile(target, 'utf8') : '';
    if (text !== held) await writeFile(target, text);
    console.log(`${contract.target}: ${text === held ? 'was current' : 'written'}`);
  }
}
