// The widget's script and page. Only pages on the application's origins may show the page in a frame.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RequestHandler, type Response, Router } from 'express';
import { isOrigin } from '../../../domain/applications/application.ts';
import { findActiveApplication } from '../../../domain/applications/store.ts';
import { isId } from '../../../platform/values/ids.ts';
import type { WidgetNeeds } from '../needs.ts';
import { pageHeaders, staticDocument, staticFiles } from '../pages.ts';

/** Files that each page of the widget loads from the service. */
const ownFiles = { scriptSrc: ["'self'"], styleSrc: ["'self'"], fontSrc: ["'self'"] };

/** Serves `directory`, which `npm run build` fills: /connect.js, /connect and its assets. */
export const widgetPages = (service: WidgetNeeds, directory: string): Router => {
  const router = Router();
  const html = readFileSync(join(directory, 'connect', 'index.html'), 'utf8');
  const belowConnect = html.replaceAll('"./connect/assets/', '"./assets/');
  const script = staticFiles(directory, { maxAge: '5m' });
  router.get('/connect.js', (request, response, next) => {
    response.set({ 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' });
    request.url = '/connect.js';
    script(request, response, next);
  });
  router.use(
    '/connect/assets',
    staticFiles(join(directory, 'connect', 'assets'), { immutable: true, maxAge: '1y' }),
  );
  router.get(
    '/connect',
    findAncestors(service),
    pageHeaders({
      framable: true,
      directives: {
        ...ownFiles,
        // Images from the bank, such as captchas, are data URLs.
        imgSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        frameAncestors: [(_request, response) => (response as Response).locals.frameAncestors],
      },
    }),
    staticDocument('text/html', () => html),
  );
  // Shows the first screen in the dashboard.
  router.get(
    '/connect/preview',
    pageHeaders({
      framable: true,
      directives: { ...ownFiles, imgSrc: ["'self'"], frameAncestors: ["'self'"] },
    }),
    staticDocument('text/html', () => belowConnect),
  );
  // The bank redirects the user's browser here. The page passes the query to its opener.
  router.get(
    '/connect/return',
    pageHeaders({ keepsOpener: true, directives: { ...ownFiles, connectSrc: ["'self'"] } }),
    staticDocument('text/html', () => belowConnect),
  );
  return router;
};

// The loader sends the origins of the pages around the frame, separated by commas. The header repeats only those that the
// application allows; listing all would reveal them to anyone who knows the application's id.
const findAncestors =
  ({ db }: WidgetNeeds): RequestHandler =>
  async (request, response, next) => {
    const id = String(request.query.application);
    const application = isId('app', id) ? await findActiveApplication(db.read, id) : undefined;
    const ancestors = new Set(String(request.query.origin).split(','));
    const allowed = application?.origins.filter((origin) => ancestors.has(origin) && isOrigin(origin));
    response.locals.frameAncestors = allowed?.join(' ') || "'none'";
    next();
  };
