// The hosted reference at /docs, which sends real requests with the credentials that the reader pastes; the contract at
// /openapi.yaml and /openapi.json; and /problems/CODE, which redirects to the explanation of an error code. The page
// loads nothing from other hosts, and its policy forbids it.

import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { apiReference } from '@scalar/express-api-reference';
import { type RequestHandler, type Response, Router } from 'express';
import { parseDocument } from 'yaml';
import { pageHeaders } from '../pageHeaders.ts';
import { staticDocument } from '../staticFiles.ts';

const scalarDirectory = new URL('.', import.meta.resolve('@scalar/api-reference'));
const scalarVersion = (
  JSON.parse(readFileSync(new URL('../package.json', scalarDirectory), 'utf8')) as { version: string }
).version;
const scriptDirectory = fileURLToPath(new URL('browser/', scalarDirectory));

/** The path changes with the version, so that the script can be cached permanently. */
const scriptPath = `/docs/scalar-${scalarVersion}.js`;

/** No credential is filled in, and pasted ones are not stored. */
const scalarOptions = {
  pageTitle: 'Bank Connection Data Service',
  url: '/openapi.json',
  // Requests go to the host that served the page.
  servers: [{ url: '/' }],
  cdn: scriptPath,
  theme: 'default',
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
  // The placeholder of an empty field looks like a token that is filled in.
  customCss: 'input.scalar-password-input::placeholder { color: transparent }',
} satisfies Parameters<typeof apiReference>[0];

/** Serves the reference of a contract, with `baseUrl` as its one server. */
export const referenceRouter = ({
  baseUrl,
  contractFile,
}: {
  baseUrl: string;
  contractFile: string | URL;
}): Router => {
  const contract = parseDocument(readFileSync(contractFile, 'utf8'));
  contract.set('servers', [{ url: baseUrl, description: 'This service.' }]);
  const { components } = contract.toJS();
  const codes: string[] = components.schemas.Problem.properties.code.enum;

  const router = Router();
  router.get('/docs', setNonce, referenceHeaders(baseUrl), showReference);
  router.get(scriptPath, sendScript);
  router.get(
    '/openapi.yaml',
    contractHeaders,
    staticDocument('application/yaml', contract.toString({ lineWidth: 0 })),
  );
  router.get('/openapi.json', contractHeaders, staticDocument('application/json', JSON.stringify(contract)));
  router.get('/problems/:code', redirectToProblem(codes));
  return router;
};

const setNonce: RequestHandler = (_request, response, next) => {
  response.locals.nonce = randomBytes(16).toString('base64');
  next();
};

/**
 * Scalar needs inline styles (it sets style attributes) and data: images (its icons); the scripts are served from here,
 * or carry the nonce of this response.
 */
const referenceHeaders = (baseUrl: string): RequestHandler =>
  pageHeaders({
    baseUrl,
    directives: {
      scriptSrc: [(_request, response) => `'nonce-${(response as Response).locals.nonce}'`],
      styleSrc: ["'unsafe-inline'"],
      imgSrc: ["'self'", 'data:'],
      connectSrc: ["'self'"],
    },
  });

const showReference: RequestHandler = (request, response, next) =>
  apiReference({ ...scalarOptions, nonce: response.locals.nonce })(request as never, response, next);

const contractHeaders: RequestHandler = (_request, response, next) => {
  response.set({ 'Cache-Control': 'no-cache', 'Referrer-Policy': 'no-referrer' });
  next();
};

const sendScript: RequestHandler = (_request, response) =>
  response.sendFile('standalone.js', { root: scriptDirectory, immutable: true, maxAge: '1y' });

const redirectToProblem =
  (codes: string[]): RequestHandler<{ code: string }> =>
  ({ params }, response, next) =>
    codes.includes(params.code)
      ? response.redirect(302, `/docs#description/${params.code.replaceAll('_', '-')}`)
      : next();
