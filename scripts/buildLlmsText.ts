// llms.txt, in the format of llmstxt.org: a description of the service, and links to its documentation, each with the page's
// headings or first sentence.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
/** The raw text, without GitHub's page around it. */
const repository = 'https://raw.githubusercontent.com/bank-connection/bank-connection-data-service/main';
const packages = '{client,widget/{js,react,react-native},connectors/kit,server}/README.md';

/** All sources of the text. */
export const llmsSources = [
  'scripts/buildLlmsText.ts',
  '{README,CHANGELOG,docs/*,docs/operating/*}.md',
  packages,
];

const linkTo = (path: string, text: string): string => {
  const [title] = /(?<=^# ).*/m.exec(text)!;
  return `- [${title}](${repository}/${path})`;
};
const plain = (markdown: string): string =>
  markdown
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*`]/g, '')
    .replace(/\s+/g, ' ');

/** The first sentence after the title, without a period. */
const firstSentence = (text: string): string => plain(/^# .*\n\n([\s\S]+?)(?=[.:]\s)/m.exec(text)![1]!);
const headings = (text: string): string =>
  plain(text.match(/(?<=^## ).*/gm)?.join('; ') ?? firstSentence(text));

const list = (pattern: string, describe: (text: string) => string): string =>
  globSync(pattern, { cwd: root })
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
    .map(({ path, text }) => `${linkTo(path, text)}: ${describe(text)}`)
    .join('\n');

/** The service replaces this with its own URL. */
const baseUrl = 'https://url-of-this-service.invalid';

export const makeLlmsText = (): string => `# Bank Connection Data Service

> ${firstSentence(readFileSync(join(root, 'README.md'), 'utf8'))}.

## API

- [API](${baseUrl}/openapi.yaml): the OpenAPI document of the operations that read a user's data, and of the webhooks
- [API reference](${baseUrl}/docs): the same as a page
- [Management API](${baseUrl}/management/openapi.yaml): the OpenAPI document for programs with an organization token
- [Management API reference](${baseUrl}/docs/management): the same as a page

## Documentation

${list('{README.md,docs/*.md,docs/operating/*.md}', headings)}

## Packages

${list(packages, firstSentence)}

## Optional

${list('CHANGELOG.md', firstSentence)}
`;
