// The page at `/`, which links the demo, the dashboard and the reference; the page for a browser that requests one that does not
// exist; and the icon that browsers ask for.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RequestHandler, Router } from 'express';
import { pageHeaders } from '../pageHeaders.ts';
import { staticDocument } from '../staticFiles.ts';

const read = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8');

const template = read('home.html');
const headers = pageHeaders({ directives: { styleSrc: ["'self'"], imgSrc: ["'self'"] } });

const draw = (values: { title: string; heading: string; text: string; links: string }): RequestHandler =>
  staticDocument(
    'text/html',
    template.replace(/\{\{(\w+)\}\}/g, (_, name) => values[name as keyof typeof values]),
  );

const card = ([path, name, text]: readonly [path: string, name: string, text: string]): string =>
  `<li><a href="${path}"><strong>${name}</strong>${text}</a></li>`;

const demo = ['/demo', 'Demo', 'Connect a sandbox bank, and read its transactions.'] as const;
const pages = [
  ['/dashboard', 'Dashboard', 'Manage applications, API keys, connections and members.'],
  ['/docs', 'API reference', 'Read about the seven operations, and try them.'],
] as const;

export const homePage = ({ hasDemo }: { hasDemo: boolean }): Router => {
  const cards = [...(hasDemo ? [demo] : []), ...pages].map(card).join('\n');
  const icon = readFileSync(join(import.meta.dirname, 'favicon.ico'));
  const router = Router();
  const home = draw({
    title: 'Bank Connection Data Service',
    heading: 'Bank Connection Data Service',
    text: 'Connects bank accounts and reads them. The operator cannot decrypt the stored accounts and transactions: that takes each user’s own token.',
    links: `<ul>\n${cards}\n</ul>\n<p>The API as an <a href="/openapi.yaml">OpenAPI document</a></p>`,
  });
  router.get('/', headers, home);
  router.get('/home.css', staticDocument('text/css', read('home.css')));
  router.get('/home.svg', staticDocument('image/svg+xml', read('logo.svg')));
  router.get('/favicon.ico', (_request, response) => {
    response.set('Cache-Control', 'public, max-age=86400').type('image/x-icon').send(icon);
  });
  return router;
};

const missing = draw({
  title: 'Page not found',
  heading: 'Page not found',
  text: 'There is no page at this address.',
  links: '<p><a href="/">Go to the start page</a></p>',
});

/** Shows a page instead of the problem document to a browser whose user has followed a wrong link. */
export const missingPage: RequestHandler = (request, response, next) => {
  const isBrowser =
    request.method === 'GET' && request.accepts(['application/problem+json', 'html']) === 'html';
  if (!isBrowser) return next();
  headers(request, response, () => {
    response.status(404);
    missing(request, response, next);
  });
};
