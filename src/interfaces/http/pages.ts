// Pages and files: their security headers (by helmet, from a policy that allows nothing), static files, and the page at `/`. Files
// are compressed before they are requested. Responses with data are never compressed: senders choose descriptions, and the size of a
// compressed response could reveal the data next to them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { type RequestHandler, Router } from 'express';
import expressStaticGzip from 'express-static-gzip';
import helmet, { type HelmetOptions } from 'helmet';
import { decodePercent } from '../../platform/values/text.ts';

type Directives = NonNullable<
  Exclude<HelmetOptions['contentSecurityPolicy'], boolean | undefined>['directives']
>;

export type PageOptions = {
  /** The permissions of the page; everything else is forbidden. */
  directives: Directives;
  referrerPolicy?: 'no-referrer' | 'same-origin';
  /** True if other origins may show the page in a frame; `directives` must then list them. */
  framable?: boolean;
  /** True if the page can send messages to the window that opened it. */
  keepsOpener?: boolean;
};

/** Sets the headers of a page and forbids caching it. */
export const pageHeaders = ({
  directives,
  referrerPolicy = 'no-referrer',
  framable = false,
  keepsOpener = framable,
}: PageOptions): RequestHandler => {
  const setHeaders = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        ...(!framable && { frameAncestors: ["'none'"] }),
        ...directives,
      },
    },
    referrerPolicy: { policy: referrerPolicy },
    xFrameOptions: framable ? false : { action: 'deny' },
    crossOriginOpenerPolicy: keepsOpener ? false : { policy: 'same-origin' },
    crossOriginResourcePolicy: framable ? false : { policy: 'same-origin' },
    strictTransportSecurity: false,
  });
  return (request, response, next) => {
    response.set({
      'Cache-Control': 'no-store',
      'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
    });
    setHeaders(request, response, next);
  };
};

export type StaticOptions = { maxAge: string; immutable?: boolean };

/** Serves the files of a directory; `npm run build` puts a `.br` and a `.gz` file beside those worth compressing. */
export const staticFiles = (directory: string, options: StaticOptions): RequestHandler => {
  const serve = expressStaticGzip(directory, {
    enableBrotli: true,
    orderPreference: ['br', 'gz'],
    index: false,
    serveStatic: { index: false, redirect: false, fallthrough: true, ...options },
  }) as RequestHandler;
  // Without this, it would respond on its own to a path that cannot be decoded.
  return (request, response, next) =>
    decodePercent(request.path) === undefined ? next() : serve(request, response, next);
};

/** Compression blocks all other requests. The result is a tenth larger than at the highest quality, in a fifteenth of the time. */
const brotliParams = { [constants.BROTLI_PARAM_QUALITY]: 9 };

/** Serves a text that does not change while the process runs. The first request creates it. */
export const staticDocument = (mediaType: string, makeText: () => string): RequestHandler => {
  const bodies: Record<string, Buffer> = {};
  return (request, response) => {
    const encoding = request.acceptsEncodings('br') || request.acceptsEncodings('gzip') || 'identity';
    bodies.identity ??= Buffer.from(makeText());
    bodies[encoding] ??=
      encoding === 'br'
        ? brotliCompressSync(bodies.identity, { params: brotliParams })
        : gzipSync(bodies.identity);
    response.vary('Accept-Encoding').set('Content-Type', `${mediaType}; charset=utf-8`);
    if (encoding !== 'identity') response.set('Content-Encoding', encoding);
    response.send(bodies[encoding]);
  };
};

const readHome = (name: string): string => readFileSync(join(import.meta.dirname, 'home', name), 'utf8');

const homeTemplate = readHome('home.html');
const own = ["'self'"];
const homeHeaders = pageHeaders({ directives: { styleSrc: own, imgSrc: own, fontSrc: own } });

const draw = (values: { title: string; heading: string; text: string; links: string }): RequestHandler =>
  staticDocument('text/html', () =>
    homeTemplate.replace(/\{\{(\w+)\}\}/g, (_, name) => values[name as keyof typeof values]),
  );

const card = ([path, name, text]: readonly [path: string, name: string, text: string]): string =>
  `<li><a href="${path}"><strong>${name}</strong>${text}</a></li>`;

const demo = ['/demo', 'Demo', 'Connect a sandbox bank and read its transactions.'] as const;
const pages = [
  ['/dashboard', 'Dashboard', 'Manage applications, API keys, connections and members.'],
  ['/docs', 'API reference', 'Read about the seven operations and try them.'],
] as const;

export const homePage = ({ hasDemo }: { hasDemo: boolean }): Router => {
  const cards = [...(hasDemo ? [demo] : []), ...pages].map(card).join('\n');
  const icon = readFileSync(join(import.meta.dirname, 'home/favicon.ico'));
  const router = Router();
  const home = draw({
    title: 'Bank Connection Data Service',
    heading: 'Bank Connection Data Service',
    text: 'Connects bank accounts and reads their data. The operator cannot decrypt the stored accounts and transactions without each user’s own token.',
    links: `<ul>\n${cards}\n</ul>\n<p>Download the <a href="/openapi.yaml">OpenAPI document</a>.</p>\n${readHome('picture.html')}`,
  });
  router.get('/', homeHeaders, home);
  router.get(
    '/home.css',
    staticDocument('text/css', () => readHome('home.css')),
  );
  router.get(
    '/home.svg',
    staticDocument('image/svg+xml', () => readHome('logo.svg')),
  );
  router.get('/favicon.ico', (_request, response) => {
    response.set('Cache-Control', 'public, max-age=86400').type('image/x-icon').send(icon);
  });
  return router;
};

const missing = draw({
  title: 'Page not found',
  heading: 'Page not found',
  text: 'This page does not exist.',
  links: '<p><a href="/">Go to the start page</a></p>',
});

/** Shows a page instead of the problem document to users who followed a wrong link. */
export const missingPage: RequestHandler = (request, response, next) => {
  const isBrowser =
    request.method === 'GET' && request.accepts(['application/problem+json', 'html']) === 'html';
  if (!isBrowser) return next();
  homeHeaders(request, response, () => {
    response.status(404);
    missing(request, response, next);
  });
};
