// The hosted references at /docs and /docs/management, which send real requests with the credentials that the reader pastes; the
// contracts at /openapi.yaml and /management/openapi.yaml, also as JSON; /llms.txt and the pages it links to; and /problems/CODE,
// which redirects to the explanation of an error code. The pages load nothing from other hosts, and their policy forbids it.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RequestHandler, Router } from 'express';
import { OperatorError } from '../../../platform/values/errors.ts';
import { type Contract, contractFile, readContract, resolvePointer } from '../contract.ts';
import { pageHeaders, staticDocument, staticFiles } from '../pages.ts';

export type ReferenceOptions = {
  baseUrl: string;
  /** Contains the page and its files; `npm run build` fills it. */
  directory: string;
};

/** Serves the references, with `baseUrl` as their only server. Throws OperatorError if a page was not built. */
export const referenceRouter = ({ baseUrl, directory }: ReferenceOptions): Router => {
  const router = Router();
  const page = (file: string, mediaType?: string): RequestHandler =>
    showReference(join(directory, file), baseUrl, mediaType);
  router.get('/docs', referenceHeaders, page('page.template'));
  router.get('/docs/management', referenceHeaders, page('management.template'));
  router.get('/llms.txt', contractHeaders, page('llms.txt', 'text/plain'));
  router.get(/\.md$/, contractHeaders, staticFiles(join(directory, 'documents'), { maxAge: '0' }));
  router.use('/docs', staticFiles(join(directory, 'unhashed'), { maxAge: '1d' }));
  router.use('/docs', staticFiles(join(directory, 'files'), { immutable: true, maxAge: '1y' }));
  serveContract(router, 'openapi.yaml', baseUrl);
  serveContract(router, 'management/openapi.yaml', baseUrl);
  router.get('/problems/:code', redirectToProblem(findProblemCodes(readContract('openapi.yaml'))));
  return router;
};

/** Serves a contract as YAML and as JSON. */
const serveContract = (router: Router, name: string, baseUrl: string): void => {
  const servers = [{ url: baseUrl, description: 'This service.' }];
  // Any JSON text is valid YAML.
  const makeYaml = (): string =>
    readFileSync(contractFile(name), 'utf8').replace(
      /^servers:\n( .*\n)+/m,
      () => `servers: ${JSON.stringify(servers)}\n`,
    );
  const makeJson = (): string => JSON.stringify({ ...readContract(name), servers });
  router.get(`/${name}`, contractHeaders, staticDocument('application/yaml', makeYaml));
  router.get(
    `/${name.replace('.yaml', '.json')}`,
    contractHeaders,
    staticDocument('application/json', makeJson),
  );
};

/** The build writes this placeholder wherever a page shows the URL of the service. */
const placeholderUrl = 'https://url-of-this-service.invalid';

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

/** The built page, with the URL of this service in its examples. */
const showReference = (file: string, baseUrl: string, mediaType = 'text/html'): RequestHandler => {
  if (!existsSync(file)) throw new OperatorError('The reference was not built: run "npm run build" first.');
  return staticDocument(mediaType, () =>
    readFileSync(file, 'utf8').replaceAll(placeholderUrl, () => baseUrl),
  );
};

const contractHeaders: RequestHandler = (_request, response, next) => {
  response.set({ 'Cache-Control': 'no-cache', 'Referrer-Policy': 'no-referrer' });
  next();
};

const findProblemCodes = (contract: Contract): string[] =>
  resolvePointer(contract, '/components/schemas/Problem/properties/code/enum')!.value as string[];

const redirectToProblem =
  (codes: string[]): RequestHandler<{ code: string }> =>
  ({ params }, response, next) =>
    codes.includes(params.code)
      ? response.redirect(302, `/docs#description/${params.code.replaceAll('_', '-')}`)
      : next();
