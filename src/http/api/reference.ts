// The contract for people and for programs: /docs shows it and sends real requests with the credentials that the
// reader pastes, /openapi.yaml and /openapi.json serve it, and /problems/CODE leads to what a code means. The
// page works without any other host: its script is served from here, and its policy forbids every other address.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { apiReference } from '@scalar/express-api-reference';
import { type RequestHandler, type Response, Router } from 'express';
import { parseDocument } from 'yaml';
import { randomBytes } from '../../random.ts';

const scalarDirectory = new URL('.', import.meta.resolve('@scalar/api-reference'));
const scalarVersion = (
  JSON.parse(readFileSync(new URL('../package.json', scalarDirectory), 'utf8')) as { version: string }
).version;
const scriptDirectory = fileURLToPath(new URL('browser/', scalarDirectory));

/** The address changes with the version, so that the script may be kept for ever. */
const scriptPath = `/docs/scalar-${scalarVersion}.js`;

/**
 * What the page may do. Scalar needs inline styles (it sets style attributes) and data: images (its icons); the
 * scripts are ours and the one that carries this answer's nonce.
 */
const policy = (nonce: string) =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** No credential is ever filled in, and what the reader pastes is forgotten with the page. */
const scalarOptions = {
  pageTitle: 'Bank Connection Data Service',
  url: '/openapi.json',
  // Requests go to the host that the page came from, under whatever name the reader opened it.
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
  // An empty field shows a made-up token, which looks like one that is filled in.
  customCss: 'input.scalar-password-input::placeholder { color: transparent }',
} satisfies Parameters<typeof apiReference>[0];

/** Serves the reference of a contract, in which `baseUrl` stands as the one server. */
export const referenceRouter = ({
  baseUrl,
  contractFile,
}: {
  baseUrl: string;
  contractFile: string | URL;
}): Router => {
  const contract = parseDocument(readFileSync(contractFile, 'utf8'));
  contract.set('servers', [{ url: baseUrl, description: 'This service.' }]);
  const yaml = contract.toString({ lineWidth: 0 });
  const { components } = contract.toJS();
  const codes: string[] = components.schemas.Problem.properties.code.enum;

  const router = Router();
  router.get('/docs', showReference);
  router.get(scriptPath, sendScript);
  router.get('/openapi.yaml', sendContract('application/yaml', yaml));
  router.get('/openapi.json', sendContract('application/json', JSON.stringify(contract)));
  router.get('/problems/:code', redirectToProblem(codes));
  return router;
};

const setSecurityHeaders = (response: Response): Response =>
  response.set({ 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' });

const showReference: RequestHandler = (request, response, next) => {
  const nonce = randomBytes(16).toString('base64');
  setSecurityHeaders(response).set({ 'Content-Security-Policy': policy(nonce), 'Cache-Control': 'no-store' });
  return apiReference({ ...scalarOptions, nonce })(request as never, response, next);
};

const sendScript: RequestHandler = (_request, response) =>
  setSecurityHeaders(response).sendFile('standalone.js', {
    root: scriptDirectory,
    immutable: true,
    maxAge: '1y',
  });

const sendContract =
  (type: string, text: string): RequestHandler =>
  (_request, response) => {
    setSecurityHeaders(response).set('Cache-Control', 'no-cache').type(type).send(text);
  };

const redirectToProblem =
  (codes: string[]): RequestHandler<{ code: string }> =>
  ({ params }, response, next) =>
    codes.includes(params.code)
      ? response.redirect(302, `/docs#description/${params.code.replaceAll('_', '-')}`)
      : next();
