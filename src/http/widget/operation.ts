// Who a handler of the widget's door hears from, and what it is.
import type { operations as Contract } from '../../../generated/widget.ts';
import type { Handler } from '../handler.ts';
import type { AnonymousPrincipal, LinkSessionPrincipal } from './authenticate.ts';

export type PrincipalByOperation = {
  [Id in keyof Contract]: Id extends 'createSession' ? AnonymousPrincipal : LinkSessionPrincipal;
};

/** A handler of the widget's door. */
export type Operation<Id extends keyof Contract> = Handler<Contract[Id], PrincipalByOperation[Id]>;
