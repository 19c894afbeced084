// Generates the types in generated/ from the contracts. The output is deterministic, so that a test compares it with the
// committed files.
import { readFile, writeFile } from 'node:fs/promises';
import openapiTypescript, { astToString, type SchemaObject } from 'openapi-typescript';
import ts from 'typescript';

const root = new URL('../', import.meta.url);

export type Contract = { source: string; target: string };

export const contracts: Contract[] = [
  { source: 'openapi.yaml', target: 'generated/api.ts' },
  { source: 'widget/openapi.yaml', target: 'generated/widget.ts' },
  { source: 'dashboard/openapi.yaml', target: 'generated/dashboard.ts' },
  { source: 'simplefin/openapi.yaml', target: 'generated/simplefin.ts' },
];

const banner = (source: string) => `// Generated from ${source} by \`npm run generate\`. Do not edit.\n\n`;

const literal = (value: string) =>
  ts.factory.createLiteralTypeNode(ts.factory.createStringLiteral(value, true));

/**
 * The type of a string with `x-extensible-enum`: its known values or any other string, `'a' | 'b' | (string & {})`. Editors
 * complete the known ones, and a consumer that handles only these does not compile.
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

/** The TypeScript source of one contract's types. */
export const generate = async ({ source }: Contract): Promise<string> => {
  const nodes = await openapiTypescript(new URL(source, root), { silent: true, transform: extensibleEnum });
  return banner(source) + astToString(nodes);
};

if (import.meta.main) {
  for (const contract of contracts) {
    const target = new URL(contract.target, root);
    const text = await generate(contract);
    const current = await readFile(target, 'utf8').catch(() => '');
    if (text !== current) await writeFile(target, text);
    console.log(`${contract.target}: ${text === current ? 'unchanged' : 'written'}`);
  }
}
