// llms.txt, in the format of llmstxt.org: a description of the service, and links to its documentation, each with the page's
// headings or first sentence; and these pages, which the service serves under their paths in the repository.
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const documents = '{README,docs/*,docs/operating/*}.md';
const packages = '{client,widget/{js,react,react-native},connectors/kit,server}/README.md';

const pages = [documents, packages, '{CHANGELOG,{connectors,examples}/*/README}.md'];

/** All sources of the text and the pages. */
export const llmsSources = ['scripts/buildLlmsText.ts', ...pages];

/** The service replaces this with its own URL. */
const baseUrl = 'https://url-of-this-service.invalid';

const linkTo = (path: string, text: string): string => {
  const [title] = /(?<=^# ).*/m.exec(text)!;
  return `- [${title}](${baseUrl}/${path})`;
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

/** Writes llms.txt into `directory`, and the pages into its folder `documents`. */
export const buildLlmsText = (directory: string): void => {
  rmSync(join(directory, 'documents'), { recursive: true, force: true });
  for (const path of globSync(pages, { cwd: root }))
    cpSync(join(root, path), join(directory, 'documents', path));
  writeFileSync(join(directory, 'llms.txt'), makeLlmsText());
};

const makeLlmsText = (): string => `# Bank Connection Data Service

> ${firstSentence(readFileSync(join(root, 'README.md'), 'utf8'))}.

## API

- [API](${baseUrl}/openapi.yaml): the OpenAPI document of the operations that read a user's data, and of the webhooks
- [API reference](${baseUrl}/docs): the same as a page
- [Management API](${baseUrl}/management/openapi.yaml): the OpenAPI document for programs with an organization token
- [Management API reference](${baseUrl}/docs/management): the same as a page

## Documentation

${list(documents, headings)}

## Packages

${list(packages, firstSentence)}

## Optional

${list('CHANGELOG.md', firstSentence)}
`;
