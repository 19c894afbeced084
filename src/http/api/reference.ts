// The hosted reference at /docs, which sends real requests with the credentials that the reader pastes; the contract at
// /openapi.yaml and /openapi.json; and /problems/CODE, which redirects to the explanation of an error code. The page
// loads nothing from other hosts, and its policy forbids it.
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { ReferenceProps } from '@scalar/api-reference';
import { type RequestHandler, type Response, Router } from 'express';
import { parseDocument } from 'yaml';
import { OperatorError } from '../../errors.ts';
import { pageHeaders } from '../pageHeaders.ts';
import { staticDocument, staticFiles } from '../staticFiles.ts';

/** No credential is filled in, and pasted ones are not stored. */
const scalarOptions = {
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
} satisfies ReferenceProps['configuration'];

export type ReferenceOptions = {
  baseUrl: string;
  contractFile: string | URL;
  /** Has the page's script; `npm run build` fills it. */
  directory: string;
};

/**
 * Serves the reference of a contract, with `baseUrl` as its one server. Throws OperatorError where the script was not
 * built.
 */
export const referenceRouter = ({ baseUrl, contractFile, directory }: ReferenceOptions): Router => {
  const documents = contractDocuments(readFileSync(contractFile, 'utf8'), baseUrl);
  const router = Router();
  router.get('/docs', setNonce, referenceHeaders, showReference(findScript(directory)));
  router.use('/docs', staticFiles(directory, { immutable: true, maxAge: '1y' }));
  router.get('/openapi.yaml', contractHeaders, (...request) => documents().yaml(...request));
  router.get('/openapi.json', contractHeaders, (...request) => documents().json(...request));
  router.get('/problems/:code', (...request) => redirectToProblem(documents().codes)(...request));
  return router;
};

type Documents = { yaml: RequestHandler; json: RequestHandler; codes: string[] };

/** Parses the contract at the first request: that takes longer than the rest of a start. */
const contractDocuments = (text: string, baseUrl: string): (() => Documents) => {
  let documents: Documents | undefined;
  const parse = (): Documents => {
    const contract = parseDocument(text);
    contract.set('servers', [{ url: baseUrl, description: 'This service.' }]);
    return {
      yaml: staticDocument('application/yaml', contract.toString({ lineWidth: 0 })),
      json: staticDocument('application/json', JSON.stringify(contract)),
      codes: contract.toJS().components.schemas.Problem.properties.code.enum,
    };
  };
  return () => (documents ??= parse());
};

const setNonce: RequestHandler = (_request, response, next) => {
  response.locals.nonce = randomBytes(16).toString('base64');
  next();
};

/**
 * Scalar needs inline styles (it sets style attributes) and data: images (its icons); the scripts are served from here,
 * or carry the nonce of this response.
 */
const referenceHeaders = pageHeaders({
  directives: {
    scriptSrc: [(_request, response) => `'nonce-${(response as Response).locals.nonce}'`],
    styleSrc: ["'unsafe-inline'"],
    imgSrc: ["'self'", 'data:'],
    fontSrc: ["'self'"],
    connectSrc: ["'self'"],
  },
});

/** The URL of the script, which contains its version, so that it can be cached permanently. */
const findScript = (directory: string): string => {
  const script = existsSync(directory) && readdirSync(directory).find((name) => name.endsWith('.js'));
  if (!script) throw new OperatorError('The reference was not built: run "npm run build" first.');
  return `/docs/${script}`;
};

const showReference =
  (script: string): RequestHandler =>
  (_request, response) => {
    response.type('html').send(referencePage({ script, nonce: response.locals.nonce }));
  };

// A `<` in a text of the options could end the script.
const optionsJson = JSON.stringify(scalarOptions).replaceAll('<', '\\u003c');

/**
 * The page, as Scalar's documentation of its script has it. Scalar's own middleware would bring packages of 13 MB. The
 * script reads the nonce from the `meta` element for the styles that it adds.
 */
const referencePage = ({ script, nonce }: { script: string; nonce: string }): string => `<!doctype html>
<html lang="en">
  <head>
    <title>Bank Connection Data Service</title>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta property="csp-nonce" content="${nonce}" />
  </head>
  <body>
    <div id="app"></div>
    <script src="${script}" nonce="${nonce}"></script>
    <script nonce="${nonce}">Scalar.createApiReference('#app', ${optionsJson})</script>
  </body>
</html>
`;

const contractHeaders: RequestHandler = (_request, response, next) => {
  response.set({ 'Cache-Control': 'no-cache', 'Referrer-Policy': 'no-referrer' });
  next();
};

const redirectToProblem =
  (codes: string[]): RequestHandler<{ code: string }> =>
  ({ params }, response, next) =>
    codes.includes(params.code)
      ? response.redirect(302, `/docs#description/${params.code.replaceAll('_', '-')}`)
      : next();
