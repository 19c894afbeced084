// Builds the pages of the API references: Scalar's document, a first view that Scalar renders here, Scalar's script, and the
// typeface. The service serves these files and needs none of Scalar's packages, which would be a tenth of its installation.
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ApiReference } from '@scalar/api-reference';
import { apiReference } from '@scalar/express-api-reference';
import { load } from 'js-yaml';
import ts from 'typescript';
import { createSSRApp, h } from 'vue';
import { renderToString } from 'vue/server-renderer';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

type Reference = {
  /** The file name of its page. */
  page: string;
  title: string;
  contract: string;
  url: string;
  schemes: (string | string[])[];
  /** The folder of its scripts, inside the folder of Scalar's scripts. */
  folder: '' | 'management/';
};

const references: Reference[] = [
  {
    ...{ page: 'page.template', folder: '', title: 'Bank Connection Data Service' },
    ...{ contract: '../openapi.yaml', url: '/openapi.json', schemes: [['ApiKey', 'ScopedToken']] },
  },
  {
    ...{ page: 'management.template', folder: 'management/', title: 'Management API' },
    ...{ contract: '../management/openapi.yaml', url: '/management/openapi.json' },
    schemes: ['OrganizationToken'],
  },
];

/** No credential is filled in, and pasted ones are not stored. */
const options = {
  // The prefix of the ids of Scalar's elements.
  slug: 'reference',
  // Requests go to the host that served the page.
  servers: [{ url: '/' }],
  theme: 'none',
  withDefaultFonts: false,
  telemetry: false,
  persistAuth: false,
  defaultOpenAllTags: true,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  documentDownloadType: 'direct',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  customCss: read('reference.css'),
} satisfies Parameters<typeof apiReference>[0];

const optionsOf = ({ url, schemes }: Reference) => ({
  ...options,
  url,
  authentication: { preferredSecurityScheme: schemes },
});

const typeface = '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2';
const scalar = new URL('.', import.meta.resolve('@scalar/api-reference'));

/**
 * Fills `directory` with the pages, which lack the URL of the service, and with the files that they load: below `files` if their
 * URLs change with their content, else below `unhashed`.
 */
export const buildReference = async (directory: string): Promise<void> => {
  const script = ts.transpile(read('referenceFirstView.ts'), {
    target: ts.ScriptTarget.ES2022,
    removeComments: true,
  });
  const { version } = JSON.parse(readFileSync(new URL('../package.json', scalar), 'utf8')) as {
    version: string;
  };
  // The URL changes with the content, because browsers cache these files for a year.
  const hash = createHash('sha256')
    .update(script)
    .update(JSON.stringify(references.map(optionsOf)))
    .digest('hex');
  const name = `scalar-${version}-${hash.slice(0, 8)}`;
  const files = join(directory, 'files', name);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(files, { recursive: true });
  cpSync(new URL('browser', scalar), files, {
    recursive: true,
    filter: (path) => !/\.map$|standalone\.js$/.test(path),
  });
  cpSync(new URL('style.css', scalar), join(files, 'style.css'));
  cpSync(fileURLToPath(import.meta.resolve(typeface)), join(directory, 'unhashed/figtree.woff2'));
  // The pictures of the start page, which are also in README.md.
  for (const picture of ['hero-light.webp', 'hero-dark.webp'])
    cpSync(new URL(`../docs/pictures/${picture}`, import.meta.url), join(directory, 'unhashed', picture));
  for (const reference of references) {
    const { folder, page } = reference;
    const { html, start } = scalarDocument(reference);
    const firstView = await renderFirstView(reference);
    mkdirSync(join(files, folder), { recursive: true });
    writeFileSync(join(files, folder, 'start.js'), start);
    writeFileSync(join(files, folder, 'firstView.js'), script);
    const source = `/docs/${name}/${folder}firstView.js`;
    writeFileSync(
      join(directory, page),
      html
        .replace('<html>', '<html lang="en">')
        .replace('</head>', `${links(name)}</head>`)
        .replace('<body>', `<body class="light-mode"><script src="${source}"></script>`)
        .replace('</body>', () => `${firstView}</body>`),
    );
  }
};

const links = (name: string): string =>
  `<link rel="preload" as="font" type="font/woff2" href="/docs/figtree.woff2" crossorigin>
  <link rel="stylesheet" href="/docs/${name}/style.css">`;

/** Scalar's document without its script, and that script as a module whose default export starts Scalar. */
const scalarDocument = (reference: Reference): { html: string; start: string } => {
  let sent = '';
  const response = { type: () => response, send: (text: string) => (sent = text) };
  const middleware = apiReference({
    ...optionsOf(reference),
    pageTitle: reference.title,
    bundle: `${reference.folder ? '..' : '.'}/standalone.esm.js`,
  });
  middleware({} as never, response as never, () => {});
  const [tag, script] = /<script type="module">(.*?)<\/script>/s.exec(sent)!;
  return {
    html: sent.replace(tag, ''),
    start: script!.replace("createApiReference('#app'", 'export default () => $&'),
  };
};

/** Scalar's HTML. Its sections get the ids that its links point to. */
const renderFirstView = async (reference: Reference): Promise<string> => {
  const configuration = {
    ...optionsOf(reference),
    servers: [{ url: 'https://url-of-this-service.invalid' }],
    customFetch: async () => Response.json(load(read(reference.contract))),
  };
  const html = await renderToString(createSSRApp(() => h(ApiReference, { configuration })));
  const firstView = html
    .replaceAll(`id="${options.slug}/`, 'id="')
    // Comments for Vue, and placeholders that Scalar removes when it starts.
    .replace(/<!--.*?-->|<button aria-hidden="true"[^>]*><\/button>/gs, '');
  return `<div id="first-view">${firstView}<p role="status"></p></div>`;
};
