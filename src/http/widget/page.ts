// The widget's script and page. The page may be framed only by the origins of the application that it is for.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import express, { type Request, type Response, Router } from 'express';
import { findApplication } from '../../applications/store.ts';
import type { Service } from '../../service.ts';

const policy = (frameAncestors: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // The bank's own images (captchas) come as data.
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${frameAncestors}`,
  ].join('; ');

/** Serves `directory`, which `npm run build` fills: /connect.js, /connect and its assets. */
export const widgetPages = (service: Service, directory: string): Router => {
  const router = Router();
  const page = readFileSync(join(directory, 'connect', 'index.html'));
  router.get('/connect.js', (_request: Request, response: Response) => {
    response.set('Cache-Control', 'public, max-age=300').set('Access-Control-Allow-Origin', '*');
    response.set('Cross-Origin-Resource-Policy', 'cross-origin');
    response.sendFile(join(directory, 'connect.js'));
  });
  router.use(
    '/connect/assets',
    express.static(join(directory, 'connect', 'assets'), {
      immutable: true,
      maxAge: '1y',
      fallthrough: false,
    }),
  );
  router.get('/connect', async (request: Request, response: Response) => {
    const application = await findApplication(service.db.read, String(request.query.application ?? ''));
    const origins = application?.origins.join(' ') || "'none'";
    response.set({
      'Content-Security-Policy': policy(origins),
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    });
    response.type('html').send(page);
  });
  return router;
};
