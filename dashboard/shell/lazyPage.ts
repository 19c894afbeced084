// Loads pages when they are first needed.
import { lazy } from 'react';

type Pages = typeof import('../pages/otherPages.ts');

/** Loads the pages. Also called early, when the pointer or focus is on a link to one. */
export const loadPages = (): Promise<Pages> => import('../pages/otherPages.ts');

export const lazyPage = <Name extends keyof Pages>(name: Name) =>
  lazy(async () => ({ default: (await loadPages())[name] }));
