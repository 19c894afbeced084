// Builds the page of the API reference: Scalar's document, a first view that Scalar renders here, Scalar's script, and the
// typeface. The service serves these files and needs none of Scalar's packages, which would be a tenth of what it installs.
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

/** No credential is filled in, and pasted ones are not stored. */
const options = {
  url: '/openapi.json',
  // The ids of Scalar's elements start with it.
  slug: 'reference',
  // Requests go to the host that served the page.
  servers: [{ url: '/' }],
  theme: 'none',
  withDefaultFonts: false,
  telemetry: false,
  persistAuth: false,
  defaultOpenAllTags: true,
  authentication: { preferredSecurityScheme: [['ApiKey', 'ScopedToken']] },
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  documentDownloadType: 'direct',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  customCss: read('reference.css'),
} satisfies Parameters<typeof apiReference>[0];

const typeface = '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2';
const scalar = new URL('.', import.meta.resolve('@scalar/api-reference'));

/** Fills `directory` with the page, which lacks the URL of the service, and, below `files`, with the files that it loads. */
export const buildReference = async (directory: string): Promise<void> => {
  const script = ts.transpile(read('referenceFirstView.ts'), {
    target: ts.ScriptTarget.ES2022,
    removeComments: true,
  });
  const { version } = JSON.parse(readFileSync(new URL('../package.json', scalar), 'utf8')) as {
    version: string;
  };
  // A URL that changes with its content, because browsers keep these files for a year.
  const hash = createHash('sha256').update(script).update(JSON.stringify(options)).digest('hex');
  const name = `scalar-${version}-${hash.slice(0, 8)}`;
  const files = join(directory, 'files', name);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(files, { recursive: true });
  cpSync(new URL('browser', scalar), files, {
    recursive: true,
    filter: (path) => !/\.map$|standalone\.js$/.test(path),
  });
  cpSync(new URL('style.css', scalar), join(files, 'style.css'));
  cpSync(fileURLToPath(import.meta.resolve(typeface)), join(directory, 'files/figtree.woff2'));
  const { html, start } = scalarDocument();
  const firstView = await renderFirstView();
  writeFileSync(join(files, 'start.js'), start);
  writeFileSync(join(files, 'firstView.js'), script);
  writeFileSync(
    join(directory, 'page.template'),
    html
      .replace('<html>', '<html lang="en">')
      .replace('</head>', `${links(name)}</head>`)
      .replace('<body>', `<body class="light-mode"><script src="/docs/${name}/firstView.js"></script>`)
      .replace('</body>', () => `${firstView}</body>`),
  );
};

const links = (name: string): string =>
  `<link rel="preload" as="font" type="font/woff2" href="/docs/figtree.woff2" crossorigin>
  <link rel="stylesheet" href="/docs/${name}/style.css">`;

/** Scalar's document without its script, and that script as a module whose default export starts Scalar. */
const scalarDocument = (): { html: string; start: string } => {
  let sent = '';
  const response = { type: () => response, send: (text: string) => (sent = text) };
  const middleware = apiReference({
    ...options,
    pageTitle: 'Bank Connection Data Service',
    bundle: './standalone.esm.js',
  });
  middleware({} as never, response as never, () => {});
  const [tag, script] = /<script type="module">(.*?)<\/script>/s.exec(sent)!;
  return {
    html: sent.replace(tag, ''),
    start: script!.replace("createApiReference('#app'", 'export default () => $&'),
  };
};

/** Scalar's HTML. Its sections get the ids that its links point to. */
const renderFirstView = async (): Promise<string> => {
  const configuration = {
    ...options,
    servers: [{ url: 'https://url-of-this-service.invalid' }],
    customFetch: async () => Response.json(load(read('../openapi.yaml'))),
  };
  const html = await renderToString(createSSRApp(() => h(ApiReference, { configuration })));
  const firstView = html
    .replaceAll(`id="${options.slug}/`, 'id="')
    // Comments for Vue, and placeholders that Scalar removes when it starts.
    .replace(/<!--.*?-->|<button aria-hidden="true"[^>]*><\/button>/gs, '');
  return `<div id="first-view">${firstView}<p role="status"></p></div>`;
};
