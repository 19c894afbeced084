// The hosted reference at /docs, which sends real requests with the credentials that the reader pastes; the contract at
// /openapi.yaml and /openapi.json; and /problems/CODE, which redirects to the explanation of an error code. The page
// loads nothing from other hosts, and its policy forbids it.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RequestHandler, Router } from 'express';
import { parseDocument } from 'yaml';
import { OperatorError } from '../../errors.ts';
import { pageHeaders, staticDocument, staticFiles } from '../pages.ts';

export type ReferenceOptions = {
  baseUrl: string;
  contractFile: string | URL;
  /** Has the page and its files; `npm run build` fills it. */
  directory: string;
};

/**
 * Serves the reference of a contract, with `baseUrl` as its one server. Throws OperatorError where the page was not
 * built.
 */
export const referenceRouter = ({ baseUrl, contractFile, directory }: ReferenceOptions): Router => {
  const documents = contractDocuments(readFileSync(contractFile, 'utf8'), baseUrl);
  const router = Router();
  router.get('/docs', referenceHeaders, showReference(directory, baseUrl));
  router.use('/docs', staticFiles(join(directory, 'files'), { immutable: true, maxAge: '1y' }));
  router.get('/openapi.yaml', contractHeaders, (...request) => documents().yaml(...request));
  router.get('/openapi.json', contractHeaders, (...request) => documents().json(...request));
  router.get('/problems/:code', (...request) => redirectToProblem(documents().codes)(...request));
  return router;
};

/** scripts/buildReference.ts writes it wherever the page shows the URL of the service. */
const placeholderUrl = 'https://url-of-this-service.invalid';

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

/** Scalar needs inline styles (it sets style attributes) and data: images (its icons). */
const referenceHeaders = pageHeaders({
  directives: {
    scriptSrc: ["'self'"],
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", 'data:'],
    fontSrc: ["'self'"],
    connectSrc: ["'self'"],
  },
});

/** The page that the build has made, with the URL of this service in its examples. */
const showReference = (directory: string, baseUrl: string): RequestHandler => {
  const file = join(directory, 'page.template');
  if (!existsSync(file)) throw new OperatorError('The reference was not built: run "npm run build" first.');
  return staticDocument(
    'text/html',
    readFileSync(file, 'utf8').replaceAll(placeholderUrl, () => baseUrl),
  );
};

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
