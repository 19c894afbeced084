// Generates the types in generated/ from the contracts and the tables, and docs/settings.md from the settings. The output is
// deterministic, so that a test can compare it with the committed files.
import { readFile, writeFile } from 'node:fs/promises';
import openapiTypescript, { astToString, type SchemaObject } from 'openapi-typescript';
import ts from 'typescript';
import { findBuiltInSettings } from '../src/domain/institutions/load.ts';
import { limitSettings, settings } from '../src/platform/settings/table.ts';
import { generateTables, tablesFile } from './generateTables.ts';

const root = new URL('../', import.meta.url);

export type Contract = { source: string; target: string };

export const contracts: Contract[] = [
  { source: 'openapi.yaml', target: 'generated/api.ts' },
  { source: 'widget/openapi.yaml', target: 'generated/widget.ts' },
  { source: 'management/openapi.yaml', target: 'generated/management.ts' },
  { source: 'src/interfaces/http/simplefin/openapi.yaml', target: 'generated/simplefin.ts' },
  { source: 'connectors/enable-banking/openapi.yaml', target: 'generated/enableBanking.ts' },
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

export const settingsFile = 'docs/settings.md';

const item = (variable: string, standard: string, text: string): string =>
  `- \`${variable}\`${standard && ` (${standard})`}: ${text}`;

/** The reference of the settings. */
export const generateSettings = async (): Promise<string> => {
  const ofConnectors = Object.entries(await findBuiltInSettings());
  const secretFiles = settings.filter(({ secret }) => secret).map(({ variable }) => `\`${variable}_FILE\``);
  return [
    '# Settings\n',
    'Environment variables and their defaults. Lists are comma-separated. The service refuses to start with invalid values, and names the valid ones.',
    '`config print` shows the effective values.',
    `To read a secret from a file, set ${secretFiles.join(', ')} or a connector’s setting with \`_FILE\` to its path.\n`,
    '## Service\n',
    ...settings.map(({ variable, standard, standardText = standard ? `\`${standard}\`` : '', text }) =>
      item(variable, standardText, text),
    ),
    ...ofConnectors.map(([variable, text]) => item(variable, '', text)),
    '\n## Limits\n',
    'Whole numbers in the named unit, the same in all processes.\n',
    ...limitSettings.map(({ variable, standard, text }) => item(variable, `${standard}`, text)),
    '',
  ].join('\n');
};

const writeIfChanged = async (path: string, text: string): Promise<void> => {
  const target = new URL(path, root);
  const current = await readFile(target, 'utf8').catch(() => '');
  if (text !== current) await writeFile(target, text);
  console.log(`${path}: ${text === current ? 'unchanged' : 'written'}`);
};

if (import.meta.main) {
  for (const contract of contracts) await writeIfChanged(contract.target, await generate(contract));
  await writeIfChanged(tablesFile, generateTables());
  await writeIfChanged(settingsFile, await generateSettings());
}
