// The dashboard's page: one document for every address under /dashboard, whose script shows what belongs there. It
// loads nothing from anywhere else, and nobody may frame it.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import express, { type Request, type Response, Router } from 'express';
import { OperatorError } from '../../errors.ts';

const headers = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // Menus and charts are placed by the style attributes of their elements; no style sheet may stand in the page.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
};

/** Serves `directory`, which `npm run build` fills. Throws OperatorError where it was not built. */
export const dashboardPage = (directory: string): Router => {
  const router = Router();
  const file = join(directory, 'index.html');
  if (!existsSync(file)) throw new OperatorError('The dashboard was not built: run "npm run build" first.');
  const page = readFileSync(file);
  router.use(
    '/dashboard/assets',
    express.static(join(directory, 'assets'), {
      immutable: true,
      maxAge: '1y',
      fallthrough: false,
      index: false,
    }),
  );
  // What the page names besides: its mark. The document itself comes below, with its own headers.
  const files = express.static(directory, { index: false, redirect: false, maxAge: '5m' });
  router.use('/dashboard', (request, response, next) =>
    /^\/[\w-]+\.(svg|png|ico|webmanifest)$/.test(request.path) ? files(request, response, next) : next(),
  );
  router.get(['/dashboard', '/dashboard/{*path}'], (request: Request, response: Response, next) => {
    if (request.path.startsWith('/dashboard/api/')) return next();
    response.set(headers).type('html').send(page);
  });
  return router;
};
