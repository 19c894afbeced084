// Sealed bytes, typed by whose key opens them: the worker's, or that of a link session's page. Others do not compile.
declare const opener: unique symbol;

export type Box<Owner extends 'worker' | 'page'> = Buffer & { readonly [opener]?: Owner };
