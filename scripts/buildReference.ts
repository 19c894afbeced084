// Builds the page of the API reference: Scalar's document, its script and the typeface. The service serves these files and needs
// none of Scalar's packages, which would be a tenth of what it installs.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { apiReference } from '@scalar/express-api-reference';

/** No credential is filled in, and pasted ones are not stored. */
const options = {
  pageTitle: 'Bank Connection Data Service',
  url: '/openapi.json',
  // Requests go to the host that served the page.
  servers: [{ url: '/' }],
  theme: 'none',
  withDefaultFonts: false,
  telemetry: false,
  persistAuth: false,
  authentication: { preferredSecurityScheme: [['ApiKey', 'ScopedToken']] },
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  documentDownloadType: 'direct',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  customCss: readFileSync(new URL('reference.css', import.meta.url), 'utf8'),
} satisfies Parameters<typeof apiReference>[0];

const typeface = '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2';
const script = new URL('browser/standalone.js', import.meta.resolve('@scalar/api-reference'));

/** Fills `directory` with the page and, below `files`, with what it loads. */
export const buildReference = (directory: string): void => {
  const files = join(directory, 'files');
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(files, { recursive: true });
  // Named by its version, so that its URL changes with it.
  const name = `scalar-${scalarVersion()}.js`;
  copyFileSync(script, join(files, name));
  copyFileSync(fileURLToPath(import.meta.resolve(typeface)), join(files, 'figtree.woff2'));
  writeFileSync(join(directory, 'page.html'), makePage(`/docs/${name}`));
};

const scalarVersion = (): string => {
  const manifest = readFileSync(new URL('../../package.json', script), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
};

/** Scalar's middleware sends its document; src/http/api/reference.ts puts the nonce of each response into it. */
const makePage = (cdn: string): string => {
  let html = '';
  const response = {
    type: () => response,
    send: (text: string) => {
      html = text;
    },
  };
  const middleware = apiReference({ ...options, cdn, nonce: 'nonce-of-the-response' });
  middleware({} as never, response as never, () => {});
  // It does not say in which language it is, which a screen reader needs.
  return html.replace('<html>', '<html lang="en">');
};
