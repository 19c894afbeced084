// Sealed bytes, typed by the owner of the key that opens them: the worker, or a link session's page. Using another key does not
// compile.
declare const opener: unique symbol;

export type Box<Owner extends 'worker' | 'page'> = Buffer & { readonly [opener]?: Owner };
