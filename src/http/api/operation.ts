// The types of the public API's handlers: the input of each operation includes its principal.
import type { operations as Contract } from '../../../generated/api.ts';
import type { Handler } from '../handler.ts';
import type { KeyOnlyPrincipal, ReaderPrincipal } from './authenticate.ts';

/** The two operations for which the API key is enough; every other needs the scoped token too. */
type KeyOnly = 'getConnection' | 'revokeConnection';
export type PrincipalByOperation = {
  [Id in keyof Contract]: Id extends KeyOnly ? KeyOnlyPrincipal : ReaderPrincipal;
};

/** A handler of the public API. */
export type Operation<Id extends keyof Contract> = Handler<Contract[Id], PrincipalByOperation[Id]>;
