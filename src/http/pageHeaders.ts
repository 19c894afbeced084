// Security headers of HTML pages, by helmet. Every page starts with a policy that allows nothing.
import type { RequestHandler } from 'express';
import helmet, { type HelmetOptions } from 'helmet';

type Directives = NonNullable<
  Exclude<HelmetOptions['contentSecurityPolicy'], boolean | undefined>['directives']
>;

export type PageOptions = {
  /** What the page may do, besides nothing. */
  directives: Directives;
  referrerPolicy?: 'no-referrer' | 'same-origin';
  /** Whether other origins may show the page in a frame; `directives` must then name them. */
  framable?: boolean;
  /** Whether the page can send messages to the window that has opened it. */
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
