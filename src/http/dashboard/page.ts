// The dashboard's page: one document for every path under /dashboard. It loads nothing from other hosts and cannot be
// framed.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Router } from 'express';
import { OperatorError } from '../../errors.ts';
import { pageHeaders } from '../pageHeaders.ts';
import { staticDocument, staticFiles } from '../staticFiles.ts';

/** Serves `directory`, which `npm run build` fills. Throws OperatorError where it was not built. */
export const dashboardPage = (directory: string): Router => {
  const router = Router();
  const file = join(directory, 'index.html');
  if (!existsSync(file)) throw new OperatorError('The dashboard was not built: run "npm run build" first.');
  router.use('/dashboard/assets', staticFiles(join(directory, 'assets'), { immutable: true, maxAge: '1y' }));
  router.use('/dashboard/assets', (_request, _response, next) => next('router'));
  const icons = staticFiles(directory, { maxAge: '5m' });
  router.use('/dashboard', (request, response, next) =>
    /^\/[\w-]+\.(svg|png|ico|webmanifest)$/.test(request.path) ? icons(request, response, next) : next(),
  );
  router.get(
    ['/dashboard', '/dashboard/{*path}'],
    pageHeaders({
      referrerPolicy: 'same-origin',
      directives: {
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        // Menus and charts are positioned by style attributes; no style sheet may stand in the page.
        styleSrcAttr: ["'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        // The preview of the widget.
        frameSrc: ["'self'"],
      },
    }),
    staticDocument('text/html', readFileSync(file, 'utf8')),
  );
  return router;
};
