// The page at `/`, which links the demo, the reference and the dashboard; and the icon that browsers ask for.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Router } from 'express';
import { pageHeaders } from '../pageHeaders.ts';
import { staticDocument } from '../staticFiles.ts';

const read = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8');
const icon = readFileSync(join(import.meta.dirname, 'favicon.ico'));

export const homePage = ({ hasDemo }: { hasDemo: boolean }): Router => {
  const html = read('home.html');
  const page = hasDemo
    ? html.replace(/<!-- \/?demo -->/g, '')
    : html.replace(/<!-- demo -->.*<!-- \/demo -->\n/, '');
  const router = Router();
  router.get('/', pageHeaders({ directives: { styleSrc: ["'self'"], imgSrc: ["'self'"] } }));
  router.get('/', staticDocument('text/html', page));
  router.get('/home.css', staticDocument('text/css', read('home.css')));
  router.get('/favicon.ico', (_request, response) => {
    response.set('Cache-Control', 'public, max-age=86400').type('image/x-icon').send(icon);
  });
  return router;
};
